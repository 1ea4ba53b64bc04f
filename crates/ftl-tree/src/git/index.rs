//! What git tracks below the root, and which of it may differ from the index.
//!
//! Paths are separated by NUL (`-z`) and relative to the root, since git runs there.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

use super::{Git, records, split_once};
use crate::stamp::{self, Stamp};
use crate::walk::deciding::PathStatus;
use crate::{RelPath, TreeError};

/// What the index says of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Tracked {
    pub(crate) object: String,
    /// A regular file that git itself compares: neither marked as assume-unchanged or skip-worktree,
    /// of which `git diff-files` reports no change, nor unmerged. `ls-files -v` marks others by `H`.
    pub(crate) plain: bool,
}

/// The files that git tracks below the root, and the directories that hold them.
#[derive(Debug, Default)]
pub(crate) struct Index {
    pub(crate) files: HashMap<RelPath, Tracked>,
    dirs: HashSet<RelPath>,
}

impl Index {
    /// What `git ls-files -z -s -v` lists.
    pub(crate) fn parse(listed: &[u8]) -> Self {
        // So that it grows once: a large repository has many files.
        let count = listed.iter().filter(|&&byte| byte == 0).count();
        let mut index = Self { files: HashMap::with_capacity(count), dirs: HashSet::new() };
        let mut last: &[u8] = &[];
        for line in records(listed) {
            let Some((head, path)) = split_once(line, b'\t') else {
                continue;
            };
            let mut fields = head.split(|&byte| byte == b' ').skip(1);
            let (Some(mode), Some(object)) = (fields.next(), fields.next()) else {
                continue;
            };
            let file = Tracked {
                object: String::from_utf8_lossy(object).into_owned(),
                plain: head.first() == Some(&b'H') && mode.starts_with(b"100"),
            };
            // Sorted, most files are in the directory of the one before.
            let slash = path.iter().rposition(|&byte| byte == b'/').unwrap_or_default();
            if path[..slash] != *last {
                last = &path[..slash];
                index.add_dirs(RelPath::new(last));
            }
            index.files.insert(RelPath::new(path), file);
        }
        index
    }

    /// Adds a directory and those above it.
    fn add_dirs(&mut self, mut dir: RelPath) {
        while !dir.is_top() && !self.dirs.contains(&dir) {
            let above = dir.split().0;
            self.dirs.insert(dir);
            dir = above;
        }
    }

    /// Tracked paths are watched, whatever ignore rules and names say.
    pub(crate) fn status(&self, path: &RelPath) -> PathStatus {
        if self.files.contains_key(path) || self.dirs.contains(path) {
            PathStatus::Known
        } else {
            PathStatus::New
        }
    }
}

/// What was listed last, and the stamp of the file that it was read from.
#[derive(Debug, Default)]
pub(crate) struct LastIndex(Mutex<Option<(Stamp, Arc<Index>)>>);

impl LastIndex {
    fn get(&self, stamp: &Stamp) -> Option<Arc<Index>> {
        let last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (then, index) = last.as_ref()?;
        (then == stamp).then(|| index.clone())
    }

    fn set(&self, stamp: Stamp, index: &Arc<Index>) {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *last = Some((stamp, index.clone()));
    }
}

impl Git {
    /// Every file below the root that git tracks. Git is asked again only when its index has changed.
    pub(crate) fn index(&self) -> Result<Arc<Index>, TreeError> {
        let stamp = self.stamp_of_index();
        if let Some(index) = stamp.as_ref().and_then(|stamp| self.last_index.get(stamp)) {
            return Ok(index);
        }
        let index = Arc::new(self.read_index()?);
        if let Some(stamp) = stamp {
            self.last_index.set(stamp, &index);
        }
        Ok(index)
    }

    /// The same, and it is not kept.
    pub(crate) fn read_index(&self) -> Result<Index, TreeError> {
        Ok(Index::parse(&self.tell(&["ls-files", "-z", "-s", "-v"], Vec::new())?))
    }

    /// The stamp of the index where any later change shows in it; none in a linked worktree, whose index
    /// git would have to be asked for.
    fn stamp_of_index(&self) -> Option<Stamp> {
        let now = stamp::now();
        if !self.top.join(".git").is_dir() {
            return None;
        }
        let stamp = Stamp::of(&rustix::fs::lstat(self.common_dir.join("index")).ok()?);
        stamp.settled_at(now).then_some(stamp)
    }
}
