//! Moving things from beneath one directory to beneath another, by descriptors on both sides: no path
//! is too long, and no link is followed.
//!
//! rename(2) keeps bytes, modes, owners and times, and moves a directory with all that is in it in one
//! step. Only where the two lie on different file systems (`EXDEV`), as where `.ftl` is a mount of its
//! own, is everything copied and removed: see `transfer`.

use std::io;
use std::os::fd::OwnedFd;

use rustix::fs::{AtFlags, RenameFlags};
use rustix::io::Errno;

use crate::RelPath;
use crate::openat::{Beneath, transfer};

/// Moves `from` to `to`, neither followed. A name that is taken is an error of kind
/// [`AlreadyExists`](io::ErrorKind::AlreadyExists).
pub(crate) fn move_new(from: (&OwnedFd, &[u8]), to: (&OwnedFd, &[u8])) -> io::Result<()> {
    let ((old, name), (new, new_name)) = (from, to);
    match rustix::fs::renameat_with(old, name, new, new_name, RenameFlags::NOREPLACE) {
        Err(Errno::XDEV) => transfer::move_across(from, to),
        // Not every file system can do it: NFS has no such call.
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => rename_after_look(from, to),
        done => Ok(done?),
    }
}

impl Beneath {
    /// Swaps what is at two paths. `false` where the file system has no such call.
    pub(crate) fn exchange(&self, one: &RelPath, other: &RelPath) -> io::Result<bool> {
        let (first, second) = (self.parent(one)?, self.parent(other)?);
        let flags = RenameFlags::EXCHANGE;
        match rustix::fs::renameat_with(&first, one.name(), &second, other.name(), flags) {
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => Ok(false),
            done => done.map(|()| true).map_err(Into::into),
        }
    }

    /// Renames to a name that nothing has; `false` where something has it.
    pub(crate) fn rename_new(&self, from: &RelPath, to: &RelPath) -> io::Result<bool> {
        let (old, new) = (self.parent(from)?, self.parent(to)?);
        match move_new((&old, from.name()), (&new, to.name())) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
            done => done.map(|()| true),
        }
    }
}

fn rename_after_look(from: (&OwnedFd, &[u8]), to: (&OwnedFd, &[u8])) -> io::Result<()> {
    match rustix::fs::statat(to.0, to.1, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(_) => return Err(io::ErrorKind::AlreadyExists.into()),
        Err(Errno::NOENT) => {}
        Err(error) => return Err(error.into()),
    }
    match rustix::fs::renameat(from.0, from.1, to.0, to.1) {
        Err(Errno::XDEV) => transfer::move_across(from, to),
        done => Ok(done?),
    }
}
