//! Moving things from beneath one directory to beneath another, by descriptors on both sides: no path
//! is too long, and no link is followed.
//!
//! rename(2) keeps bytes, modes, owners and times, and moves a directory with all that is in it in one
//! step. Only where the two lie on different file systems (`EXDEV`), as where `.ftl` is a mount of its
//! own, is everything copied and removed, piece by piece. A file is removed once its copy is whole: a move that
//! fails leaves every byte on one of the sides.

use std::io;
use std::os::fd::OwnedFd;

use rustix::fs::{AtFlags, Mode, RenameFlags};
use rustix::io::Errno;

use super::copying::{Copy, copy_one, finish};
use super::{At, VisitStep, open_dir, visit, writable_dir};
use crate::stamp::{EntryType, Stamp};

/// Moves `from` to `to`, neither followed. A name that is taken is an error of kind
/// [`AlreadyExists`](io::ErrorKind::AlreadyExists).
pub(crate) fn move_new(from: (&OwnedFd, &[u8]), to: (&OwnedFd, &[u8])) -> io::Result<()> {
    let renamed = rustix::fs::renameat_with(from.0, from.1, to.0, to.1, RenameFlags::NOREPLACE);
    let renamed = match renamed {
        // Not every file system can do it: NFS has no such call.
        Err(error) if has_no_call(error) => {
            match rustix::fs::statat(to.0, to.1, AtFlags::SYMLINK_NOFOLLOW) {
                Ok(_) => Err(Errno::EXIST),
                Err(Errno::NOENT) => rustix::fs::renameat(from.0, from.1, to.0, to.1),
                Err(error) => Err(error),
            }
        }
        renamed => renamed,
    };
    match renamed {
        Err(Errno::XDEV) => move_across(from, to),
        done => Ok(done?),
    }
}

impl At<'_> {
    /// Replaces a file that has the new name.
    pub(crate) fn rename(&self, to: &Self) -> io::Result<()> {
        Ok(rustix::fs::renameat(self.parent()?, self.name(), to.parent()?, to.name())?)
    }

    /// Moves to a name that nothing has; `false` where something has it.
    pub(crate) fn move_new(&self, to: &Self) -> io::Result<bool> {
        match move_new((&*self.parent()?, self.name()), (&*to.parent()?, to.name())) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
            done => done.map(|()| true),
        }
    }

    /// Swaps what is at two paths. `false` where the file system has no such call.
    pub(crate) fn exchange(&self, other: &Self) -> io::Result<bool> {
        let (first, second) = (self.parent()?, other.parent()?);
        let flags = RenameFlags::EXCHANGE;
        match rustix::fs::renameat_with(&first, self.name(), &second, other.name(), flags) {
            Err(error) if has_no_call(error) => Ok(false),
            done => done.map(|()| true).map_err(Into::into),
        }
    }

    /// Removes what is at the path with all that is below it, also what its mode keeps its owner from.
    pub(crate) fn remove_all(&self) -> io::Result<()> {
        if self.kind()? != Some(EntryType::Dir) {
            return self.remove_if_there();
        }
        let parent = self.parent()?;
        visit([writable_dir(&parent, self.name())?], &mut |entry, step| {
            match step {
                VisitStep::Enter => return Ok(Some([writable_dir(&entry.dirs[0], entry.name)?])),
                VisitStep::Leaf => remove(entry.on(0), AtFlags::empty())?,
                VisitStep::Leave(_) => remove(entry.on(0), AtFlags::REMOVEDIR)?,
            }
            Ok(None)
        })?;
        remove((&parent, self.name()), AtFlags::REMOVEDIR)
    }
}

/// Whether a file system does not know a way to rename.
fn has_no_call(error: Errno) -> bool {
    matches!(error, Errno::INVAL | Errno::NOSYS | Errno::NOTSUP)
}

/// A copy on the other file system, and an end to the original.
fn move_across(from: (&OwnedFd, &[u8]), to: (&OwnedFd, &[u8])) -> io::Result<()> {
    let stat = rustix::fs::statat(from.0, from.1, AtFlags::SYMLINK_NOFOLLOW)?;
    if !Stamp::of(&stat).is_dir() {
        copy_one(from, to, &stat, Copy::MOVED)?;
        return remove(from, AtFlags::empty());
    }
    let begin = |from: (&OwnedFd, &[u8]), to: (&OwnedFd, &[u8])| {
        rustix::fs::mkdirat(to.0, to.1, Mode::RWXU)?;
        Ok::<_, io::Error>([writable_dir(from.0, from.1)?, open_dir(to.0, to.1)?])
    };
    let [_, copy] = visit(begin(from, to)?, &mut |entry, step| {
        match step {
            VisitStep::Enter => return begin(entry.on(0), entry.on(1)).map(Some),
            VisitStep::Leaf => {
                copy_one(entry.on(0), entry.on(1), entry.stat, Copy::MOVED)?;
                remove(entry.on(0), AtFlags::empty())?;
            }
            VisitStep::Leave([_, copy]) => {
                finish(copy, entry.stat)?;
                remove(entry.on(0), AtFlags::REMOVEDIR)?;
            }
        }
        Ok(None)
    })?;
    finish(&copy, &stat)?;
    remove(from, AtFlags::REMOVEDIR)
}

fn remove(at: (&OwnedFd, &[u8]), flags: AtFlags) -> io::Result<()> {
    match rustix::fs::unlinkat(at.0, at.1, flags) {
        Err(Errno::NOENT) => Ok(()),
        done => Ok(done?),
    }
}
