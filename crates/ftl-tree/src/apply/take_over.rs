//! Taking what an implementer wrote over into the tree, and undoing that where it was cut short.
//!
//! The plan is durable first, with what is there now. A path that changed in the tree since the view was laid is left
//! alone.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::Path;

use ftl_model::{Change as Kind, DeltaPath};

use super::{Apply, Change, Journal};
use crate::openat::copying::fill;
use crate::overlay::lands::Landing;
use crate::overlay::upper::Held;
use crate::overlay::written::OverlayWork;
use crate::{PathState, RelPath, Snapshot, Tree, TreeError};

/// The result of a take-over, or of undoing one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TakenOver {
    /// Paths that another process changed in between and that were left alone.
    pub left: BTreeSet<RelPath>,
    /// Scratch that could not be taken over, and why.
    pub missed: Vec<String>,
}

impl TakenOver {
    /// The paths that were left alone, as people read them.
    #[must_use]
    pub fn left_text(&self, tree: &Tree) -> Vec<String> {
        self.left.iter().map(|path| tree.shown(path)).collect()
    }
}

impl Tree {
    /// Brings what lands into the tree. The plan is kept in `dir`.
    ///
    /// # Errors
    /// When the file system refuses; [`undo_take_over`](Self::undo_take_over) puts back what was done.
    pub fn take_over(
        &self,
        written: &OverlayWork,
        landing: &Landing,
        dir: &Path,
    ) -> Result<TakenOver, TreeError> {
        let mut done = TakenOver::default();
        let wanted = self.planned(written, landing)?;
        if !wanted.is_empty() {
            let to = |label: &RelPath| self.at(label);
            let is_expected = |path: &RelPath, now: &PathState| self.is_as_laid(written, path, now);
            let (mut journal, left) = Journal::prepare(&to, dir, wanted, &is_expected)?;
            if landing.scratch && left.is_empty() {
                journal.scratch.extend(written.scratch.iter().cloned());
            }
            let journal = journal.store()?;
            let fill = |change: &Change, file: &mut File| {
                fill(&mut written.uppers.at(&change.path).owned_file()?, file)
            };
            done.left = Apply { to: &to, fill: &fill, durable: true }.run(&journal.changes)?;
            done.left.extend(left);
        }
        let lands = landing.scratch && done.left.is_empty();
        let scratch = written.scratch.iter().filter(|_| lands);
        done.missed = self.take_scratch(&written.uppers, scratch);
        Ok(done)
    }

    fn planned(
        &self,
        written: &OverlayWork,
        landing: &Landing,
    ) -> Result<Vec<(RelPath, PathState)>, TreeError> {
        let mut wanted = BTreeMap::new();
        for (path, state) in &written.delta {
            wanted.insert(self.places.of_delta(path), state.clone());
        }
        for (path, difference) in written.allowed.iter().chain(&written.strays) {
            if !landing.paths.contains(path) {
                continue;
            }
            let entry = written.contents.entries.get(path);
            let state = match (difference.change(), entry) {
                (Kind::Deleted, _) | (_, None) => PathState::Nothing,
                (_, Some(entry)) => written.uppers.state(path, entry)?,
            };
            wanted.insert(path.clone(), state);
        }
        // A socket or device can't be brought anywhere, and is a failure all the same.
        wanted.retain(|path, state| landing.paths.contains(path) && *state != PathState::Special);
        self.add_parents(written, &mut wanted)?;
        Ok(wanted.into_iter().collect())
    }

    /// Directories that are missing above what comes.
    fn add_parents(
        &self,
        written: &OverlayWork,
        wanted: &mut BTreeMap<RelPath, PathState>,
    ) -> Result<(), TreeError> {
        let come = wanted.iter().filter(|(_, state)| !state.is_nothing());
        let parents: BTreeSet<RelPath> = come.flat_map(|(path, _)| path.ancestors()).collect();
        for dir in parents {
            if wanted.contains_key(&dir) || !self.state_at(&dir)?.is_nothing() {
                continue;
            }
            let entry = written.contents.entries.get(&dir);
            let permissions = match entry.filter(|entry| matches!(entry.held, Held::Dir { .. })) {
                Some(entry) => entry.stamp.permissions(),
                // It was there when the implementer wrote below it.
                None => 0o755,
            };
            wanted.insert(dir, PathState::Dir { permissions });
        }
        Ok(())
    }

    /// Undoes a take-over whose plan is in `dir`: what it made of a path is what was there before. A
    /// path that is neither as before nor as planned was changed since, and is left alone. Can be
    /// repeated.
    ///
    /// # Errors
    /// When the file system refuses, or the plan can't be read.
    pub fn undo_take_over(&self, dir: &Path) -> Result<TakenOver, TreeError> {
        let left = match Journal::load(dir)? {
            Some(journal) => journal.undo(&|label| self.at(label))?,
            None => BTreeSet::new(),
        };
        Ok(TakenOver { left, missed: Vec::new() })
    }

    /// The delta files that are not what the take-over whose plan is in `dir` made of them: another process changed
    /// them since.
    ///
    /// # Errors
    /// When a file or the plan can't be read.
    pub fn changed_since_take_over(
        &self,
        before: &Snapshot,
        dir: &Path,
    ) -> Result<BTreeSet<DeltaPath>, TreeError> {
        let changes = Journal::load(dir)?.map(|journal| journal.changes).unwrap_or_default();
        let mut changed = BTreeSet::new();
        for path in before.originals().keys() {
            let label = self.places.of_delta(path);
            let change = changes.iter().find(|change| change.path == label);
            let now = self.state_at(&label)?;
            if !change.is_some_and(|change| change.made(&now)) {
                changed.insert(path.clone());
            }
        }
        Ok(changed)
    }
}
