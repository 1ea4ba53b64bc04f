//! Delta files: their state, their bytes, and writing them whole.
//!
//! Only regular files count as content. A directory, link or device in place of a delta file is a
//! separate state, never read and never written through: a link could lead anywhere, and writing a
//! delta file must not change another file.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, Read};

use ftl_model::DeltaPath;

use crate::digest::digest_of;
use crate::openat::{At, Rights, is_gone};
use crate::stamp::{self, EntryType, Stamp};
use crate::state::adapted;
use crate::{PathState, RelPath, Tree, TreeError};

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

/// What there is to read of a delta file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeltaContent {
    /// All of it.
    Bytes(Vec<u8>),
    /// It has more bytes than were asked for: so many, or more.
    TooLarge(u64),
}

/// A delta path, opened.
pub(crate) enum Opened {
    /// A regular file, opened, and its stamp.
    File(File, Stamp),
    /// Nothing, or something without bytes. A link or a file among the directories above counts as something odd in
    /// its place.
    Other(PathState),
}

impl Tree {
    /// Gives delta files the current time, whenever they were written: an implementer that goes back to a backup, or
    /// thinks after its last write, leaves files that a build tool takes for older than its products.
    ///
    /// # Errors
    /// When the file system refuses.
    pub fn touch_delta<'p>(
        &self,
        paths: impl IntoIterator<Item = &'p DeltaPath>,
    ) -> Result<(), TreeError> {
        let now = stamp::now();
        for path in paths {
            let at = self.at(&self.places.of_delta(path));
            match at.set_modified(now) {
                Err(error) if !is_gone(&error) => return Err(at.failed("set the time of")(error)),
                _ => {}
            }
        }
        Ok(())
    }

    /// The state of every delta file.
    ///
    /// # Errors
    /// When one cannot be read.
    pub fn delta(&self) -> Result<BTreeMap<DeltaPath, PathState>, TreeError> {
        let state = |path: &DeltaPath| Ok((path.clone(), self.state(path)?));
        self.delta.iter().map(state).collect()
    }

    /// The state of a file below the root, be it of the delta or not.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn state(&self, path: &DeltaPath) -> Result<PathState, TreeError> {
        match self.open_delta(path)? {
            Opened::Other(state) => Ok(state),
            Opened::File(mut file, stamp) => {
                let sha256 = digest_of(&mut file).map_err(TreeError::io("read", path.as_path()))?;
                let permissions = stamp.permissions();
                Ok(PathState::File { sha256, permissions })
            }
        }
    }

    /// The bytes of a delta file; `None` when there is none, or something else in its place.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn read(&self, path: &DeltaPath) -> Result<Option<Vec<u8>>, TreeError> {
        match self.read_up_to(path, u64::MAX)? {
            Some(DeltaContent::Bytes(bytes)) => Ok(Some(bytes)),
            Some(DeltaContent::TooLarge(_)) | None => Ok(None),
        }
    }

    /// As [`read`](Self::read), where the file has no more than `most` bytes.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn read_up_to(
        &self,
        path: &DeltaPath,
        most: u64,
    ) -> Result<Option<DeltaContent>, TreeError> {
        let Opened::File(file, stamp) = self.open_delta(path)? else {
            return Ok(None);
        };
        let failed = TreeError::io("read", path.as_path());
        if stamp.size > most {
            return Ok(Some(DeltaContent::TooLarge(stamp.size)));
        }
        let mut bytes = Vec::new();
        // What cannot be reserved may not be there to be read either: a sparse file.
        let _ =
            usize::try_from(stamp.size).map(|size| bytes.try_reserve_exact(size.saturating_add(1)));
        let read = file.take(most.saturating_add(1)).read_to_end(&mut bytes).map_err(failed)?;
        // It may have grown since it was looked at.
        Ok(Some(match read as u64 > most {
            true => DeltaContent::TooLarge(read as u64),
            false => DeltaContent::Bytes(bytes),
        }))
    }

    /// How long a delta file is; `None` when there is no regular one.
    ///
    /// # Errors
    /// When it cannot be looked at.
    pub fn len(&self, path: &DeltaPath) -> Result<Option<u64>, TreeError> {
        let Opened::File(file, _) = self.open_delta(path)? else {
            return Ok(None);
        };
        let metadata = file.metadata().map_err(TreeError::io("look at", path.as_path()))?;
        Ok(Some(metadata.len()))
    }

    /// Writes a delta file as a whole: after a failure or a crash there is the old content. Missing directories are
    /// made. Without `permissions` the file keeps its own.
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
        let at = self.at(&self.places.of_delta(path));
        write(&at, bytes, permissions).map_err(at.failed("write"))
    }

    /// The permissions of a delta file that is to be executable or not: its own but for the execute bits, as a patch
    /// leaves them.
    ///
    /// # Errors
    /// When it cannot be looked at.
    pub fn permissions(&self, path: &DeltaPath, executable: bool) -> Result<u32, TreeError> {
        let old = self.at(&self.places.of_delta(path)).found()?;
        Ok(adapted(old.map_or(0o644, |stamp| stamp.permissions()), executable))
    }

    /// Removes a delta file, where one is.
    ///
    /// # Errors
    /// When the file system refuses.
    pub fn remove(&self, path: &DeltaPath) -> Result<(), TreeError> {
        let at = self.at(&self.places.of_delta(path));
        at.remove_if_there().map_err(at.failed("remove"))
    }

    /// Whether a path may change without being in the delta.
    #[must_use]
    pub fn allows(&self, path: &DeltaPath) -> bool {
        self.may_change(&self.places.of_delta(path))
    }

    /// Opens a delta file where it is a regular one, else gives what is in its place.
    pub(crate) fn open_delta(&self, path: &DeltaPath) -> Result<Opened, TreeError> {
        let at = self.at(&self.places.of_delta(path));
        let stamp = match at.look() {
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
                return Ok(Opened::Other(PathState::Special));
            }
            stamp => stamp.map_err(at.failed("look at"))?,
        };
        let Some(stamp) = stamp.filter(|stamp| stamp.kind() == EntryType::File) else {
            return PathState::of(&at).map(Opened::Other).map_err(at.failed("look at"));
        };
        let file = at.file().map_err(at.failed("open"))?;
        Ok(Opened::File(file, stamp))
    }
}

fn write(at: &At<'_>, mut bytes: &[u8], permissions: Option<u32>) -> io::Result<()> {
    at.make_parents()?;
    let old = at.look()?;
    if old.is_some_and(|stamp| stamp.kind() != EntryType::File) {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    let attributes = at.attributes()?;
    let permissions = permissions.or(old.map(|stamp| stamp.permissions()));
    let rights =
        permissions.map(|permissions| Rights { permissions, ids: None, attributes: &attributes });
    at.write_whole(&mut bytes, rights)
}
