//! What an implementer wrote in the view, classified: the delta, what is allowed, strays, scratch, and
//! the changes of git's references.
//!
//! Strays are in `strays`, references in `references`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use ftl_model::{Change, DeltaPath, Scratch};

use super::lands::Landing;
use super::references::Moved;
use super::upper::{self, Contents, Reached, Uppers};
use super::{OverlayLayer, Passing};
use crate::compare::classify::Difference;
use crate::compare::{Changes, DeltaChange, Stray};
use crate::git::state::GitChanges;
use crate::stamp::{EntryType, Stamp};
use crate::{PathState, RelPath, Snapshot, Tree, TreeError};

/// What differs, by path.
pub(crate) type Differences = BTreeMap<RelPath, Difference<Stamp>>;

/// What an implementer wrote.
#[derive(Debug)]
pub struct OverlayWork {
    pub(crate) uppers: Uppers,
    pub(crate) contents: Contents,
    /// Delta files that are no more as in the tree.
    pub(crate) delta: BTreeMap<DeltaPath, PathState>,
    /// Delta files that can't be reached: a directory above is none any more.
    pub(crate) cut: BTreeSet<DeltaPath>,
    pub(crate) strays: Differences,
    pub(crate) allowed: Differences,
    /// Topmost.
    pub(crate) scratch: BTreeSet<RelPath>,
    /// What it did to git's references.
    pub(crate) moved: Moved,
    /// What passed through and looks another way now.
    pub(crate) passed: BTreeMap<RelPath, u64>,
    /// What the caller keeps for itself and looks after.
    pub(crate) own: BTreeSet<RelPath>,
    /// When the view was laid.
    pub(crate) since: Option<i64>,
    /// Paths outside the delta that changed in the tree too, since then.
    pub(crate) changed_by_both: BTreeSet<RelPath>,
    /// The delta when the view was laid.
    pub(crate) expected: BTreeMap<RelPath, PathState>,
    /// Whether the request failed, so that of its work the delta alone comes into the tree.
    pub(crate) failed: bool,
}

impl Tree {
    /// What the implementer wrote into these layers, which must not be mounted any more.
    ///
    /// # Errors
    /// When they or the tree can't be read.
    pub fn written(
        &self,
        layers: &[OverlayLayer],
        passing: Option<&Passing>,
    ) -> Result<OverlayWork, TreeError> {
        let uppers = Uppers::open(layers)?;
        let contents = uppers.contents(self)?;
        let mut written = OverlayWork {
            uppers,
            contents,
            delta: BTreeMap::new(),
            cut: BTreeSet::new(),
            strays: Differences::new(),
            allowed: Differences::new(),
            scratch: BTreeSet::new(),
            moved: Moved::default(),
            passed: BTreeMap::new(),
            own: BTreeSet::new(),
            since: passing.and_then(|passing| passing.since),
            changed_by_both: BTreeSet::new(),
            expected: BTreeMap::new(),
            failed: false,
        };
        written.scratch = std::mem::take(&mut written.contents.scratch);
        written.passed = self.changed_since(passing);
        self.set_ignored_aside(&mut written)?;
        self.find_delta(&mut written)?;
        self.find_strays(&mut written)?;
        written.moved = self.find_moved(&written.uppers, &written.contents)?;
        self.find_changed_by_both(&mut written)?;
        Ok(written)
    }

    /// Keeps the commits that the implementer made in reach of the repository, below a reference that is
    /// returned: nothing where it made none. `dir` is where the request's snapshot is.
    ///
    /// # Errors
    /// When the layers can't be read, or git refuses.
    pub fn keep_commits(
        &self,
        written: &OverlayWork,
        dir: &Path,
    ) -> Result<Option<String>, TreeError> {
        self.keep_moved(&written.moved, &written.uppers, dir)
    }

