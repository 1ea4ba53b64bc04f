//! Landing: work that was taken over into a copy of the tree, brought into the tree itself.
//!
//! What the copy holds beyond its base is laid out as the upper layer of an overlay over the tree. From there
//! it is classified, merged and taken over as the work of any request is. A path that is another thing in the
//! tree than it was in the base was changed by another process, and is a conflict.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

use ftl_model::DeltaPath;
use rustix::fs::FileType;

use super::OverlayWork;
use super::lands::Landing;
use super::laying::{Laying, whiteout};
use crate::apply::Journal;
use crate::openat::{At, Room};
use crate::slot::outputs::is_dependency;
use crate::{PathState, RelPath, Snapshot, Strays, Tree, TreeError};

/// New ignored files that come along, in all.
const KEPT: Room = Room { files: 50_000, bytes: 1 << 30, of: "a landing takes" };

impl Tree {
    /// The delta without `conflicts`, what is allowed and, where strays are only reported, those; of a
    /// request that failed, the delta alone. Scratch comes with a request of which nothing is dropped.
    #[must_use]
    pub fn landing(&self, written: &OverlayWork, conflicts: &BTreeSet<DeltaPath>) -> Landing {
        let delta = written.delta.keys().filter(|path| !conflicts.contains(*path));
        let mut paths: BTreeSet<RelPath> = delta.map(|path| self.places.of_delta(path)).collect();
        let reports = self.settings.strays == Strays::Report;
        if !written.failed {
            paths.extend(written.allowed.keys().cloned());
            paths.extend(written.strays.keys().filter(|_| reports).cloned());
        }
        let met = paths.intersection(&written.changed_by_both).cloned();
        let conflicts = conflicts.iter().map(|path| self.places.of_delta(path));
        let conflicts: BTreeSet<RelPath> = met.chain(conflicts).collect();
        paths.retain(|path| !conflicts.contains(path));
        let drops =
            written.failed || !conflicts.is_empty() || !(written.strays.is_empty() || reports);
        Landing { paths, conflicts, scratch: !drops }
    }

    /// The work that `copy`, a copy of this tree, holds: that of the take-overs whose plans are in `plans`, in
    /// this order, and of its delta since `before`. Also returns the delta files that changed in this tree
    /// too. `place` is private, and takes the layers.
    ///
    /// # Errors
    /// When a path cannot be read, or the layers cannot be written.
    pub fn work_of_copy(
        &self,
        copy: &Self,
        plans: &[PathBuf],
        before: &Snapshot,
        place: &Path,
    ) -> Result<(OverlayWork, BTreeSet<DeltaPath>), TreeError> {
        let base = copy.base_of(plans, before)?;
        let layers = self.make_layers(place)?;
        let laying = Laying::new(copy, &layers)?;
        for (path, then) in &base {
            let now = copy.state_at(path)?;
            if now != *then {
                let from = copy.at(path);
                lay_out(&laying, &from, &now).map_err(from.failed("lay out"))?;
            }
        }
        let mut room = KEPT;
        for path in copy.kept_scratch(plans)? {
            // The user's own version stays.
            if self.kind_at(&path)?.is_none() {
                let from = copy.at(&path);
                let to = laying.place(&path).map_err(from.failed("lay out"))?;
                from.copy_all(&to, &mut room, None).map_err(from.failed("lay out"))?;
            }
        }
        let mut work = self.written(&layers, None)?;
        let conflicts = work.conflicts(self, before)?;
        for (path, then) in &base {
            if work.strays.contains_key(path) || work.allowed.contains_key(path) {
                work.expected.insert(path.clone(), then.clone());
                if self.state_at(path)? != *then {
                    work.changed_by_both.insert(path.clone());
                }
            }
        }
        Ok((work, conflicts))
    }

    /// New ignored files of the take-overs of these plans. Build outputs and dependencies belong to this copy.
    fn kept_scratch(&self, plans: &[PathBuf]) -> Result<BTreeSet<RelPath>, TreeError> {
        let is_output = |path: &RelPath| {
            self.is_scratch_by_name(path, true) || self.is_cache_if_ignored(path, true)
        };
        let mut kept = BTreeSet::new();
        for dir in plans {
            let scratch = Journal::load(dir)?.map(|journal| journal.scratch).unwrap_or_default();
            kept.extend(scratch.into_iter().filter(|path| {
                let mut dirs = path.ancestors();
                !is_output(path) && !dirs.any(|dir| is_output(&dir)) && !is_dependency(path)
            }));
        }
        Ok(kept)
    }

    /// What was at each path of the work before it.
    fn base_of(
        &self,
        plans: &[PathBuf],
        before: &Snapshot,
    ) -> Result<BTreeMap<RelPath, PathState>, TreeError> {
        let delta = before.delta().into_iter();
        let mut base: BTreeMap<RelPath, PathState> =
            delta.map(|(path, state)| (self.places.of_delta(&path), state)).collect();
        for dir in plans {
            let changes = Journal::load(dir)?.map(|journal| journal.changes).unwrap_or_default();
            for change in changes {
                base.entry(change.path).or_insert(change.before);
            }
        }
        Ok(base)
    }
}

/// Writes what is at a path of a copy into an upper layer.
fn lay_out(laying: &Laying<'_>, from: &At<'_>, now: &PathState) -> io::Result<()> {
    let to = laying.place(&from.path)?;
    match now {
        PathState::Dir { .. } => laying.dir(&from.path),
        PathState::File { .. } | PathState::Link { .. } => from.copy_to(&to).map(drop),
        PathState::Pipe { permissions } => to.make_node(FileType::Fifo, *permissions),
        PathState::Nothing => whiteout(&to),
        // It cannot be brought anywhere, as with any other request.
        PathState::Special => Ok(()),
    }
}

impl OverlayWork {
    /// What was written outside the delta, as people read it.
    #[must_use]
    pub fn outside(&self, tree: &Tree) -> Vec<String> {
        self.strays.keys().chain(self.allowed_files()).map(|path| tree.shown(path)).collect()
    }
}
