//! Temporary directories outside the repository, and copies to work on.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use tempfile::{Builder, TempDir};

use crate::Result;

/// A new directory below the system's temporary one, removed when dropped.
#[derive(Debug)]
pub struct Scratch {
    path: PathBuf,
    _removed_when_dropped: TempDir,
}

impl Scratch {
    /// Makes one whose name says what it is for.
    ///
    /// # Errors
    ///
    /// The directory could not be made.
    pub fn new(purpose: &str) -> Result<Self> {
        Self::below(&std::env::temp_dir(), purpose)
    }

    /// Makes one where syncing costs nothing, if the system has such a place.
    ///
    /// # Errors
    ///
    /// The directory could not be made.
    pub fn in_memory(purpose: &str) -> Result<Self> {
        let memory = Path::new("/dev/shm");
        if memory.is_dir() {
            return Self::below(memory, purpose);
        }
        Self::new(purpose)
    }

    fn below(parent: &Path, purpose: &str) -> Result<Self> {
        let prefix = format!("ftl-{purpose}-");
        // Not for its owner alone, as tempfile has it: some tests run programs as another user.
        let mode = Permissions::from_mode(0o755);
        let dir = Builder::new().prefix(&prefix).permissions(mode).tempdir_in(parent)?;
        Ok(Self { path: dir.path().canonicalize()?, _removed_when_dropped: dir })
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Copies the files and directories of `from` into `to`, leaving out build output.
///
/// # Errors
///
/// Something could not be read or written.
pub fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            if entry.file_name() != "target" {
                copy(&entry.path(), &target)?;
            }
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}
