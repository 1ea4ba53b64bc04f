//! Copies of files, one after the other.
//!
//! A file for each copy would need a sync for each, and a sync costs milliseconds on most disks. So they are in one
//! file, or, where they are few and small, behind what is written of them in the same file. There is no index: the
//! manifest says where each copy begins, how long it is and what its digest is, so that a damaged pack is noticed when
//! a copy is read. The writer of a pack keeps it open: should its name be removed in between, the copies are still
//! there.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use ftl_model::{Digest, Digester};
use ftl_store::unless_missing;
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

/// Bytes of copies that are kept in memory, and written behind the manifest.
const FEW: usize = 1 << 18;

/// All copies in one place, so that one sync makes all of them last.
#[derive(Debug)]
pub(crate) struct PackWriter {
    few: Vec<u8>,
    file: Option<BufWriter<File>>,
    path: PathBuf,
    len: u64,
}

impl PackWriter {
    /// Removes an older pack. The file is made once there is much to copy.
    pub(crate) fn create(path: &Path) -> Result<Self, TreeError> {
        unless_missing(std::fs::remove_file(path)).map_err(TreeError::io("remove", path))?;
        Ok(Self { few: Vec::new(), file: None, path: path.to_path_buf(), len: 0 })
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.file.is_none() && self.few.len() + bytes.len() <= FEW {
            self.few.extend_from_slice(bytes);
            return Ok(());
        }
        let file = match &mut self.file {
            Some(file) => file,
            None => {
                let mut options = OpenOptions::new();
                options.read(true).write(true).create_new(true);
                let file = options.mode(0o600).open(&self.path)?;
                let file = self.file.insert(BufWriter::with_capacity(1 << 16, file));
                file.write_all(&std::mem::take(&mut self.few))?;
                file
            }
        };
        file.write_all(bytes)
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
            self.write(&buffer[..count])?;
            hash.update(&buffer[..count]);
            self.len += count as u64;
        }
        Ok(Copied { offset, len: self.len - offset, sha256: hash.finish() })
    }

    /// Writes what is buffered, for this process. [`Pack::sync`] and [`Pack::few`] are for others.
    pub(crate) fn close(self) -> Result<Pack, TreeError> {
        let Some(file) = self.file else {
            return Ok(Pack { few: Some(self.few), ..Pack::at(self.path) });
        };
        let file = file.into_inner().map_err(io::IntoInnerError::into_error);
        let file = file.map_err(TreeError::io("write", &self.path))?;
        Ok(Pack { file: OnceLock::from(file), ..Pack::at(self.path) })
    }
}

/// The copies, to be read.
#[derive(Debug)]
pub(crate) struct Pack {
    path: PathBuf,
    file: OnceLock<File>,
    few: Option<Vec<u8>>,
}

impl Pack {
    fn at(path: PathBuf) -> Self {
        Self { path, file: OnceLock::new(), few: None }
    }

    /// One that an earlier process wrote, perhaps behind the manifest. A file is opened when a copy is first read.
    pub(crate) fn found(path: PathBuf, few: Option<Vec<u8>>) -> Self {
        Self { few, ..Self::at(path) }
    }

    /// The copies where they are few: they are to be written with what says which they are.
    pub(crate) fn few(&self) -> Option<&[u8]> {
        self.few.as_deref()
    }

    /// For messages.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Brings the file that this process wrote to the disk. What says which copies it holds must not be written before.
    pub(crate) fn sync(&self) -> Result<(), TreeError> {
        let synced = self.file.get().map_or(Ok(()), File::sync_all);
        synced.map_err(TreeError::io("sync", &self.path))
    }

    /// Opens one copy to read.
    pub(crate) fn open(&self, copied: &Copied) -> io::Result<Box<dyn Read + '_>> {
        if let Some(few) = &self.few {
            let mut content = io::Cursor::new(few);
            content.set_position(copied.offset);
            return Ok(Box::new(content.take(copied.len)));
        }
        let file = match self.file.get() {
            Some(file) => file,
            None => {
                let file = File::open(&self.path)?;
                self.file.get_or_init(|| file)
            }
        };
        let content = At { file, offset: copied.offset };
        Ok(Box::new(BufReader::with_capacity(1 << 16, content.take(copied.len))))
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
