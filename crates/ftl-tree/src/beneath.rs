//! File operations below a directory that is held open, by paths that never leave it.
//!
//! Implementers may leave symbolic links in the tree, and may still be running. A plain path is
//! resolved anew by every system call, so that a check and the step after it can be about different
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
//! What a path means (delta, stray, scratch) is not known here.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::fs::{Access, AtFlags, CWD, Dir, Mode, OFlags};
use rustix::io::Errno;

use super::RelPath;
use super::stamp::{EntryType, Stamp};

const DIR: OFlags = OFlags::DIRECTORY
    .union(OFlags::NOFOLLOW)
    .union(OFlags::CLOEXEC);

/// A directory, held open, and everything beneath it. No symbolic link is followed, so that nothing
/// outside can be reached, whatever others do to the tree meanwhile.
#[derive(Debug)]
pub(super) struct Beneath {
    base: OwnedFd,
    path: PathBuf,
}

impl Beneath {
    /// `path` itself may lead through links.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let flags = OFlags::DIRECTORY | OFlags::RDONLY | OFlags::CLOEXEC;
        Ok(Self {
            base: rustix::fs::openat(CWD, path, flags, Mode::empty())?,
            path: path.to_path_buf(),
        })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// For messages.
    pub(super) fn full(&self, path: &RelPath) -> PathBuf {
        self.path.join(path.as_path())
    }

