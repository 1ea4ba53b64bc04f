//! Opening what its own mode keeps its owner from.
//!
//! An implementer may take the rights to what it wrote from everybody, and its work is judged, moved or
//! removed all the same. A refusal alone is no reason to change a mode: a security module or a network file
//! system refuses in the same words. So a mode is changed only where it is what refuses.

use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;

use rustix::fs::Mode;

use crate::RelPath;
use crate::openat::Beneath;
use crate::stamp::Stamp;

/// What an owner needs to read a file.
pub(crate) const READ: u32 = 0o400;
/// What an owner needs to list, enter and empty a directory.
pub(crate) const ENTER: u32 = 0o700;

impl Beneath {
    /// Opens a regular file to read it, also against its mode, which it keeps.
    pub(crate) fn owned_file(&self, path: &RelPath) -> io::Result<File> {
        match self.file(path) {
            Err(refused) if is_refusal(&refused) => {
                let mode = self.grant(path, READ, refused)?;
                let file = self.file(path);
                self.set_permissions(path, mode)?;
                file
            }
            file => file,
        }
    }

    /// Opens a directory. One that is closed to its owner is open to it from then on: what is below is
    /// reached through it.
    pub(crate) fn owned_dir(&self, path: &RelPath) -> io::Result<OwnedFd> {
        match self.dir(path) {
            Err(refused) if is_refusal(&refused) => {
                self.grant(path, ENTER, refused)?;
                self.dir(path)
            }
            dir => dir,
        }
    }

    /// Opens a directory whose entries are about to be moved or removed. One that its owner may not change is
    /// open to it from then on. What the file system refuses here, it refuses again in the next step, which
    /// reports it.
    pub(crate) fn writable_dir(&self, path: &RelPath) -> io::Result<OwnedFd> {
        let dir = self.owned_dir(path)?;
        make_writable(&dir)?;
        Ok(dir)
    }

    /// Gives the owner rights that the mode keeps from it, and returns that mode. Where the mode gives them
    /// already, something else `refused`.
    fn grant(&self, path: &RelPath, rights: u32, refused: io::Error) -> io::Result<u32> {
        let stamp = self.stamp(path)?.ok_or(io::ErrorKind::NotFound)?;
        let mode = stamp.permissions();
        if gives(mode, rights) {
            return Err(refused);
        }
        self.set_permissions(path, mode | rights)?;
        Ok(mode)
    }
}

/// Lets the owner change an open directory.
pub(crate) fn make_writable(dir: &OwnedFd) -> io::Result<()> {
    let mode = Stamp::of(&rustix::fs::fstat(dir)?).permissions();
    if !gives(mode, ENTER) {
        let _ = rustix::fs::fchmod(dir, Mode::from_raw_mode((mode | ENTER) as _));
    }
    Ok(())
}

/// Whether a mode gives its owner these rights.
pub(crate) fn gives(mode: u32, rights: u32) -> bool {
    mode & rights == rights
}

/// Whether an error may come of a mode.
pub(crate) fn is_refusal(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::PermissionDenied
}
