//! Temporary directories outside the repository, removed when dropped, and copies to work on.
//!
//! It is no crate `tempfile`, so that the first chore builds without dependencies.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::Result;

/// A new directory below the system's temporary one, removed when dropped.
#[derive(Debug)]
pub struct Scratch {
    path: PathBuf,
}

impl Scratch {
    /// Makes one whose name tells what it is for.
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
        let since = SystemTime::now().duration_since(UNIX_EPOCH)?;
        let name = format!("ftl-{purpose}-{}-{}", std::process::id(), since.as_nanos());
        let path = parent.join(name);
        fs::create_dir(&path)?;
        Ok(Self { path: path.canonicalize()? })
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What cannot be removed is left to the system, which clears this place anyway.
        drop(fs::remove_dir_all(&self.path));
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
