//! Landing: work that was taken over into a copy of the tree, brought into the tree itself.
//!
//! What the copy holds beyond its base is laid out as the upper layer of an overlay over the tree. From there
//! it is classified, merged and taken over as the work of any request is. A path that is another thing in the
//! tree than it was in the base was changed by another process, and is a conflict.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

use ftl_model::DeltaPath;
use rustix::fs::{FileType, Mode};

use super::OverlayWork;
use super::lands::Landing;
use super::lower::State;
use super::scratch::{copy_beside, make_pipe};
use crate::apply::journal::Journal;
use crate::openat::Beneath;
use crate::stamp::EntryType;
use crate::{FileState, RelPath, Snapshot, Strays, Tree, TreeError};

impl Tree {
    /// The delta without `conflicts`, what is allowed and, where strays are only reported, those; of a
    /// request that failed, the delta alone. Scratch comes with a request of which nothing is dropped.
    #[must_use]
    pub fn landing(&self, written: &OverlayWork, conflicts: &BTreeSet<DeltaPath>) -> Landing {
        let delta = written.delta.keys().filter(|path| !conflicts.contains(*path));
        let mut paths: BTreeSet<RelPath> = delta.map(|path| self.label_of(path)).collect();
        let reports = self.settings.strays == Strays::Report;
        if !written.failed {
            paths.extend(written.allowed.keys().cloned());
            paths.extend(written.strays.keys().filter(|_| reports).cloned());
        }
        let met = paths.intersection(&written.changed_by_both).cloned();
        let conflicts = conflicts.iter().map(|path| self.label_of(path));
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
        let upper = &layers.first().expect("because something is always watched").upper;
        let upper = Beneath::open(upper).map_err(TreeError::io("open", upper.as_path()))?;
        for (path, then) in &base {
            let now = copy.state_at(path)?;
            if now != *then {
                copy.lay_out(path, &now, &upper)?;
            }
        }
        let mut work = self.written(&layers, None)?;
        let conflicts = work.conflicts(self, before)?;
        for (path, then) in &base {
            if work.strays.contains_key(path) || work.allowed.contains_key(path) {
                work.expected.insert(path.clone(), then.as_delta());
                if self.state_at(path)? != *then {
                    work.changed_by_both.insert(path.clone());
                }
            }
        }
        Ok((work, conflicts))
    }

    /// What was at each path of the work before it.
    fn base_of(
        &self,
        plans: &[PathBuf],
        before: &Snapshot,
    ) -> Result<BTreeMap<RelPath, State>, TreeError> {
        let delta = before.delta().into_iter();
        let delta = delta.map(|(path, state)| (self.label_of(&path), state_of(&state)));
        let mut base: BTreeMap<RelPath, State> = delta.collect();
        for dir in plans {
            let steps = Journal::load(dir)?.map(|journal| journal.steps).unwrap_or_default();
            for step in steps {
                base.entry(step.path).or_insert(step.before);
            }
        }
        Ok(base)
    }

    /// Writes what is at a path of this copy into an upper layer.
    fn lay_out(&self, label: &RelPath, now: &State, upper: &Beneath) -> Result<(), TreeError> {
        let (from, inner) = self.places.locate(label);
        let written = || -> io::Result<()> {
            for dir in label.ancestors().collect::<Vec<_>>().into_iter().rev() {
                self.lay_out_dir(&dir, upper)?;
            }
            match now {
                State::Dir { .. } => self.lay_out_dir(label, upper),
                State::File { .. } | State::Link { .. } => {
                    match copy_beside(from, &inner, upper, label, false)? {
                        Some(staged) => upper.rename(&staged, label),
                        None => Ok(()),
                    }
                }
                State::Pipe => make_pipe(upper, label, 0o644),
                State::Nothing => whiteout(upper, label),
                // It cannot be brought anywhere, as with any other request.
                State::Special => Ok(()),
            }
        };
        written().map_err(TreeError::io("lay out", from.full(&inner)))
    }

    /// Makes a directory of the upper layer with the mode that it has in this copy.
    pub(crate) fn lay_out_dir(&self, label: &RelPath, upper: &Beneath) -> io::Result<()> {
        if label.is_top() || upper.stamp(label)?.is_some() {
            return Ok(());
        }
        upper.make_dir(label)?;
        let (from, inner) = self.places.locate(label);
        let stamp = from.stamp(&inner)?.filter(|stamp| stamp.kind() == EntryType::Dir);
        upper.set_permissions(label, stamp.map_or(0o755, |stamp| stamp.permissions()))
    }
}

impl OverlayWork {
    /// What was written outside the delta, as people read it.
    #[must_use]
    pub fn outside(&self, tree: &Tree) -> Vec<String> {
        self.strays.keys().chain(self.allowed.keys()).map(|path| tree.shown(path)).collect()
    }
}

/// How overlayfs marks a path that was deleted. Any user may make such a device.
pub(crate) fn whiteout(upper: &Beneath, label: &RelPath) -> io::Result<()> {
    let parent = upper.parent(label)?;
    Ok(rustix::fs::mknodat(parent, label.name(), FileType::CharacterDevice, Mode::empty(), 0)?)
}

fn state_of(file: &FileState) -> State {
    match (file.kind, file.digest) {
        (Some(EntryType::File), Some(sha256)) => {
            State::File { sha256, permissions: file.permissions.unwrap_or(0o644) }
        }
        (None, _) => State::Nothing,
        (Some(_), _) => State::Special,
    }
}
