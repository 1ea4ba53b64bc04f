//! File operations below a directory that is held open, by paths that never leave it.
//!
//! Implementers may leave symbolic links in the tree, and may still be running. A plain path is
//! resolved again by every system call, so that a check and the step after it can be about different
//! files. Here a path's directory is opened first, without following links, and the step is taken on
//! that descriptor (`openat`, `renameat`, `unlinkat`, …): whatever others do to the names, the step
//! stays below the root, and the last component is never followed either.
//!
//! On Linux the kernel resolves the directory in one call: openat2(2), since 5.6, with
//! `RESOLVE_BENEATH` and `RESOLVE_NO_SYMLINKS`. Elsewhere, and where that call is not to be had, each
//! component is opened by `O_DIRECTORY | O_NOFOLLOW`, which holds the same promise at one call for
//! each component. A [`RelPath`] has no `..`, so there is nothing else to guard against. Mount points
//! are crossed: a bind mount is the user's own doing.
//!
//! [`Beneath`] is the open directory, [`At`] a path beneath it: every step is a method of the latter. What a
//! path means (delta, stray, scratch) is not known here. Making things is in `making`, whole files in
//! `writing`, moving in `moving`, copies in `copying`, what is attached in `attributes`. Whole directories are gone
//! through by `descent`.

mod at;
mod attributes;
pub(crate) mod copying;
mod descent;
mod making;
mod moving;
mod owned;
pub(crate) mod reading;
mod writing;

use std::fs::DirBuilder;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, Mode, OFlags};
use rustix::io::Errno;

use crate::RelPath;
use crate::stamp::Stamp;

pub(crate) use at::{At, is_gone};
pub(crate) use attributes::Attributes;
pub(crate) use copying::{Room, copy_data};
pub(crate) use descent::{VisitStep, visit};
pub(crate) use making::{Rights, modified};
pub(crate) use owned::writable_dir;

/// Bytes of a path that one call is given, a little under PATH_MAX.
#[cfg(target_os = "linux")]
const STRETCH: usize = 4000;

const DIR: OFlags = OFlags::DIRECTORY.union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// A directory, held open, and everything beneath it. No symbolic link is followed, so that nothing
/// outside can be reached, whatever others do to the tree at the same time.
#[derive(Debug)]
pub(crate) struct Beneath {
    base: OwnedFd,
    path: PathBuf,
}

impl Beneath {
    /// `path` itself may lead through links.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let flags = OFlags::DIRECTORY | OFlags::RDONLY | OFlags::CLOEXEC;
        Ok(Self {
            base: rustix::fs::openat(CWD, path, flags, Mode::empty())?,
            path: path.to_path_buf(),
        })
    }

    /// Opens a directory of our own, which is made where it is missing, for no other user to enter.
    pub(crate) fn make(path: &Path) -> io::Result<Self> {
        DirBuilder::new().recursive(true).mode(0o700).create(path)?;
        Self::open(path)
    }

    /// Opens the directory that a path of ours is in, and gives the name in it.
    pub(crate) fn around(path: &Path) -> io::Result<(Self, RelPath)> {
        let above = path.parent().unwrap_or(path);
        let name = path.file_name().unwrap_or_default();
        Ok((Self::open(above)?, RelPath::new(name.as_encoded_bytes())))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The directory itself.
    pub(crate) fn top(&self) -> At<'_> {
        self.at(&RelPath::default())
    }

    fn dir(&self, path: &RelPath) -> io::Result<OwnedFd> {
        #[cfg(target_os = "linux")]
        {
            let name = if path.is_top() { b"." } else { path.bytes() };
            match open_beneath(&self.base, name) {
                Err(Errno::NAMETOOLONG) => return self.dir_by_stretches(path),
                // An older kernel; a sandbox whose seccomp filter does not know the call and refuses it.
                Err(Errno::NOSYS | Errno::PERM) => {}
                done => return Ok(done?),
            }
        }
        self.dir_by_steps(path)
    }

    /// Opens a path over PATH_MAX, as much of it at a time as one call takes: component by component, a tree
    /// thousands of directories deep would take millions of calls.
    #[cfg(target_os = "linux")]
    fn dir_by_stretches(&self, path: &RelPath) -> io::Result<OwnedFd> {
        let mut dir = open_beneath(&self.base, b".")?;
        let mut stretch = Vec::new();
        for name in path.components() {
            if !stretch.is_empty() && stretch.len() + 1 + name.len() > STRETCH {
                dir = open_beneath(&dir, &stretch)?;
                stretch.clear();
            }
            if !stretch.is_empty() {
                stretch.push(b'/');
            }
            stretch.extend_from_slice(name);
        }
        Ok(open_beneath(&dir, &stretch)?)
    }

    fn dir_by_steps(&self, path: &RelPath) -> io::Result<OwnedFd> {
        let mut dir = open_dir(&self.base, b".")?;
        for name in path.components() {
            dir = open_dir(&dir, name)?;
        }
        Ok(dir)
    }

    /// Whether both are one directory.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        let id = |dir: &Self| rustix::fs::fstat(&dir.base).map(|stat| (stat.st_dev, stat.st_ino));
        id(self).is_ok_and(|own| id(other) == Ok(own))
    }
}

/// Opens a directory beneath another, in one call: no link on the way is followed.
#[cfg(target_os = "linux")]
fn open_beneath(dir: &OwnedFd, name: &[u8]) -> rustix::io::Result<OwnedFd> {
    use rustix::fs::{ResolveFlags, openat2};
    use rustix::io::retry_on_intr;
    let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS;
    retry_on_intr(|| openat2(dir, name, DIR | OFlags::RDONLY, Mode::empty(), resolve))
}

/// Opens a directory by its name in another one.
fn open_dir(dir: &OwnedFd, name: &[u8]) -> io::Result<OwnedFd> {
    Ok(rustix::fs::openat(dir, name, DIR | OFlags::RDONLY, Mode::empty())?)
}

/// What `fstat` says.
fn stamp_of(open: impl std::os::fd::AsFd) -> io::Result<Stamp> {
    Ok(Stamp::of(&rustix::fs::fstat(open)?))
}