    pub(super) fn dir(&self, path: &RelPath) -> io::Result<OwnedFd> {
        #[cfg(target_os = "linux")]
        {
            use rustix::fs::{ResolveFlags, openat2};
            let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS;
            let name = if path.is_top() { b"." } else { path.bytes() };
            match openat2(
                &self.base,
                name,
                DIR | OFlags::RDONLY,
                Mode::empty(),
                resolve,
            ) {
                // An older kernel; a path over PATH_MAX, which components avoid; a sandbox whose
                // seccomp filter does not know the call and refuses it.
                Err(Errno::NOSYS | Errno::NAMETOOLONG | Errno::PERM) => {}
                done => return Ok(done?),
            }
        }
        self.dir_by_steps(path)
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

    fn parent(&self, path: &RelPath) -> io::Result<OwnedFd> {
        self.dir(&path.split().0)
    }

    /// The stamp of the directory itself.
    pub(super) fn top_stamp(&self) -> io::Result<Stamp> {
        Ok(Stamp::of(&rustix::fs::fstat(&self.base)?))
    }

    /// The names in a directory, sorted.
    pub(super) fn names(&self, path: &RelPath) -> io::Result<Vec<Vec<u8>>> {
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
    pub(super) fn stamp(&self, path: &RelPath) -> io::Result<Option<Stamp>> {
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
    pub(super) fn file(&self, path: &RelPath) -> io::Result<File> {
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
    pub(super) fn forbids(&self, path: &RelPath, kind: EntryType, error: &io::Error) -> bool {
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

    pub(super) fn link_target(&self, path: &RelPath) -> io::Result<Vec<u8>> {
        let parent = self.parent(path)?;
        let target = rustix::fs::readlinkat(&parent, path.name(), Vec::new())?;
        Ok(target.into_bytes())
    }

    /// Makes the directories above `path` that are missing.
    pub(super) fn make_parents(&self, path: &RelPath) -> io::Result<()> {
        let mut missing: Vec<_> = path.ancestors().collect();
        while let Some(dir) = missing.pop() {
            match self.make_dir(&dir) {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
                _ => {}
            }
        }
        Ok(())
    }

    pub(super) fn make_dir(&self, path: &RelPath) -> io::Result<()> {
        let mode = Mode::from_raw_mode(0o777);
        Ok(rustix::fs::mkdirat(self.parent(path)?, path.name(), mode)?)
    }

    /// Makes a file that was not there, with its mode, and syncs it. Its name is synced by
    /// [`sync_dir`](Self::sync_dir), once for all names of a directory.
    ///
    /// The mode is set on the descriptor afterwards, since the mode given to openat(2) loses the bits
    /// of the umask. Without `permissions`, the umask decides as for any new file.
    pub(super) fn make_file(
        &self,
        path: &RelPath,
        bytes: &mut dyn Read,
        permissions: Option<u32>,
    ) -> io::Result<()> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
        let parent = self.parent(path)?;
        let first = Mode::from_raw_mode(0o666);
        let mut file = File::from(rustix::fs::openat(&parent, path.name(), flags, first)?);
        io::copy(bytes, &mut file)?;
        file.flush()?;
        if let Some(permissions) = permissions {
            rustix::fs::fchmod(&file, Mode::from_raw_mode(permissions as _))?;
        }
        file.sync_all()
    }

    pub(super) fn make_link(&self, path: &RelPath, target: &[u8]) -> io::Result<()> {
        Ok(rustix::fs::symlinkat(
            target,
            self.parent(path)?,
            path.name(),
        )?)
    }

    /// Within this directory; replaces a file that has the new name.
    pub(super) fn rename(&self, from: &RelPath, to: &RelPath) -> io::Result<()> {
        let (old, new) = (self.parent(from)?, self.parent(to)?);
        Ok(rustix::fs::renameat(old, from.name(), new, to.name())?)
    }

    pub(super) fn remove(&self, path: &RelPath) -> io::Result<()> {
        Ok(rustix::fs::unlinkat(
            self.parent(path)?,
            path.name(),
            AtFlags::empty(),
        )?)
    }

    pub(super) fn remove_dir(&self, path: &RelPath) -> io::Result<()> {
        Ok(rustix::fs::unlinkat(
            self.parent(path)?,
            path.name(),
            AtFlags::REMOVEDIR,
        )?)
    }

    /// Moves a file, link or directory to `to`, which is not there yet; its directory is.
    ///
    /// rename(2) keeps bytes, mode and times, but not across file systems (`EXDEV`), as where `.ftl`
    /// is a mount of its own: then a file or link is copied and removed. A directory that is not
    /// empty or a device cannot be moved so, and is an error.
    pub(super) fn move_out(&self, path: &RelPath, to: &Path) -> io::Result<()> {
        match rustix::fs::renameat(self.parent(path)?, path.name(), CWD, to) {
            Err(Errno::XDEV) => self.copy_out(path, to),
            done => Ok(done?),
        }
    }

    fn copy_out(&self, path: &RelPath, to: &Path) -> io::Result<()> {
        match self.stamp(path)?.map(|stamp| stamp.kind()) {
            Some(EntryType::File) => {
                io::copy(&mut self.file(path)?, &mut File::create_new(to)?)?;
            }
            Some(EntryType::Link) => {
                std::os::unix::fs::symlink(OsStr::from_bytes(&self.link_target(path)?), to)?;
            }
            Some(EntryType::Dir | EntryType::Special) | None => return Err(Errno::XDEV.into()),
        }
        self.remove(path)
    }

    /// Sets the permission bits of what is no link.
    pub(super) fn set_permissions(&self, path: &RelPath, permissions: u32) -> io::Result<()> {
        let mode = Mode::from_raw_mode(permissions as _);
        // By the descriptor: of the top no directory above is held open.
        if path.is_top() {
            return Ok(rustix::fs::fchmod(&self.base, mode)?);
        }
        let parent = self.parent(path)?;
        #[cfg(target_os = "linux")]
        {
            use std::os::fd::AsRawFd;
            // A file that nobody may open can still be named by `O_PATH`. fchmod(2) refuses such a
            // descriptor (`EBADF`), and fchmodat(2) takes `AT_SYMLINK_NOFOLLOW` only since Linux 6.6,
            // so the mode is set through its name in `/proc`, which leads to the same file.
            let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            let named = rustix::fs::openat(&parent, path.name(), flags, Mode::empty())?;
            let name = format!("/proc/self/fd/{}", named.as_raw_fd());
            Ok(rustix::fs::chmodat(CWD, name, mode, AtFlags::empty())?)
        }
        #[cfg(not(target_os = "linux"))]
        {
            let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
            let file = rustix::fs::openat(&parent, path.name(), flags, Mode::empty())?;
            Ok(rustix::fs::fchmod(file, mode)?)
        }
    }

    pub(super) fn sync_dir(&self, path: &RelPath) -> io::Result<()> {
        Ok(rustix::fs::fsync(self.dir(path)?)?)
    }
}

/// Whether an error means that nothing is at a path: it was removed a moment ago, or a directory above
/// it is now a file or a link.
pub(super) fn is_gone(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::NotFound || leads_through_file(error)
}

/// Whether a component of a path was a link or a file. For a link, open(2) with `O_NOFOLLOW` gives
/// `ELOOP` on Linux and macOS, `ENOTDIR` with `O_DIRECTORY` on Linux, and `EMLINK` on FreeBSD.
fn leads_through_file(error: &io::Error) -> bool {
    let refusals = [Errno::LOOP, Errno::NOTDIR, Errno::MLINK];
    error.kind() == io::ErrorKind::NotADirectory
        || refusals
            .iter()
            .any(|errno| error.raw_os_error() == Some(errno.raw_os_error()))
}
