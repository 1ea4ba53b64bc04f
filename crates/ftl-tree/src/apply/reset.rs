//! The delta of a task that is over, put back for the next one.
//!
//! No later step looks at it again should ftl be killed in the middle. So what is there is copied first, and each
//! file is replaced by one rename: at every instant a path holds what it held before the task, or what the
//! task made of it.

use std::collections::BTreeSet;
use std::fs::File;
use std::io;
use std::path::Path;

use ftl_model::DeltaPath;

use super::{Apply, Change};
use crate::compare::delta::Opened;
use crate::openat::{Attributes, Beneath, Rights};
use crate::snapshot::Snapshot;
use crate::snapshot::entry::Original;
use crate::stamp::Ids;
use crate::{PathState, RelPath, Tree, TreeError};

/// How often a file is put back that another process goes on changing.
const TRIES: u32 = 100;

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
            // The user may save the file at any moment: then that version is kept instead.
            for is_last in (1..=TRIES).map(|tried| tried == TRIES) {
                let now = self.state(path)?;
                if now.delta_change_from(&original.state).is_none() {
                    break;
                }
                if now.is_odd() || original.state.is_odd() {
                    odd.insert(path.clone());
                    break;
                }
                let was_there = !now.is_nothing();
                if was_there {
                    self.keep_apart(path, dir)?;
                }
                if self.put_original(before, path, original, now, is_last)? {
                    let reset = if was_there { &mut done.kept } else { &mut done.deleted };
                    reset.push(path.clone());
                    break;
                }
            }
        }
        self.reset_only(before, dir, &odd)?;
        self.dress_kept(dir);
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

    /// Copies a delta file, durably. A task may be blocked, and put back, more than once.
    fn keep_apart(&self, path: &DeltaPath, dir: &Path) -> Result<(), TreeError> {
        let Opened::File(mut file, stamp) = self.open_delta(path)? else {
            return Ok(());
        };
        let mut copy = || {
            let attributes = Attributes::of(&file)?;
            let ids = Ids::of(&rustix::fs::fstat(&file)?);
            let permissions = stamp.permissions();
            let rights = Rights { permissions, ids: Some(ids), attributes: &attributes };
            let kept = Beneath::make(dir)?;
            let label = RelPath::new(path.as_str());
            kept.at(&label).write_whole(&mut file, Some(rights))
        };
        copy().map_err(TreeError::io("copy", path.as_path()))
    }

    /// `false` if another process changed the file at the same time, which is an error where it `must` be put back.
    fn put_original(
        &self,
        before: &Snapshot,
        path: &DeltaPath,
        original: &Original,
        now: PathState,
        must: bool,
    ) -> Result<bool, TreeError> {
        let at = self.at(&self.places.of_delta(path));
        let failed = at.failed("put back");
        let fill = |_: &Change, file: &mut File| {
            let copied = original.copy.as_ref().ok_or(io::ErrorKind::NotFound)?;
            io::copy(&mut before.open_copy(copied)?, file)?;
            let rights = Rights {
                permissions: original.state.permissions().unwrap_or(0o644),
                ids: Some(original.ids),
                attributes: &original.attributes,
            };
            rights.give(file)
        };
        let change = Change::new(self.places.of_delta(path), now, original.state.clone());
        if !change.after.is_nothing() {
            at.make_parents().map_err(at.failed("put back"))?;
        }
        let apply = Apply { to: &|label| self.at(label), fill: &fill, durable: true };
        let is_put = apply.run(&[change])?.is_empty();
        match is_put || !must {
            true => Ok(is_put),
            false => Err(failed(io::Error::other("it changed at the same time"))),
        }
    }
}
