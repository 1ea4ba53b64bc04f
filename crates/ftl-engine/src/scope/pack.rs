use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Take, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::ScopeError;
use crate::digest::hexadecimal;

/// Where a copied file lies in the pack.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Copied {
    offset: u64,
    pub(super) len: u64,
    pub(super) sha256: String,
}

/// All copies of a capture in one file, so that one sync makes all of them last.
#[derive(Debug)]
pub(super) struct PackWriter {
    file: BufWriter<File>,
    path: PathBuf,
    len: u64,
}

impl PackWriter {
    pub(super) fn create(path: &Path) -> Result<Self, ScopeError> {
        let file = File::create(path).map_err(ScopeError::io("create", path))?;
        Ok(Self {
            file: BufWriter::with_capacity(1 << 16, file),
            path: path.to_path_buf(),
            len: 0,
        })
    }

    pub(super) fn add(&mut self, content: &mut dyn Read) -> io::Result<Copied> {
        let mut hash = Sha256::new();
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
            sha256: hexadecimal(&hash.finalize()),
        })
    }

    /// Makes what was added last.
    pub(super) fn finish(self) -> Result<(), ScopeError> {
        let file = self
            .file
            .into_inner()
            .map_err(io::IntoInnerError::into_error);
        file.and_then(|file| file.sync_all())
            .map_err(ScopeError::io("sync", self.path))
    }
}

/// Opens one copy to read.
pub(super) fn open(pack: &Path, copied: &Copied) -> io::Result<Take<BufReader<File>>> {
    let mut file = File::open(pack)?;
    file.seek(SeekFrom::Start(copied.offset))?;
    Ok(BufReader::new(file).take(copied.len))
}
