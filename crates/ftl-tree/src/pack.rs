//! The copies of a snapshot, one after the other in one file.
//!
//! A file for each copy would need a sync for each, and a sync costs milliseconds on most disks. The
//! pack has no index: the manifest says where each copy begins, how long it is and what its digest is,
//! so that a damaged pack is noticed when a copy is read.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Take, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use ftl_model::{Digest, Digester};
use serde::{Deserialize, Serialize};

use super::TreeError;

/// Where a copied file lies in the pack.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Copied {
    offset: u64,
    pub(super) len: u64,
    pub(super) sha256: Digest,
}

/// All copies of a snapshot in one file, so that one sync makes all of them last.
#[derive(Debug)]
pub(super) struct PackWriter {
    file: BufWriter<File>,
    path: PathBuf,
    len: u64,
}

impl PackWriter {
    pub(super) fn create(path: &Path) -> Result<Self, TreeError> {
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(true).mode(0o600);
        let file = options.open(path).map_err(TreeError::io("create", path))?;
        Ok(Self {
            file: BufWriter::with_capacity(1 << 16, file),
            path: path.to_path_buf(),
            len: 0,
        })
    }

    /// Copies all that `content` gives. The length recorded is that of what was read, not of what
    /// `lstat` said before: the file may have grown since.
    pub(super) fn add(&mut self, content: &mut dyn Read) -> io::Result<Copied> {
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
        Ok(Copied {
            offset,
            len: self.len - offset,
            sha256: hash.finish(),
        })
    }

    /// Writes what is buffered and syncs the pack. The manifest must not be written before.
    pub(super) fn finish(self) -> Result<(), TreeError> {
        let file = self
            .file
            .into_inner()
            .map_err(io::IntoInnerError::into_error);
        file.and_then(|file| file.sync_all())
            .map_err(TreeError::io("sync", self.path))
    }
}

/// Opens one copy to read.
pub(super) fn open(pack: &Path, copied: &Copied) -> io::Result<Take<BufReader<File>>> {
    let mut file = File::open(pack)?;
    file.seek(SeekFrom::Start(copied.offset))?;
    Ok(BufReader::new(file).take(copied.len))
}
