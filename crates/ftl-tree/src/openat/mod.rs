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
//! What a path means (delta, stray, scratch) is not known here. Making things is in `making`, moving them
//! out in `moving`, what is attached to them in `attributes`.

mod attributes;
mod copying;
mod making;
mod moving;
mod owned;
pub(crate) mod reading;
mod transfer;

use std::fs::{DirBuilder, File};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use rustix::fs::{Access, AtFlags, CWD, Dir, Mode, OFlags};
use rustix::io::Errno;

use crate::RelPath;
use crate::stamp::{self, EntryType, Stamp};

pub(crate) use attributes::Attributes;
pub(crate) use copying::{Room, fill};
pub(crate) use making::Rights;
pub(crate) use moving::move_new;
pub(crate) use transfer::copy_data;

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

    /// A directory beneath this one, as a separate place.
    pub(crate) fn beneath(&self, path: &RelPath) -> io::Result<Self> {
        Ok(Self { base: self.dir(path)?, path: self.full(path) })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Opens a directory of our own, which is made where it is missing, for no other user to enter.
    pub(crate) fn make(path: &Path) -> io::Result<Self> {
        DirBuilder::new().recursive(true).mode(0o700).create(path)?;
        Self::open(path)
    }

    /// For messages.
    pub(crate) fn full(&self, path: &RelPath) -> PathBuf {
        self.path.join(path.as_path())
    }

    pub(crate) fn dir(&self, path: &RelPath) -> io::Result<OwnedFd> {
        #[cfg(target_os = "linux")]
        {
            use rustix::fs::{ResolveFlags, openat2};
            let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS;
            let name = if path.is_top() { b"." } else { path.bytes() };
            match openat2(&self.base, name, DIR | OFlags::RDONLY, Mode::empty(), resolve) {
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
        use rustix::fs::{ResolveFlags, openat2};
        let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS;
        let open = |dir: &OwnedFd, stretch: &[u8]| {
            openat2(dir, stretch, DIR | OFlags::RDONLY, Mode::empty(), resolve)
        };
        let mut dir = open(&self.base, b".")?;
        let mut stretch = Vec::new();
        for name in path.components() {
            if !stretch.is_empty() && stretch.len() + 1 + name.len() > STRETCH {
                dir = open(&dir, &stretch)?;
                stretch.clear();
            }
            if !stretch.is_empty() {
                stretch.push(b'/');
            }
            stretch.extend_from_slice(name);
        }
        Ok(open(&dir, &stretch)?)
    }

    fn dir_by_steps(&self, path: &RelPath) -> io::Result<OwnedFd> {
        let open = |dir: &OwnedFd, name: &[u8]| {
            rustix::fs::openat(dir, name, DIR | OFlags::RDONLY, Mode::empty())
        };
        let mut dir = open(&self.base, b".")?;
        for name in path.components() {
            dir = open(&dir, name)?;
        }
        Ok(dir)
    }

    pub(crate) fn parent(&self, path: &RelPath) -> io::Result<OwnedFd> {
        self.dir(&path.split().0)
    }

    /// Whether both are one directory.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        let id = |dir: &Self| rustix::fs::fstat(&dir.base).map(|stat| (stat.st_dev, stat.st_ino));
        id(self).is_ok_and(|own| id(other) == Ok(own))
    }

    /// The stamp of the directory itself.
    pub(crate) fn top_stamp(&self) -> io::Result<Stamp> {
        Ok(Stamp::of(&rustix::fs::fstat(&self.base)?))
    }

    /// When a directory was modified, in nanoseconds since the epoch.
    pub(crate) fn modified(&self, dir: &RelPath) -> io::Result<i64> {
        let at = File::from(self.dir(dir)?).metadata()?.modified()?;
        Ok(stamp::nanoseconds(at))
    }

    /// The names in a directory, sorted.
    pub(crate) fn names(&self, path: &RelPath) -> io::Result<Vec<Vec<u8>>> {
        let mut names = Vec::new();
        for entry in Dir::new(self.dir(path)?)? {
            let entry = entry?;
            let name = entry.file_name().to_bytes();
            if !matches!(name, b"." | b"..") {
                names.push(name.to_owned());
            }
        }
        names.sort();
        Ok(names)
    }

    /// The stamp of what is at the path; `None` when nothing is. An error of kind
    /// [`NotADirectory`](io::ErrorKind::NotADirectory) when a directory above it is now a file or
    /// a link.
    pub(crate) fn stamp(&self, path: &RelPath) -> io::Result<Option<Stamp>> {
        if path.is_top() {
            return self.top_stamp().map(Some);
        }
        let parent = match self.parent(path) {
            Ok(parent) => parent,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) if leads_through_file(&error) => {
                return Err(io::ErrorKind::NotADirectory.into());
            }
            Err(error) => return Err(error),
        };
        match rustix::fs::statat(&parent, path.name(), AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => Ok(Some(Stamp::of(&stat))),
            Err(Errno::NOENT) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Opens a regular file to read it.
    ///
    /// `O_NONBLOCK` is for a pipe that took the file's place: opening one waits for a writer
    /// otherwise, for ever perhaps. The type is then checked on the descriptor, not by name.
    pub(crate) fn file(&self, path: &RelPath) -> io::Result<File> {
        let flags =
            OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let parent = self.parent(path)?;
        let file = rustix::fs::openat(&parent, path.name(), flags, Mode::empty())?;
        if Stamp::of(&rustix::fs::fstat(&file)?).kind() != EntryType::File {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        Ok(File::from(file))
    }

    /// Whether permissions are why a path could not be read.
    ///
    /// The error alone does not say: a security module, a network file system or a parent directory
    /// refuses in the same words. So faccessat(2) is asked about this very path, with the effective
    /// ids (`AT_EACCESS`), which are those that opening uses. Only a plain refusal there makes the
    /// path unreadable, which is tolerated; any other error is reported.
    pub(crate) fn forbids(&self, path: &RelPath, kind: EntryType, error: &io::Error) -> bool {
        if error.kind() != io::ErrorKind::PermissionDenied {
            return false;
        }
        let wanted = match kind {
            EntryType::Dir => Access::READ_OK | Access::EXEC_OK,
            EntryType::File | EntryType::Link | EntryType::Special => Access::READ_OK,
        };
        if path.is_top() {
            let asked = rustix::fs::accessat(&self.base, ".", wanted, AtFlags::EACCESS);
            return asked == Err(Errno::ACCESS);
        }
        self.parent(path).is_ok_and(|parent| {
            let asked = rustix::fs::accessat(&parent, path.name(), wanted, AtFlags::EACCESS);
            asked == Err(Errno::ACCESS)
        })
    }

    pub(crate) fn link_target(&self, path: &RelPath) -> io::Result<Vec<u8>> {
        let parent = self.parent(path)?;
        let target = rustix::fs::readlinkat(&parent, path.name(), Vec::new())?;
        Ok(target.into_bytes())
    }

    pub(crate) fn sync_dir(&self, path: &RelPath) -> io::Result<()> {
        Ok(rustix::fs::fsync(self.dir(path)?)?)
    }
}

/// Whether an error means that nothing is at a path: it was removed a moment ago, or a directory above
/// it is now a file or a link.
pub(crate) fn is_gone(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::NotFound || leads_through_file(error)
}

/// Whether a component of a path was a link or a file. For a link, open(2) with `O_NOFOLLOW` gives
/// `ELOOP` on Linux and macOS, `ENOTDIR` with `O_DIRECTORY` on Linux, and `EMLINK` on FreeBSD.
pub(crate) fn leads_through_file(error: &io::Error) -> bool {
    let refusals = [Errno::LOOP, Errno::NOTDIR, Errno::MLINK];
    error.kind() == io::ErrorKind::NotADirectory
        || refusals.iter().any(|errno| error.raw_os_error() == Some(errno.raw_os_error()))
}
