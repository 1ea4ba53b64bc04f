//! Ignored files that are in the tree before a request, such as `.env`: a workplace has copies of them.
//!
//! Git says nothing of how large an ignored directory is, so the copies have bounds: so many paths in each, and
//! `scope.max_backup` bytes in all, the smallest first. What does not fit is read where it is. A repository within an
//! ignored directory is scratch as well.

use std::collections::BTreeSet;

use crate::stamp::{EntryType, Stamp};
use crate::walk::Surveyor;
use crate::walk::found::Walk;
use crate::{RelPath, TreeError};

/// Paths in an ignored directory that is protected, at most.
const PATHS_IN_EACH: usize = 20_000;

/// An ignored path with all that is below it.
struct Part {
    path: RelPath,
    bytes: u64,
    walk: Walk,
}

impl Surveyor<'_> {
    /// Takes what git ignores into the survey: as entries what can be copied.
    pub(crate) fn take_ignored(&self, walk: &mut Walk) -> Result<(), TreeError> {
        let mut parts = Vec::new();
        for (path, stamp) in std::mem::take(&mut walk.ignored) {
            match self.part(path.clone(), stamp)? {
                Some(part) => parts.push(part),
                None => walk.unprotected.push(path),
            }
        }
        parts.sort_by_key(|part| part.bytes);
        let mut left = self.tree.settings.max_backup;
        for part in parts {
            match left.checked_sub(part.bytes) {
                Some(rest) => {
                    left = rest;
                    walk.append(part.walk);
                }
                None => walk.unprotected.push(part.path),
            }
        }
        Ok(())
    }

    /// `None` of a directory with too much in it.
    fn part(&self, path: RelPath, stamp: Stamp) -> Result<Option<Part>, TreeError> {
        let mut walk = Walk::default();
        walk.in_ignored = true;
        walk.take(path.clone(), stamp, false);
        while let Some(level) = walk.levels.pop() {
            self.enter(&mut walk, level)?;
            if walk.entries.len() > PATHS_IN_EACH {
                return Ok(None);
            }
        }
        let git_dirs = std::mem::take(&mut walk.git_dirs);
        let repositories: BTreeSet<RelPath> = git_dirs.iter().map(|dir| dir.split().0).collect();
        let outside =
            |path: &RelPath| !repositories.contains(path) && !path.is_below_any(&repositories);
        walk.entries.retain(|(path, _)| outside(path));
        walk.scratch.retain(outside);
        walk.scratch.extend(repositories);
        let files = walk.entries.iter().filter(|(_, stamp)| stamp.kind() == EntryType::File);
        let bytes = files.map(|(_, stamp)| stamp.size).sum();
        Ok(Some(Part { path, bytes, walk }))
    }
}

impl Walk {
    fn append(&mut self, mut part: Self) {
        self.entries.append(&mut part.entries);
        self.scratch.append(&mut part.scratch);
        self.survey.unreadable.append(&mut part.survey.unreadable);
    }
}
