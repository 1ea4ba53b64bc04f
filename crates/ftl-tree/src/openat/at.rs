//! A path beneath an open directory, and looking at what is there.

use std::ffi::CString;
use std::fs::File;
use std::io;
use std::ops::Deref;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::PathBuf;

use rustix::fs::{Access, AtFlags, Mode, OFlags};
use rustix::io::Errno;

use super::{Beneath, descent, stamp_of};
use crate::stamp::{self, EntryType, Stamp};
use crate::{RelPath, TreeError};

/// A path beneath a directory that is held open.
#[derive(Clone, Debug)]
pub(crate) struct At<'a> {
    pub(super) beneath: &'a Beneath,
    pub(crate) path: RelPath,
}

/// The directory that holds a name: the one that is held open anyway, or one beneath it.
#[derive(Debug)]
pub(crate) enum ParentDir<'a> {
    Base(&'a OwnedFd),
    Opened(OwnedFd),
}

impl Deref for ParentDir<'_> {
    type Target = OwnedFd;

    fn deref(&self) -> &OwnedFd {
        match self {
            Self::Base(dir) => dir,
            Self::Opened(dir) => dir,
        }
    }
}

impl AsFd for ParentDir<'_> {
    fn as_fd(&self) -> BorrowedFd<'_> {
        (**self).as_fd()
    }
}

impl Beneath {
    pub(crate) fn at(&self, path: &RelPath) -> At<'_> {
        At { beneath: self, path: path.clone() }
    }
}

impl<'a> At<'a> {
    /// For messages.
    pub(crate) fn full(&self) -> PathBuf {
        match self.path.as_path() {
            root if root.as_os_str().is_empty() => self.beneath.path.clone(),
            path => self.beneath.path.join(path),
        }
    }

    /// Makes an error at this path one of the tree.
    pub(crate) fn failed(
        &self,
        action: &'static str,
    ) -> impl FnOnce(io::Error) -> TreeError + use<> {
        TreeError::io(action, self.full())
    }

    /// A name in this directory.
    pub(crate) fn join(&self, name: &[u8]) -> Self {
        Self { beneath: self.beneath, path: self.path.join(name) }
    }

    /// Another path beneath the same directory.
    pub(crate) fn elsewhere(&self, path: &RelPath) -> Self {
        Self { beneath: self.beneath, path: path.clone() }
    }

    /// The directory above.
    pub(crate) fn above(&self) -> Self {
        Self { beneath: self.beneath, path: self.path.split().0 }
    }

    pub(crate) fn name(&self) -> &[u8] {
        self.path.name()
    }

    /// The directory at this path, opened.
    pub(crate) fn dir(&self) -> io::Result<OwnedFd> {
        self.beneath.dir(&self.path)
    }

    /// The directory that holds the name.
    pub(crate) fn parent(&self) -> io::Result<ParentDir<'a>> {
        let above = self.path.split().0;
        if above.is_top() {
            return Ok(ParentDir::Base(&self.beneath.base));
        }
        Ok(ParentDir::Opened(self.beneath.dir(&above)?))
    }

    /// The stamp of what is at the path; `None` when nothing is. An error of kind
    /// [`NotADirectory`](io::ErrorKind::NotADirectory) when a directory above it is now a file or
    /// a link.
    pub(crate) fn look(&self) -> io::Result<Option<Stamp>> {
        if self.path.is_top() {
            return stamp_of(&self.beneath.base).map(Some);
        }
        let parent = match self.parent() {
            Ok(parent) => parent,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) if leads_through_file(&error) => {
                return Err(io::ErrorKind::NotADirectory.into());
            }
            Err(error) => return Err(error),
        };
        match rustix::fs::statat(&parent, self.name(), AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => Ok(Some(Stamp::of(&stat))),
            Err(Errno::NOENT) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// The same, where it does not matter whether a directory above it is one.
    pub(crate) fn stamp(&self) -> io::Result<Option<Stamp>> {
        match self.look() {
            Err(error) if is_gone(&error) => Ok(None),
            stamp => stamp,
        }
    }

    /// The same, as an error of the tree.
    pub(crate) fn found(&self) -> Result<Option<Stamp>, TreeError> {
        self.stamp().map_err(self.failed("look at"))
    }

    pub(crate) fn kind(&self) -> io::Result<Option<EntryType>> {
        Ok(self.stamp()?.map(|stamp| stamp.kind()))
    }

    /// When a directory was modified, in nanoseconds since the epoch.
    pub(crate) fn modified(&self) -> io::Result<i64> {
        Ok(stamp::nanoseconds(File::from(self.dir()?).metadata()?.modified()?))
    }

    /// The names in a directory, sorted.
    pub(crate) fn names(&self) -> io::Result<Vec<Vec<u8>>> {
        sorted_names(&self.dir()?)
    }

    /// Opens a regular file to read it.
    pub(crate) fn file(&self) -> io::Result<File> {
        open_file(&*self.parent()?, self.name(), OFlags::RDONLY)
    }

    pub(crate) fn link_target(&self) -> io::Result<Vec<u8>> {
        Ok(rustix::fs::readlinkat(self.parent()?, self.name(), Vec::new())?.into_bytes())
    }

    /// Whether permissions are why a path could not be read.
    ///
    /// The error alone does not say: a security module, a network file system or a parent directory
    /// refuses in the same words. So faccessat(2) is asked about this very path, with the effective
    /// ids (`AT_EACCESS`), which are those that opening uses. Only a plain refusal there makes the
    /// path unreadable, which is tolerated; any other error is reported.
    pub(crate) fn forbids(&self, kind: EntryType, error: &io::Error) -> bool {
        if error.kind() != io::ErrorKind::PermissionDenied {
            return false;
        }
        let wanted = match kind {
            EntryType::Dir => Access::READ_OK | Access::EXEC_OK,
            EntryType::File | EntryType::Link | EntryType::Special => Access::READ_OK,
        };
        let asked = |dir: &OwnedFd, name: &[u8]| {
            rustix::fs::accessat(dir, name, wanted, AtFlags::EACCESS) == Err(Errno::ACCESS)
        };
        if self.path.is_top() {
            return asked(&self.beneath.base, b".");
        }
        self.parent().is_ok_and(|parent| asked(&parent, self.name()))
    }
}

fn sorted_names(dir: &OwnedFd) -> io::Result<Vec<Vec<u8>>> {
    let names = descent::names(dir)?.into_iter();
    let mut names: Vec<_> = names.map(CString::into_bytes).collect();
    names.sort();
    Ok(names)
}

/// Opens a regular file, and nothing else.
///
/// `O_NONBLOCK` is for a pipe that took the file's place: opening one waits for a writer
/// otherwise, for ever perhaps. The type is then checked on the descriptor, not by name.
pub(super) fn open_file(dir: &OwnedFd, name: &[u8], access: OFlags) -> io::Result<File> {
    let flags = access | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let file = rustix::fs::openat(dir, name, flags, Mode::empty())?;
    if stamp_of(&file)?.kind() != EntryType::File {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    Ok(File::from(file))
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
