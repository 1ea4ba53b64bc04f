//! Comparing a snapshot with the tree: which paths differ, and how. Nothing is changed here.
//!
//! A path is decided by the cheapest thing that decides it. An equal stamp that is older than the
//! snapshot ends it, with no file opened. Else the size decides, then the content: a copy by its
//! digest, a file of git by its object's bytes, a link by its target. Times alone are never a change:
//! `touch` is no stray.
//!
//! Which differences count is in `classify`.

pub(crate) mod base;
pub(crate) mod classify;
pub(crate) mod contents;
pub(crate) mod delta;
pub(crate) mod moment;
pub(crate) mod watch;

use std::collections::BTreeMap;

use ftl_model::{Change, DeltaPath, Scratch};

use crate::git::state::GitChanges;
use crate::snapshot::Snapshot;
use crate::walk::{is_in_store, scratch};
use crate::{PathState, RelPath, Tree, TreeError};

/// What changed since a snapshot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Changes {
    /// Every delta file.
    pub delta: BTreeMap<DeltaPath, DeltaChange>,
    /// What changed outside the delta, by path. Of a new directory with very much in it, a part.
    pub strays: Vec<Stray>,
    /// At least so many new paths outside the delta are not listed.
    pub more_strays: u64,
    /// What was moved in the repository: HEAD, references, the stash, the index.
    pub git: GitChanges,
    /// The files that changed outside the delta and may, by path.
    pub allowed: Vec<RelPath>,
    /// Scratch, such as caches and what git ignores, in which something changed: at most a hundred
    /// topmost paths, new ones first.
    pub scratch: Vec<Scratch>,
    /// What git ignores, changed or removed, that is not put back, since it was too large to be copied.
    pub ignored: Vec<RelPath>,
}

impl Changes {
    /// Whether any delta file changed.
    #[must_use]
    pub fn touch_delta(&self) -> bool {
        self.delta.values().any(|file| file.change.is_some())
    }

    /// The strays that git ignores, by the rules as they are now, without what is ftl's.
    #[must_use]
    pub fn ignored_strays(&self, tree: &Tree) -> Vec<RelPath> {
        let is_there =
            |stray: &&Stray| stray.change != Change::Created && !is_in_store(&stray.path);
        let strays = self.strays.iter().filter(is_there);
        let strays: Vec<_> = strays.map(|stray| (stray.path.clone(), false)).collect();
        tree.ignored_among(&strays).into_iter().collect()
    }

    /// Whether nothing changed but scratch.
    #[must_use]
    pub fn are_scratch(&self) -> bool {
        let others = self.strays.len() + self.allowed.len() + self.ignored.len();
        !self.touch_delta() && others == 0 && self.more_strays == 0 && self.git.is_empty()
    }
}

/// A delta file, and how it differs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeltaChange {
    /// The file as it is now.
    pub now: PathState,
    /// How it differs from the snapshot, if it does.
    pub change: Option<Change>,
}

/// A change outside the delta.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stray {
    /// The path that changed.
    pub path: RelPath,
    /// How it differs. A path that is another kind of thing now is modified.
    pub change: Change,
}

impl Tree {
    /// What changed since the snapshot.
    ///
    /// # Errors
    /// When the tree cannot be read.
    pub fn compare(&self, before: &Snapshot) -> Result<Changes, TreeError> {
        let (survey, differences) = self.differences(before)?;
        let (allowed, strays): (Vec<_>, Vec<_>) =
            differences.iter().partition(|difference| difference.allowed);
        let scratch = scratch::changed(&survey.scratch, before.scratch());
        let was_unprotected = |path: &RelPath| {
            let before = before.scratch().get(path);
            before.is_some_and(|stamp| stamp.is_unprotected)
        };
        let ignored = scratch.iter().map(|(path, _)| *path);
        Ok(Changes {
            delta: self.delta_since(before)?,
            strays: strays
                .into_iter()
                .map(|stray| Stray { path: stray.path.clone(), change: stray.change() })
                .collect(),
            more_strays: survey.more,
            git: self.git_changes(before),
            allowed: allowed.iter().filter(|at| !at.is_dir()).map(|at| at.path.clone()).collect(),
            ignored: ignored.filter(|path| was_unprotected(path)).cloned().collect(),
            scratch: scratch::list(&self.places, &scratch),
        })
    }

    /// The state of every delta file, compared with the snapshot. The rest of the tree is not looked at.
    ///
    /// # Errors
    /// When a delta file cannot be read.
    pub fn delta_since(
        &self,
        before: &Snapshot,
    ) -> Result<BTreeMap<DeltaPath, DeltaChange>, TreeError> {
        let originals = before.originals();
        let mut delta = BTreeMap::new();
        for (path, now) in self.delta()? {
            let then = originals.get(&path).map_or(&PathState::Nothing, |original| &original.state);
            let change = now.delta_change_from(then);
            delta.insert(path, DeltaChange { now, change });
        }
        Ok(delta)
    }

    /// Whether a delta file differs from the snapshot.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn differs(&self, before: &Snapshot, path: &DeltaPath) -> Result<bool, TreeError> {
        let original = before.originals().get(path);
        let then = original.map_or(&PathState::Nothing, |original| &original.state);
        Ok(self.state(path)?.delta_change_from(then).is_some())
    }
}