    fn changed_since(&self, passing: Option<&Passing>) -> BTreeMap<RelPath, u64> {
        let Some(passing) = passing else {
            return BTreeMap::new();
        };
        // Pipes and sockets are no scratch.
        let is_dir =
            |path: &&RelPath| self.kind_at(path).is_ok_and(|kind| kind == Some(EntryType::Dir));
        let paths: Vec<RelPath> = passing.looks.keys().filter(is_dir).cloned().collect();
        let now = self.looks(&paths, Some(passing)).into_iter();
        now.filter(|(path, look)| passing.looks.get(path) != Some(look))
            .map(|(path, look)| (path, u64::from(look.files)))
            .collect()
    }

    fn find_delta(&self, written: &mut OverlayWork) -> Result<(), TreeError> {
        for path in &self.delta {
            let label = self.places.of_delta(path);
            let state = match written.contents.reach(&label) {
                Reached::Untouched => continue,
                Reached::Cut => {
                    written.cut.insert(path.clone());
                    continue;
                }
                Reached::Gone => PathState::Nothing,
                Reached::Held(entry) => written.uppers.state(&label, &entry)?,
            };
            if state != self.state_at(&label)? {
                written.delta.insert(path.clone(), state);
            }
        }
        Ok(())
    }
}

impl OverlayWork {
    /// Says whether the request failed. One that leaves something in the place of a delta file that is not
    /// a regular file has failed too. What it was allowed to change is a stray then.
    pub fn fail(&mut self, failed: bool) {
        self.failed = failed || !self.cut.is_empty();
        self.failed |= self.delta.values().any(|state| state.is_odd());
        if self.failed {
            // Directories on the way to what was allowed are none.
            self.allowed.retain(|_, difference| !difference.is_dir());
            self.strays.append(&mut self.allowed);
        }
    }

    /// As a comparison with a snapshot of the delta gives it, once everything is taken over.
    ///
    /// # Errors
    /// When a delta file can't be read.
    pub fn changes(
        &self,
        tree: &Tree,
        before: &Snapshot,
        landing: &Landing,
    ) -> Result<Changes, TreeError> {
        let mut delta = tree.delta_since(before)?;
        for (path, state) in &self.delta {
            let then = before.delta().remove(path).unwrap_or_default();
            let change = state.delta_change_from(&then);
            delta.insert(path.clone(), DeltaChange { now: state.clone(), change });
        }
        for path in &self.cut {
            let now = PathState::Special;
            let change = Some(Change::Modified);
            delta.insert(path.clone(), DeltaChange { now, change });
        }
        Ok(Changes {
            delta,
            strays: self
                .strays
                .values()
                .map(|stray| Stray { path: stray.path.clone(), change: stray.change() })
                .collect(),
            more_strays: 0,
            git: GitChanges::default(),
            allowed: self.allowed_files().cloned().collect(),
            ignored: Vec::new(),
            scratch: self.scratch_list(tree, landing),
        })
    }

    /// What changed and may, without the directories on the way.
    pub(crate) fn allowed_files(&self) -> impl Iterator<Item = &RelPath> {
        let files = self.allowed.iter().filter(|(_, difference)| !difference.is_dir());
        files.map(|(path, _)| path)
    }

    fn scratch_list(&self, tree: &Tree, landing: &Landing) -> Vec<Scratch> {
        let mut counts = self.passed.clone();
        for path in self.scratch.iter().filter(|_| landing.scratch) {
            counts.insert(path.clone(), self.count(path));
        }
        let listed = counts.into_iter().take(100);
        listed.map(|(path, files)| Scratch { path: tree.shown(&path), files }).collect()
    }

    fn count(&self, path: &RelPath) -> u64 {
        upper::list(&self.uppers.at(path)).map_or(1, |entries| entries.len().max(1) as u64)
    }

    /// What the implementer wrote, in the view alone, of what the caller keeps for itself: topmost paths.
    #[must_use]
    pub fn own(&self, tree: &Tree) -> Vec<String> {
        let topmost = self.own.iter().filter(|path| !path.is_below_any(&self.own));
        topmost.map(|path| tree.shown(path)).collect()
    }

    /// Branches and other references of git that the implementer moved, in the view alone.
    #[must_use]
    pub fn references(&self) -> Vec<String> {
        self.moved.described()
    }

    /// Whether nothing was written but what may vanish.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.delta.is_empty() && self.strays.is_empty() && self.allowed.is_empty()
    }
}
