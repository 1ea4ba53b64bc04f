//! The delta of a task that is over, put back for the next one.
//!
//! No later step looks at it again should ftl be killed in the middle. So what is there is copied first, and each
//! file is replaced by one rename: at every instant a path holds what it held before the task, or what the
//! task made of it.

use std::collections::BTreeSet;
use std::io;
use std::path::Path;

use ftl_model::DeltaPath;

use crate::compare::delta::Opened;
use crate::openat::{Attributes, Beneath, Rights};
use crate::snapshot::Snapshot;
use crate::snapshot::entry::Original;
use crate::stamp::Ids;
use crate::{RelPath, Tree, TreeError};

/// What became of a delta that was put back.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeltaReset {
    /// The paths whose files were copied, and lie below the directory by these paths.
    pub kept: Vec<DeltaPath>,
    /// The paths where nothing was, and something is again.
    pub deleted: Vec<DeltaPath>,
}

impl DeltaReset {
    /// Whether nothing differed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty() && self.deleted.is_empty()
    }
}

impl Tree {
    /// Makes the delta files that are meant what they were at the snapshot. What was there instead is kept in `dir`.
    ///
    /// # Errors
    /// When a file cannot be read, kept or put back. What was put back so far stays so.
    pub fn reset_delta(
        &self,
        before: &Snapshot,
        dir: &Path,
        is_meant: impl Fn(&DeltaPath) -> bool,
    ) -> Result<DeltaReset, TreeError> {
        let mut done = DeltaReset::default();
        let mut odd = BTreeSet::new();
        let originals = before.originals();
        for (path, original) in originals.iter().filter(|(path, _)| is_meant(path)) {
            let now = self.state(path)?;
            if now.change_from(&original.state).is_none() {
                continue;
            }
            if now.is_odd() || original.state.is_odd() {
                odd.insert(path.clone());
                continue;
            }
            match now.kind {
                Some(_) => {
                    self.keep_apart(path, dir)?;
                    done.kept.push(path.clone());
                }
                None => done.deleted.push(path.clone()),
            }
            self.put_original(before, path, original)?;
        }
        self.reset_only(before, dir, &odd)?;
        done.kept.extend(odd);
        Ok(done)
    }

    /// Makes delta files that are no regular files now, and were regular ones or none at the snapshot, what they
    /// were. What was there instead is moved to `dir`. Returns their paths.
    ///
    /// # Errors
    /// As [`reset_delta`](Self::reset_delta).
    pub fn reset_odd(&self, before: &Snapshot, dir: &Path) -> Result<Vec<DeltaPath>, TreeError> {
        let mut odd = BTreeSet::new();
        for (path, original) in before.originals() {
            if self.state(path)?.is_odd() && !original.state.is_odd() {
                odd.insert(path.clone());
            }
        }
        self.reset_only(before, dir, &odd)?;
        Ok(odd.into_iter().collect())
    }

    fn reset_only(
        &self,
        before: &Snapshot,
        dir: &Path,
        paths: &BTreeSet<DeltaPath>,
    ) -> Result<(), TreeError> {
        if paths.is_empty() {
            return Ok(());
        }
        let rest = before.originals().keys().filter(|path| !paths.contains(*path));
        self.restore_delta(before, dir, &rest.cloned().collect()).map(drop)
    }

    /// Copies a delta file, durably.
    fn keep_apart(&self, path: &DeltaPath, dir: &Path) -> Result<(), TreeError> {
        let Opened::File(mut file, permissions) = self.open_delta(path)? else {
            return Ok(());
        };
        let failed = TreeError::io("copy", path.as_path());
        let place = RelPath::new(path.as_str());
        let mut copy = || {
            let attributes = Attributes::of(&file)?;
            let ids = Ids::of(&rustix::fs::fstat(&file)?);
            let rights = Rights { permissions, ids: Some(ids), attributes: &attributes };
            let kept = Beneath::make(dir)?;
            kept.make_parents(&place)?;
            // A task may be blocked, and put back, more than once.
            remove_if_there(&kept, &place)?;
            kept.make_file(&place, &mut file, Some(rights))?.sync_all()?;
            kept.sync_dir(&place.split().0)
        };
        copy().map_err(failed)
    }

    fn put_original(
        &self,
        before: &Snapshot,
        path: &DeltaPath,
        original: &Original,
    ) -> Result<(), TreeError> {
        let Some(copied) = &original.copy else {
            return self.remove(path);
        };
        let (top, place) = (&self.places.top, self.places.of_delta(path));
        let make = || {
            top.make_parents(&place)?;
            let (parent, name) = place.split();
            let new = parent.join(&[b".", name, b".ftl-new"].concat());
            remove_if_there(top, &new)?;
            let rights = Rights {
                permissions: original.state.permissions.unwrap_or(0o644),
                ids: Some(original.ids),
                attributes: &original.attributes,
            };
            let mut bytes = before.open_copy(copied)?;
            top.make_file(&new, &mut bytes, Some(rights))?.sync_all()?;
            top.rename(&new, &place)?;
            top.sync_dir(&parent)
        };
        make().map_err(TreeError::io("put back", top.full(&place)))
    }
}

fn remove_if_there(place: &Beneath, path: &RelPath) -> io::Result<()> {
    match place.remove(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}
