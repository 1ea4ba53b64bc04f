//! Delta files: their state, their bytes, and writing them whole.
//!
//! Only regular files count as content. A directory, link or device in place of a delta file is a
//! separate state, never read and never written through: a link could lead anywhere, and writing a
//! delta file must not change another file.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, Read};

use ftl_model::DeltaPath;
use serde::{Deserialize, Serialize};

use crate::digest::digest_of;
use crate::openat::{Attributes, Rights};
use crate::stamp::EntryType;
use crate::{RelPath, Tree, TreeError};
use ftl_model::{Change, Digest};

/// The delta, as paths of the tree.
#[derive(Debug)]
pub(crate) struct Delta {
    pub(crate) files: BTreeSet<RelPath>,
    /// The directories above them.
    pub(crate) parents: BTreeSet<RelPath>,
}

impl Delta {
    pub(crate) fn of(tree: &Tree) -> Self {
        let files = tree.delta_paths();
        Self { parents: files.iter().flat_map(RelPath::ancestors).collect(), files }
    }
}

/// The state of a delta file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileState {
    /// What is there; `None` when nothing is. A link among the directories above counts as a link in
    /// its place.
    pub kind: Option<EntryType>,
    /// The digest of a regular file's bytes.
    pub digest: Option<Digest>,
    /// The permission bits of a regular file.
    pub permissions: Option<u32>,
}

impl FileState {
    /// Whether something is there that is no regular file.
    #[must_use]
    pub fn is_odd(&self) -> bool {
        self.kind.is_some_and(|kind| kind != EntryType::File)
    }

    /// How this differs from what was there before, if it does.
    #[must_use]
    pub(crate) fn change_from(&self, before: &Self) -> Option<Change> {
        match (before.kind, self.kind) {
            (None, None) => None,
            (None, Some(_)) => Some(Change::Created),
            (Some(_), None) => Some(Change::Deleted),
            (Some(_), Some(_)) => (before != self).then_some(Change::Modified),
        }
    }

    pub(crate) fn regular(digest: Digest, permissions: u32) -> Self {
        Self { kind: Some(EntryType::File), digest: Some(digest), permissions: Some(permissions) }
    }

    fn irregular(kind: EntryType) -> Self {
        Self { kind: Some(kind), ..Self::default() }
    }
}

impl Tree {
    /// The state of every delta file.
    ///
    /// # Errors
    /// When one cannot be read.
    pub fn delta(&self) -> Result<BTreeMap<DeltaPath, FileState>, TreeError> {
        let state = |path: &DeltaPath| Ok((path.clone(), self.state(path)?));
        self.delta.iter().map(state).collect()
    }

    /// The state of one delta file.
    ///
    /// # Errors
    /// As [`delta`](Self::delta).
    pub fn state(&self, path: &DeltaPath) -> Result<FileState, TreeError> {
        match self.open_delta(path)? {
            Opened::Other(state) => Ok(state),
            Opened::File(mut file, permissions) => {
                let digest = digest_of(&mut file).map_err(TreeError::io("read", path.as_path()))?;
                Ok(FileState::regular(digest, permissions))
            }
        }
    }

    /// The bytes of a delta file; `None` when there is none, or something else in its place.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn read(&self, path: &DeltaPath) -> Result<Option<Vec<u8>>, TreeError> {
        match self.open_delta(path)? {
            Opened::Other(_) => Ok(None),
            Opened::File(mut file, _) => {
                let mut bytes = Vec::new();
                file.read_to_end(&mut bytes).map_err(TreeError::io("read", path.as_path()))?;
                Ok(Some(bytes))
            }
        }
    }

    /// Writes a delta file as a whole, by a new file that is renamed over it: after a failure or a
    /// crash there is the old content. Missing directories are made. Without `permissions` the file
    /// keeps its own.
    ///
    /// # Errors
    /// When something else than a regular file is in its place, a directory above it is a link, or
    /// the file system refuses.
    pub fn write(
        &self,
        path: &DeltaPath,
        bytes: &[u8],
        permissions: Option<u32>,
    ) -> Result<(), TreeError> {
        let place = self.places.of_delta(path);
        self.write_whole(&place, bytes, permissions)
            .map_err(TreeError::io("write", self.places.top.full(&place)))
    }

    fn write_whole(
        &self,
        path: &RelPath,
        bytes: &[u8],
        permissions: Option<u32>,
    ) -> io::Result<()> {
        let top = &self.places.top;
        top.make_parents(path)?;
        let old = top.stamp(path)?;
        if old.is_some_and(|stamp| stamp.kind() != EntryType::File) {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        let permissions = permissions.or(old.map(|stamp| stamp.permissions()));
        let attributes = match old {
            Some(_) => top.attributes(path)?,
            None => Attributes::default(),
        };
        let rights = permissions.map(|permissions| Rights {
            permissions,
            ids: None,
            attributes: &attributes,
        });
        let (parent, name) = path.split();
        let new = parent.join(&[b".", name, b".ftl-new"].concat());
        // A crash in the middle of an earlier write leaves its new file behind.
        ftl_store::unless_missing(top.remove(&new))?;
        let mut bytes = bytes;
        let file = top.make_file(&new, &mut bytes, rights)?;
        file.sync_all()?;
        top.rename(&new, path)?;
        top.sync_dir(&parent)
    }

    /// How long a delta file is; `None` when there is no regular one.
    ///
    /// # Errors
    /// When it cannot be looked at.
    pub fn len(&self, path: &DeltaPath) -> Result<Option<u64>, TreeError> {
        match self.open_delta(path)? {
            Opened::Other(_) => Ok(None),
            Opened::File(file, _) => {
                let metadata = file.metadata();
                let metadata = metadata.map_err(TreeError::io("look at", path.as_path()))?;
                Ok(Some(metadata.len()))
            }
        }
    }

    /// Removes a delta file, if it is there.
    ///
    /// # Errors
    /// When the file system refuses.
    pub fn remove(&self, path: &DeltaPath) -> Result<(), TreeError> {
        let place = self.places.of_delta(path);
        ftl_store::unless_missing(self.places.top.remove(&place))
            .map_err(TreeError::io("remove", self.places.top.full(&place)))
    }

    /// Opens a delta file where it is a regular one, else gives what is in its place.
    pub(crate) fn open_delta(&self, path: &DeltaPath) -> Result<Opened, TreeError> {
        let place = self.places.of_delta(path);
        let top = &self.places.top;
        let stamp = match top.stamp(&place) {
            Ok(Some(stamp)) => stamp,
            Ok(None) => return Ok(Opened::Other(FileState::default())),
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
                return Ok(Opened::Other(FileState::irregular(EntryType::Link)));
            }
            Err(error) => return Err(TreeError::io("look at", top.full(&place))(error)),
        };
        if stamp.kind() != EntryType::File {
            return Ok(Opened::Other(FileState::irregular(stamp.kind())));
        }
        let file = top.file(&place);
        Ok(Opened::File(
            file.map_err(TreeError::io("open", top.full(&place)))?,
            stamp.permissions(),
        ))
    }
}

/// A delta path, opened.
pub(crate) enum Opened {
    /// A regular file, opened, and its permission bits.
    File(File, u32),
    /// Nothing, or something without bytes.
    Other(FileState),
}
