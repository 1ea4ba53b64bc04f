//! The one interface between the store and a file system.
//!
//! It is small and made of steps, not of files that are held open: each step can be cut off, repeated
//! or simulated by itself. What is not a step of a protocol goes around it: locks, which have to hold a
//! descriptor, and reading in bulk.

use std::ffi::OsString;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// What the store asks of a file system, so that the same code runs over the real one and over one
/// that loses power.
///
/// Every method is one step of a protocol: it has happened as a whole when it returns `Ok`, and bytes
/// are then on the disk, but for those of [`append`](Files::append) and
/// [`write_unsynced`](Files::write_unsynced). Names are another matter: a
/// created, renamed or removed name lasts only once [`sync_dir`](Files::sync_dir) was called on its
/// directory.
pub trait Files: fmt::Debug + Send + Sync {
    /// The whole content of a file.
    fn read(&self, path: &Path) -> Result<Vec<u8>, FileError>;

    /// What is at `path`, links not followed; `None` when nothing is.
    fn metadata(&self, path: &Path) -> Result<Option<Metadata>, FileError>;

    /// The names in a directory, sorted; none when there is no such directory.
    fn list(&self, dir: &Path) -> Result<Vec<OsString>, FileError>;

    /// Makes one directory, whose parent exists.
    fn create_dir(&self, dir: &Path) -> Result<(), FileError>;

    /// Makes one directory that its owner alone may enter.
    fn create_private_dir(&self, dir: &Path) -> Result<(), FileError> {
        self.create_dir(dir)
    }

    /// Takes a directory and everything below it from all but its owner. Links are left alone.
    fn make_private(&self, dir: &Path) -> Result<(), FileError> {
        let _ = dir;
        Ok(())
    }

    /// Makes a file that was not there, writes all of it and syncs it. `mode` are its permission
    /// bits, by default those that the process gives to any new file.
    fn write_new(&self, path: &Path, bytes: &[u8], mode: Option<u32>) -> Result<(), FileError>;

    /// As [`write_new`](Files::write_new), but the bytes last only once [`sync_file`](Files::sync_file) was
    /// called.
    fn write_unsynced(&self, path: &Path, bytes: &[u8], mode: Option<u32>)
    -> Result<(), FileError>;

    /// Adds to the end of a file that is there, in one write. The bytes last only once
    /// [`sync_file`](Files::sync_file) was called.
    fn append(&self, path: &Path, bytes: &[u8]) -> Result<(), FileError>;

    /// Cuts a file to `len` bytes and syncs it.
    fn truncate(&self, path: &Path, len: u64) -> Result<(), FileError>;

    /// Syncs a file's data, even if another process wrote them.
    fn sync_file(&self, path: &Path) -> Result<(), FileError>;

    /// Syncs the names in a directory.
    fn sync_dir(&self, dir: &Path) -> Result<(), FileError>;

    /// Renames, replacing what has the new name.
    fn rename(&self, from: &Path, to: &Path) -> Result<(), FileError>;

    /// Renames, and fails with [`io::ErrorKind::AlreadyExists`] when the new name is taken.
    fn rename_new(&self, from: &Path, to: &Path) -> Result<(), FileError>;

    /// Removes a file.
    fn remove(&self, path: &Path) -> Result<(), FileError>;
}

/// What is at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Metadata {
    /// Whether it is a file, a directory, a link or something else.
    pub kind: FileKind,
    /// Its size in bytes.
    pub len: u64,
    /// Its permission bits.
    pub mode: u32,
}

/// The kinds of things in a directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A regular file.
    File,
    /// A directory.
    Dir,
    /// A symbolic link.
    Link,
    /// A device, pipe or socket.
    Other,
}

/// A step that the file system refused.
#[derive(Debug, thiserror::Error)]
#[error("cannot {operation} `{}`", path.display())]
pub struct FileError {
    /// The step.
    pub operation: Operation,
    /// What it was about; the new name, for a rename.
    pub path: PathBuf,
    /// The system's own reason.
    pub source: io::Error,
}

impl FileError {
    /// The kind of the system's reason.
    pub fn kind(&self) -> io::ErrorKind {
        self.source.kind()
    }
}

/// The steps of [`Files`], as they are named in messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// [`Files::read`].
    Read,
    /// [`Files::metadata`].
    Inspect,
    /// [`Files::list`].
    List,
    /// [`Files::create_dir`].
    CreateDir,
    /// The creation or the writing in [`Files::write_new`] and [`Files::append`].
    Write,
    /// [`Files::truncate`].
    Truncate,
    /// A sync of bytes or of names.
    Sync,
    /// [`Files::rename`] and [`Files::rename_new`].
    Rename,
    /// [`Files::remove`].
    Remove,
    /// A lock, which is taken outside of [`Files`].
    Lock,
}

impl Operation {
    /// This step's failure at `path`.
    pub fn failed(self, path: &Path, source: impl Into<io::Error>) -> FileError {
        FileError { operation: self, path: path.to_owned(), source: source.into() }
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Read => "read",
            Self::Inspect => "inspect",
            Self::List => "list",
            Self::CreateDir => "make the directory",
            Self::Write => "write",
            Self::Truncate => "truncate",
            Self::Sync => "sync",
            Self::Rename => "rename to",
            Self::Remove => "remove",
            Self::Lock => "lock",
        })
    }
}
