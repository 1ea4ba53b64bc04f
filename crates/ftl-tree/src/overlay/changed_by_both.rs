//! What changed in the tree while an implementer worked in a view of it: that is a user's work, and is not
//! replaced.
//!
//! Of the delta there is a snapshot. Of other paths nothing was copied when the view was laid, since it is
//! unknown which ones an implementer will write. There the kernel's change time decides, which no program can
//! set.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::thread;
use std::time::Duration;

use ftl_model::DeltaPath;

use super::{OverlayWork, Passing};
use crate::compare::contents::same_bytes;
use crate::stamp::{EntryType, SECOND};
use crate::{PathState, RelPath, Snapshot, Tree, TreeError};

/// The kernel's clock ticks at least a hundred times a second.
const TICKS: usize = 100;

impl Passing {
    /// Says that from now on every change in the tree is a user's. `place` is a directory of the run. Waits for
    /// the next tick of the clock that files are stamped by, so that no earlier change has the same time.
    ///
    /// # Errors
    /// When nothing can be written in `place`.
    pub fn begin(&mut self, place: &Path) -> Result<(), TreeError> {
        let path = place.join("clock");
        let failed = TreeError::io("write", &path);
        let tick = || -> io::Result<i64> {
            let first = time_of_new(&path)?;
            for _ in 0..TICKS {
                let now = time_of_new(&path)?;
                if now > first {
                    return Ok(now);
                }
                thread::sleep(Duration::from_millis(1));
            }
            Ok(first)
        };
        self.since = Some(tick().map_err(failed)?);
        Ok(())
    }
}

fn time_of_new(path: &Path) -> io::Result<i64> {
    let file = File::create(path)?;
    let found = file.metadata()?;
    fs::remove_file(path)?;
    Ok(found.ctime().saturating_mul(SECOND).saturating_add(found.ctime_nsec()))
}

impl Tree {
    /// The paths outside the delta that both the implementer and a user changed. Of these, files that the
    /// implementer only wrote again as git has them are dropped from its work.
    pub(crate) fn find_changed_by_both(&self, written: &mut OverlayWork) -> Result<(), TreeError> {
        let paths: Vec<RelPath> =
            written.strays.keys().chain(written.allowed.keys()).cloned().collect();
        for path in paths {
            if !self.is_newer(&path, written.since)? {
                continue;
            }
            if self.is_as_tracked(written, &path)? {
                written.strays.remove(&path);
                written.allowed.remove(&path);
            } else {
                written.changed_by_both.insert(path);
            }
        }
        Ok(())
    }

    fn is_newer(&self, path: &RelPath, since: Option<i64>) -> Result<bool, TreeError> {
        let found = self.at(path).found()?;
        let changed = found.filter(|stamp| !stamp.is_dir()).map(|stamp| stamp.changed);
        Ok(changed.zip(since).is_some_and(|(changed, since)| changed >= since))
    }

    /// Whether the implementer's version is the one in git's index.
    fn is_as_tracked(&self, written: &OverlayWork, path: &RelPath) -> Result<bool, TreeError> {
        let Some(git) = &self.places.git else {
            return Ok(false);
        };
        let index = git.index()?;
        let Some(tracked) = index.files.get(path) else {
            return Ok(false);
        };
        let place = written.uppers.at(path);
        let mut same = false;
        git.each_content(&[&tracked.object], &mut |_, content| {
            if let (Some(content), Ok(Some(EntryType::File))) = (content, place.kind()) {
                let opened = place.owned_file();
                let compared = opened.and_then(|mut file| same_bytes(&mut file, content.bytes));
                same = compared.map_err(place.failed("read"))?;
            }
            Ok(())
        })?;
        Ok(same)
    }

    /// Whether a path is as it was when the view was laid, given what is there now.
    pub(crate) fn is_as_laid(
        &self,
        written: &OverlayWork,
        path: &RelPath,
        now: &PathState,
    ) -> Result<bool, TreeError> {
        match written.expected.get(path) {
            Some(expected) => Ok(now == expected),
            None => Ok(!self.is_newer(path, written.since)?),
        }
    }
}

impl OverlayWork {
    /// Delta files that the implementer changed and a user did too: they differ from the snapshot, in the tree,
    /// by other bytes than the implementer's. Files that the implementer left as they were are dropped from its
    /// work.
    ///
    /// # Errors
    /// When a delta file can't be read.
    pub fn conflicts(
        &mut self,
        tree: &Tree,
        before: &Snapshot,
    ) -> Result<BTreeSet<DeltaPath>, TreeError> {
        let mut conflicts = BTreeSet::new();
        let original = before.delta();
        for (path, file) in tree.delta_since(before)? {
            let then = original.get(&path).cloned().unwrap_or_default();
            if self.delta.get(&path).is_some_and(|state| *state == then) {
                self.delta.remove(&path);
            }
            let wrote = self.delta.contains_key(&path) || self.cut.contains(&path);
            if wrote && file.change.is_some() {
                conflicts.insert(path.clone());
            }
            self.expected.insert(tree.places.of_delta(&path), then);
        }
        Ok(conflicts)
    }
}
