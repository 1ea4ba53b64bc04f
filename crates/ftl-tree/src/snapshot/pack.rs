//! The copies of a snapshot, one after the other in one file.
//!
//! A file for each copy would need a sync for each, and a sync costs milliseconds on most disks. The
//! pack has no index: the manifest says where each copy begins, how long it is and what its digest is,
//! so that a damaged pack is noticed when a copy is read. The writer of a pack keeps it open: should its
//! name be removed in between, the copies are still there.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use ftl_model::{Digest, Digester};
use serde::{Deserialize, Serialize};

use crate::TreeError;
use crate::digest::digest_of;

/// Where a copied file is in the pack.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Copied {
    offset: u64,
    pub(crate) len: u64,
    pub(crate) sha256: Digest,
}

/// All copies of a snapshot in one file, so that one sync makes all of them last.
#[derive(Debug)]
pub(crate) struct PackWriter {
    file: BufWriter<File>,
    path: PathBuf,
    len: u64,
}

impl PackWriter {
    pub(crate) fn create(path: &Path) -> Result<Self, TreeError> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(true);
        let file = options.mode(0o600).open(path);
        let file = file.map_err(TreeError::io("create", path))?;
        Ok(Self { file: BufWriter::with_capacity(1 << 16, file), path: path.to_path_buf(), len: 0 })
    }

    /// Copies all that `content` gives. The length recorded is that of what was read, not of what
    /// `lstat` said before: the file may have grown since.
    pub(crate) fn add(&mut self, content: &mut dyn Read) -> io::Result<Copied> {
        let mut hash = Digester::default();
        let offset = self.len;
        let mut buffer = [0; 1 << 14];
        loop {
            let count = match content.read(&mut buffer) {
                Ok(0) => break,
                Ok(count) => count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            self.file.write_all(&buffer[..count])?;
            hash.update(&buffer[..count]);
            self.len += count as u64;
        }
        Ok(Copied { offset, len: self.len - offset, sha256: hash.finish() })
    }

    /// Writes what is buffered and syncs the pack. The manifest must not be written before.
    pub(crate) fn finish(self) -> Result<Pack, TreeError> {
        let pack = self.close()?;
        pack.sync()?;
        Ok(pack)
    }

    /// Writes what is buffered, for this process.
    pub(crate) fn close(self) -> Result<Pack, TreeError> {
        let file = self.file.into_inner().map_err(io::IntoInnerError::into_error);
        let file = file.map_err(TreeError::io("write", &self.path))?;
        Ok(Pack { path: self.path, file: OnceLock::from(file) })
    }
}

/// The copies, to be read.
#[derive(Debug)]
pub(crate) struct Pack {
    path: PathBuf,
    file: OnceLock<File>,
}

impl Pack {
    /// One that an earlier process wrote. Opened when a copy is first read.
    pub(crate) fn at(path: PathBuf) -> Self {
        Self { path, file: OnceLock::new() }
    }

    /// For messages.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Brings what this process wrote to the disk.
    pub(crate) fn sync(&self) -> Result<(), TreeError> {
        let synced = self.file.get().map_or(Ok(()), File::sync_all);
        synced.map_err(TreeError::io("sync", &self.path))
    }

    /// Opens one copy to read.
    pub(crate) fn open(&self, copied: &Copied) -> io::Result<impl Read> {
        let file = match self.file.get() {
            Some(file) => file,
            None => {
                let file = File::open(&self.path)?;
                self.file.get_or_init(|| file)
            }
        };
        let content = At { file, offset: copied.offset };
        Ok(BufReader::with_capacity(1 << 16, content.take(copied.len)))
    }

    /// Whether a copy is what was copied.
    pub(crate) fn is_whole(&self, copied: &Copied) -> bool {
        let digest = self.open(copied).and_then(|mut content| digest_of(&mut content));
        digest.is_ok_and(|digest| digest == copied.sha256)
    }

    /// Writes a copy, which is what was copied: anything else is an error of kind
    /// [`InvalidData`](io::ErrorKind::InvalidData).
    pub(crate) fn copy_to(&self, copied: &Copied, to: &mut dyn Write) -> io::Result<()> {
        if !self.is_whole(copied) {
            return Err(io::Error::new(io::ErrorKind::InvalidData, DIFFERS));
        }
        io::copy(&mut self.open(copied)?, to).map(drop)
    }
}

/// What is said of a copy that is damaged.
pub(crate) const DIFFERS: &str = "a copy differs from what was stored";

/// Reads a file from a place on, without moving a place that others read from.
struct At<'f> {
    file: &'f File,
    offset: u64,
}

impl Read for At<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read_at(buffer, self.offset)?;
        self.offset += count as u64;
        Ok(count)
    }
}
