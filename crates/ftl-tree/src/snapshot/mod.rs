//! A snapshot, as it is read. Taking one, and reading it after a crash, is in `capture`; comparing is in
//! `compare`, putting back in `apply::put_back`.

pub(crate) mod capture;
mod clean;
mod copying;
mod delta_only;
pub(crate) mod entry;
pub(crate) mod manifest;
pub(crate) mod pack;
mod repositories;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use ftl_model::DeltaPath;

use crate::git::state::GitState;
use crate::snapshot::entry::{Original, SnapshotEntry};
use crate::snapshot::manifest::{Manifest, store};
use crate::snapshot::pack::{Copied, Pack};
use crate::stamp::Stamp;
use crate::walk::Former;
use crate::walk::deciding::PathStatus;
use crate::walk::scratch::ScratchStamp;
use crate::{PathState, RelPath, TreeError};

/// How the tree was: enough to find every change since, and to put it back.
#[derive(Debug)]
pub struct Snapshot {
    pub(crate) dir: PathBuf,
    pub(crate) manifest: Manifest,
    pub(crate) pack: Pack,
}

impl Snapshot {
    /// What the user should know: files that are watched, but cannot be put back, and directories
    /// that cannot be looked into.
    #[must_use]
    pub fn warnings(&self) -> &[String] {
        &self.manifest.warnings
    }

    /// The delta as it was.
    #[must_use]
    pub fn delta(&self) -> BTreeMap<DeltaPath, PathState> {
        let originals = self.manifest.delta.iter();
        originals.map(|(path, original)| (path.clone(), original.state.clone())).collect()
    }

    /// The bytes of a delta file as they were; `None` when there were none.
    ///
    /// # Errors
    /// When the copy cannot be read.
    pub fn read(&self, path: &DeltaPath) -> Result<Option<Vec<u8>>, TreeError> {
        let original = self.manifest.delta.get(path);
        let Some(copy) = original.and_then(|original| original.copy.as_ref()) else {
            return Ok(None);
        };
        self.copied(copy).map(Some)
    }

    /// Whether it is known how this file was.
    #[must_use]
    pub fn knows(&self, path: &DeltaPath) -> bool {
        self.manifest.delta.contains_key(path)
    }

    /// How long a delta file was; `None` when there was none.
    #[must_use]
    pub fn len(&self, path: &DeltaPath) -> Option<u64> {
        let original = self.manifest.delta.get(path)?;
        original.copy.as_ref().map(|copy| copy.len)
    }

    /// A copy in memory, which is what was copied: anything else is an error.
    fn copied(&self, copy: &Copied) -> Result<Vec<u8>, TreeError> {
        let mut bytes = Vec::new();
        self.pack.copy_to(copy, &mut bytes).map(|()| bytes).map_err(|error| match error.kind() {
            io::ErrorKind::InvalidData => {
                TreeError::Damaged { dir: self.dir.clone(), reason: error.to_string() }
            }
            _ => TreeError::io("read", self.pack.path())(error),
        })
    }

    pub(crate) fn open_copy(&self, copy: &Copied) -> io::Result<impl Read> {
        self.pack.open(copy)
    }

    pub(crate) fn entries(&self) -> &BTreeMap<RelPath, SnapshotEntry> {
        &self.manifest.entries
    }

    pub(crate) fn held(&self) -> &[RelPath] {
        &self.manifest.repositories
    }

    pub(crate) fn dir(&self) -> &Path {
        &self.dir
    }

    pub(crate) fn git_state(&self) -> Option<&GitState> {
        self.manifest.git.as_ref()
    }

    pub(crate) fn originals(&self) -> &BTreeMap<DeltaPath, Original> {
        &self.manifest.delta
    }

    pub(crate) fn scratch(&self) -> &BTreeMap<RelPath, ScratchStamp> {
        &self.manifest.scratch
    }

    pub(crate) fn former(&self) -> Former<'_> {
        Former {
            rules: &self.manifest.rules,
            scratch: &self.manifest.scratch,
            owns_git_dir: self.manifest.owns_git_dir,
            unchanged: None,
        }
    }

    pub(crate) fn unreadable(&self) -> &BTreeSet<RelPath> {
        &self.manifest.unreadable
    }

    /// Whether an equal stamp shows that nothing changed since.
    pub(crate) fn settled(&self, stamp: &Stamp) -> bool {
        stamp.settled_at(self.manifest.taken)
    }

    pub(crate) fn status(&self, path: &RelPath) -> PathStatus {
        if self.manifest.entries.contains_key(path) {
            PathStatus::Known
        } else if self.manifest.scratch.contains_key(path) {
            PathStatus::Scratch
        } else {
            PathStatus::New
        }
    }

    pub(crate) fn store(self) -> Result<Self, TreeError> {
        store(&self.dir, &self.manifest, &self.pack)?;
        Ok(self)
    }
}
