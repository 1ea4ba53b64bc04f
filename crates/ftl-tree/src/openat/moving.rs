//! Moving things from beneath one directory to beneath another, by descriptors on both sides: no path
//! is too long, and no link is followed.
//!
//! rename(2) keeps bytes, modes, owners and times, and moves a directory with all that is in it in one
//! step. Only where the two lie on different file systems (`EXDEV`), as where `.ftl` is a mount of its
//! own, is everything copied and removed, piece by piece. A file is removed once its copy is whole: a move that
//! fails leaves every byte on one of the sides.

use std::io;
use std::os::fd::OwnedFd;

use rustix::fs::{AtFlags, Mode, RenameFlags, Stat};
use rustix::io::Errno;

use super::copying::{Copy, copy_one, finish_dir};
use super::{At, Visit, is_gone, open_dir, visit, writable_dir};
use crate::stamp::Stamp;

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
        match move_new((&self.parent()?, self.name()), (&to.parent()?, to.name())) {
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
        let removed = match self.kind()? {
            Some(crate::EntryType::Dir) => {
                let parent = self.parent()?;
                let top = writable_dir(&parent, self.name())?;
                visit([top], &mut Removal)?;
                remove(&parent, self.name(), AtFlags::REMOVEDIR)
            }
            _ => self.remove(),
        };
        match removed {
            Err(error) if is_gone(&error) => Ok(()),
            removed => removed,
        }
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
        return move_one(from, to, &stat);
    }
    let tops = begin(from, to)?;
    let [_, to] = visit(tops, &mut Move)?;
    finish_dir(&to, &stat)?;
    remove(from.0, from.1, AtFlags::REMOVEDIR)
}

fn begin(from: (&OwnedFd, &[u8]), to: (&OwnedFd, &[u8])) -> io::Result<[OwnedFd; 2]> {
    rustix::fs::mkdirat(to.0, to.1, Mode::RWXU)?;
    Ok([writable_dir(from.0, from.1)?, open_dir(to.0, to.1)?])
}

fn move_one(from: (&OwnedFd, &[u8]), to: (&OwnedFd, &[u8]), stat: &Stat) -> io::Result<()> {
    copy_one(from, to, stat, Copy::MOVED)?;
    remove(from.0, from.1, AtFlags::empty())
}

struct Move;

impl Visit<2> for Move {
    fn enter(&mut self, above: &[OwnedFd; 2], name: &[u8], _: &Stat) -> io::Result<[OwnedFd; 2]> {
        begin((&above[0], name), (&above[1], name))
    }

    fn leaf(&mut self, dirs: &[OwnedFd; 2], name: &[u8], stat: &Stat) -> io::Result<()> {
        move_one((&dirs[0], name), (&dirs[1], name), stat)
    }

    fn leave(
        &mut self,
        above: &[OwnedFd; 2],
        dirs: &[OwnedFd; 2],
        name: &[u8],
        stat: &Stat,
    ) -> io::Result<()> {
        finish_dir(&dirs[1], stat)?;
        remove(&above[0], name, AtFlags::REMOVEDIR)
    }
}

struct Removal;

impl Visit<1> for Removal {
    fn enter(&mut self, above: &[OwnedFd; 1], name: &[u8], _: &Stat) -> io::Result<[OwnedFd; 1]> {
        Ok([writable_dir(&above[0], name)?])
    }

    fn leaf(&mut self, dirs: &[OwnedFd; 1], name: &[u8], _: &Stat) -> io::Result<()> {
        remove(&dirs[0], name, AtFlags::empty())
    }

    fn leave(
        &mut self,
        above: &[OwnedFd; 1],
        _: &[OwnedFd; 1],
        name: &[u8],
        _: &Stat,
    ) -> io::Result<()> {
        remove(&above[0], name, AtFlags::REMOVEDIR)
    }
}

fn remove(dir: &OwnedFd, name: &[u8], flags: AtFlags) -> io::Result<()> {
    match rustix::fs::unlinkat(dir, name, flags) {
        Err(Errno::NOENT) => Ok(()),
        done => Ok(done?),
    }
}
