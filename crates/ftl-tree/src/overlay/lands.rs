//! Which paths of a request's work come into the tree.

use std::collections::BTreeSet;

use crate::{RelPath, Tree};

/// What of a request's work comes into the tree. By default nothing does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Landing {
    pub(crate) paths: BTreeSet<RelPath>,
    /// What would, had no other process changed it too.
    pub(crate) conflicts: BTreeSet<RelPath>,
    /// Whether new scratch does. It may be built from what is dropped.
    pub(crate) scratch: bool,
}

impl Landing {
    /// Records that another process's versions of these stay in the tree.
    pub fn give_up(&mut self, paths: &BTreeSet<RelPath>) {
        self.paths.retain(|path| !paths.contains(path));
        self.conflicts.extend(paths.iter().cloned());
        self.scratch &= paths.is_empty();
    }

    /// The paths of which two versions are to be kept, as people read them.
    #[must_use]
    pub fn conflicts(&self, tree: &Tree) -> Vec<String> {
        self.conflicts.iter().map(|path| tree.shown(path)).collect()
    }
}
