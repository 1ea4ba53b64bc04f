//! What a walk over the tree has found: it grows level by level, with bounds on what is new.

use std::collections::{BTreeMap, BTreeSet};

use crate::RelPath;
use crate::stamp::{EntryType, Identity, Stamp};
use crate::walk::rules::IgnoreRules;
use crate::walk::scratch::ScratchStamp;
use crate::walk::stamps::Stamps;

/// So many new paths are listed by one walk.
const LISTED: usize = 100_000;

/// So many are listed of one new directory, and so many bytes of their paths.
const LISTED_BELOW: (usize, usize) = (1000, 1 << 16);

/// The stamps of all paths that are watched, and the scratch among them.
#[derive(Debug, Default)]
pub(crate) struct Survey {
    pub(crate) entries: Stamps,
    /// The directories that were listed, where the types of files were kept alone.
    pub(crate) identities: BTreeMap<RelPath, Identity>,
    /// Topmost paths.
    pub(crate) scratch: BTreeMap<RelPath, ScratchStamp>,
    /// Directories that could not be looked into.
    pub(crate) unreadable: BTreeSet<RelPath>,
    /// By which it was decided what is scratch.
    pub(crate) rules: IgnoreRules,
    /// Whether git's own directory was the `.git` of the top.
    pub(crate) owns_git_dir: bool,
    /// At least so many new paths are not listed.
    pub(crate) more: u64,
    /// Directories of git's objects, where git's own are surveyed as a whole.
    pub(crate) objects: BTreeSet<RelPath>,
}

impl Survey {
    /// The files in the scratch of a directory that holds nothing else; `None` where it holds anything
    /// else, or nothing.
    pub(crate) fn only_scratch(&self, dir: &RelPath) -> Option<u32> {
        let first = dir.join(b"");
        let below = |path: &RelPath| path.bytes().starts_with(first.bytes());
        let mut entries = self.entries.from(&first).take_while(|(path, _)| below(path));
        if !entries.all(|(_, stamp)| stamp.kind() == EntryType::Dir) {
            return None;
        }
        let scratch = self.scratch.range(&first..);
        let files = scratch.take_while(|(path, _)| below(path)).map(|(_, stamp)| stamp.files);
        files.fold(None, |sum, files| Some(sum.unwrap_or(0) + files))
    }
}

/// A directory to look into.
#[derive(Default)]
pub(crate) struct Level {
    pub(crate) path: RelPath,
    /// Of git's own: whatever is in it is watched.
    pub(crate) is_git: bool,
    /// The new directory that it is in, or is: its place in [`Walk::tops`].
    pub(crate) top: Option<usize>,
}

/// A new directory in one that was there before: how many paths of it are listed, and their bytes.
#[derive(Default)]
struct Top(usize, usize);

/// What a walk has found so far, and what it has still to enter.
#[derive(Default)]
pub(crate) struct Walk {
    pub(crate) survey: Survey,
    pub(crate) levels: Vec<Level>,
    pub(crate) scratch: Vec<RelPath>,
    /// What git ignores and is no cache.
    pub(crate) ignored: Vec<(RelPath, Stamp)>,
    /// Whether it is of an ignored directory: all is ignored, and watched nevertheless.
    pub(crate) in_ignored: bool,
    /// Of the ignored paths, what is too large to be copied.
    pub(crate) unprotected: Vec<RelPath>,
    /// `.git` directories within the tree.
    pub(crate) git_dirs: Vec<RelPath>,
    tops: Vec<Top>,
    /// How many new paths are listed.
    new: usize,
    /// What is watched, for [`Survey::entries`]: sorted at once, in the end.
    pub(crate) entries: Vec<(RelPath, Stamp)>,
    /// What is not watched after all.
    pub(crate) passed_over: Vec<RelPath>,
}

impl Walk {
    /// Whether no more is listed of a new directory. Once very much is new, one path of each is enough.
    pub(crate) fn is_full(&self, top: Option<usize>) -> bool {
        let Some(Top(paths, bytes)) = top.and_then(|top| self.tops.get(top)) else {
            return false;
        };
        let enough = if self.new < LISTED { LISTED_BELOW.0 } else { 1 };
        *paths >= enough || *bytes >= LISTED_BELOW.1
    }

    /// Takes what was not there before. A directory that `starts` something new is counted for itself.
    pub(crate) fn take_new(
        &mut self,
        path: RelPath,
        stamp: Stamp,
        top: Option<usize>,
        starts: bool,
    ) {
        let top = match top {
            None if self.new >= LISTED => {
                self.survey.more += 1;
                return;
            }
            None if starts => {
                self.tops.push(Top::default());
                Some(self.tops.len() - 1)
            }
            top => top,
        };
        if let Some(Top(paths, bytes)) = top.and_then(|top| self.tops.get_mut(top)) {
            *paths += 1;
            *bytes += path.bytes().len();
        }
        self.new += 1;
        self.push(path, stamp, false, top);
    }

    pub(crate) fn take(&mut self, path: RelPath, stamp: Stamp, is_git: bool) {
        self.push(path, stamp, is_git, None);
    }

    /// Takes a path without what is below it.
    pub(crate) fn take_alone(&mut self, path: RelPath, stamp: Stamp) {
        self.entries.push((path, stamp));
    }

    /// Sorts what was taken, which is for the most part in order.
    pub(crate) fn gather(&mut self) {
        self.survey.entries = std::mem::take(&mut self.entries).into_iter().collect();
        if !self.passed_over.is_empty() {
            self.survey.entries.retain(|path| !self.passed_over.contains(path));
        }
    }

    pub(crate) fn push(&mut self, path: RelPath, stamp: Stamp, is_git: bool, top: Option<usize>) {
        if stamp.kind() == EntryType::Dir {
            self.levels.push(Level { path: path.clone(), is_git, top });
        }
        self.entries.push((path, stamp));
    }
}
