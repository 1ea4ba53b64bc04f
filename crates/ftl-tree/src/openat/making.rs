//! Making, changing and removing single things beneath a directory.
//!
//! A file is never wider than it will be: it begins with the owner's bits alone, and gets its owner before
//! the bits of others, so that no other user reads it in between.

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsFd, OwnedFd};

use rustix::fs::{AtFlags, CWD, Gid, Mode, OFlags, Timespec, Timestamps, UTIME_OMIT, Uid};
use rustix::io::Errno;

use crate::RelPath;
use crate::openat::{Attributes, Beneath, DIR};
use crate::stamp::{Ids, SECOND};

/// What a file gets besides its content.
#[derive(Clone, Copy)]
pub(crate) struct Rights<'a> {
    pub(crate) permissions: u32,
    /// Without them it belongs to the user who makes it.
    pub(crate) ids: Option<Ids>,
    pub(crate) attributes: &'a Attributes,
}

/// The bits of an owner.
const OWNER: u32 = 0o700;

impl Beneath {
    /// Makes the directories above `path` that are missing.
    pub(crate) fn make_parents(&self, path: &RelPath) -> io::Result<()> {
        let mut missing: Vec<_> = path.ancestors().collect();
        while let Some(dir) = missing.pop() {
            match self.make_dir(&dir) {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
                _ => {}
            }
        }
        Ok(())
    }

    pub(crate) fn make_dir(&self, path: &RelPath) -> io::Result<()> {
        self.make_dir_as(path, 0o777)
    }

    /// Makes a directory that its owner alone may enter, until it gets its mode.
    pub(crate) fn make_private_dir(&self, path: &RelPath) -> io::Result<()> {
        self.make_dir_as(path, OWNER)
    }

    fn make_dir_as(&self, path: &RelPath, mode: u32) -> io::Result<()> {
        let mode = Mode::from_raw_mode(mode as _);
        Ok(rustix::fs::mkdirat(self.parent(path)?, path.name(), mode)?)
    }

    /// Opens a directory, and makes it and those above it where they are missing, for no other user to
    /// enter. Goes from one to the next, so that the path may be longer than the system takes.
    pub(crate) fn private_dir(&self, path: &RelPath) -> io::Result<OwnedFd> {
        let open = |dir: &OwnedFd, name: &[u8]| {
            rustix::fs::openat(dir, name, DIR | OFlags::RDONLY, Mode::empty())
        };
        let (above, name) = path.split();
        if !path.is_top()
            && let Ok(above) = self.dir(&above)
            && matches!(
                rustix::fs::mkdirat(&above, name, Mode::from_raw_mode(OWNER as _)),
                Ok(()) | Err(Errno::EXIST)
            )
        {
            return Ok(open(&above, name)?);
        }
        let mut dir = open(&self.base, b".")?;
        for name in path.components() {
            match rustix::fs::mkdirat(&dir, name, Mode::from_raw_mode(OWNER as _)) {
                Ok(()) | Err(Errno::EXIST) => {}
                Err(error) => return Err(error.into()),
            }
            dir = open(&dir, name)?;
        }
        Ok(dir)
    }

    /// Makes a file that was not there, with its owner and mode. Nothing is synced, neither
    /// the file nor its name.
    ///
    /// The mode is set on the descriptor at last, since the mode given to openat(2) loses the bits of the
    /// umask, a change of owner takes the bits of setuid away, and an access control list brings a mode of
    /// its own. Without `rights`, the umask decides as for any new file.
    pub(crate) fn make_file(
        &self,
        path: &RelPath,
        bytes: &mut dyn Read,
        rights: Option<Rights<'_>>,
    ) -> io::Result<File> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
        let parent = self.parent(path)?;
        let first =
            Mode::from_raw_mode(rights.map_or(0o666, |rights| rights.permissions & OWNER) as _);
        let mut file = File::from(rustix::fs::openat(&parent, path.name(), flags, first)?);
        io::copy(bytes, &mut file)?;
        if let Some(rights) = rights {
            if let Some(ids) = rights.ids {
                set_fd_ids(&file, ids)?;
            }
            set_fd_attributes(&file, rights.attributes)?;
            rustix::fs::fchmod(&file, Mode::from_raw_mode(rights.permissions as _))?;
        }
        Ok(file)
    }

    /// Opens a regular file that is there, to write it again in place: its directory may take no other name.
    pub(crate) fn file_to_overwrite(&self, path: &RelPath) -> io::Result<File> {
        let flags =
            OFlags::WRONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let parent = self.parent(path)?;
        let file = File::from(rustix::fs::openat(&parent, path.name(), flags, Mode::empty())?);
        if !file.metadata()?.is_file() {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        file.set_len(0)?;
        Ok(file)
    }

    pub(crate) fn make_link(&self, path: &RelPath, target: &[u8]) -> io::Result<()> {
        let parent = self.parent(path)?;
        Ok(rustix::fs::symlinkat(target, parent, path.name())?)
    }

    /// Within this directory; replaces a file that has the new name.
    pub(crate) fn rename(&self, from: &RelPath, to: &RelPath) -> io::Result<()> {
        let (old, new) = (self.parent(from)?, self.parent(to)?);
        Ok(rustix::fs::renameat(old, from.name(), new, to.name())?)
    }

    pub(crate) fn remove(&self, path: &RelPath) -> io::Result<()> {
        let parent = self.parent(path)?;
        Ok(rustix::fs::unlinkat(parent, path.name(), AtFlags::empty())?)
    }

    pub(crate) fn remove_dir(&self, path: &RelPath) -> io::Result<()> {
        let parent = self.parent(path)?;
        Ok(rustix::fs::unlinkat(parent, path.name(), AtFlags::REMOVEDIR)?)
    }

    /// Gives what is at the path, and is not followed, to its owner, where we may: only root can.
    pub(crate) fn set_ids(&self, path: &RelPath, ids: Ids) -> io::Result<()> {
        if path.is_top() {
            return set_fd_ids(&self.base, ids);
        }
        let parent = self.parent(path)?;
        let flags = AtFlags::SYMLINK_NOFOLLOW;
        if Ids::of(&rustix::fs::statat(&parent, path.name(), flags)?) == ids {
            return Ok(());
        }
        give(ids, |owner, group| rustix::fs::chownat(&parent, path.name(), owner, group, flags))
    }

    /// Sets the permission bits of what is no link.
    pub(crate) fn set_permissions(&self, path: &RelPath, permissions: u32) -> io::Result<()> {
        let mode = Mode::from_raw_mode(permissions as _);
        // By the descriptor: of the top no directory above is held open.
        if path.is_top() {
            return Ok(rustix::fs::fchmod(&self.base, mode)?);
        }
        #[cfg(target_os = "linux")]
        {
            // A file that no one may open can still be named by `O_PATH`. fchmod(2) refuses such a
            // descriptor (`EBADF`), and fchmodat(2) takes `AT_SYMLINK_NOFOLLOW` only since Linux 6.6,
            // so the mode is set through its name in `/proc`, which leads to the same file.
            let named = self.named(path)?;
            Ok(rustix::fs::chmodat(CWD, proc_name(&named), mode, AtFlags::empty())?)
        }
        #[cfg(not(target_os = "linux"))]
        {
            let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
            let parent = self.parent(path)?;
            let file = rustix::fs::openat(&parent, path.name(), flags, Mode::empty())?;
            Ok(rustix::fs::fchmod(file, mode)?)
        }
    }

    /// Sets the modification time of what is at the path, which is not followed, in nanoseconds since the
    /// epoch.
    pub(crate) fn set_modified(&self, path: &RelPath, at: i64) -> io::Result<()> {
        let times = Timestamps {
            last_access: Timespec { tv_sec: 0, tv_nsec: UTIME_OMIT },
            last_modification: Timespec { tv_sec: at / SECOND, tv_nsec: (at % SECOND) as _ },
        };
        if path.is_top() {
            return Ok(rustix::fs::futimens(&self.base, &times)?);
        }
        let flags = AtFlags::SYMLINK_NOFOLLOW;
        Ok(rustix::fs::utimensat(self.parent(path)?, path.name(), &times, flags)?)
    }

    /// What is at a path, without opening it.
    #[cfg(target_os = "linux")]
    pub(crate) fn named(&self, path: &RelPath) -> io::Result<OwnedFd> {
        let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let parent = self.parent(path)?;
        Ok(rustix::fs::openat(&parent, path.name(), flags, Mode::empty())?)
    }

    /// Brings all that was written to this file system to the disk, in one call for any number of
    /// files; `false` where there is no such call.
    pub(crate) fn sync_all(&self) -> io::Result<bool> {
        #[cfg(target_os = "linux")]
        {
            rustix::fs::syncfs(&self.base)?;
            Ok(true)
        }
        #[cfg(not(target_os = "linux"))]
        {
            Ok(false)
        }
    }
}

/// Leaves the mode to be set.
fn set_fd_attributes(file: &File, attributes: &Attributes) -> io::Result<()> {
    if !attributes.is_empty() {
        // Attributes of the user need a file that its owner may write.
        rustix::fs::fchmod(file, Mode::RUSR | Mode::WUSR)?;
    }
    attributes.give(file)
}

fn set_fd_ids(file: impl AsFd, ids: Ids) -> io::Result<()> {
    if Ids::of(&rustix::fs::fstat(&file)?) == ids {
        return Ok(());
    }
    give(ids, |owner, group| rustix::fs::fchown(&file, owner, group))
}

/// Changes the owner by `change`, or the group alone, which may still be one of ours.
fn give(
    ids: Ids,
    change: impl Fn(Option<Uid>, Option<Gid>) -> rustix::io::Result<()>,
) -> io::Result<()> {
    let (owner, group) = (Uid::from_raw(ids.owner), Gid::from_raw(ids.group));
    match change(Some(owner), Some(group)) {
        Err(Errno::PERM) => match change(None, Some(group)) {
            Err(Errno::PERM) => Ok(()),
            done => Ok(done?),
        },
        done => Ok(done?),
    }
}

/// The name in `/proc` of what a descriptor names.
#[cfg(target_os = "linux")]
pub(crate) fn proc_name(named: &OwnedFd) -> String {
    use std::os::fd::AsRawFd;
    format!("/proc/self/fd/{}", named.as_raw_fd())
}

#[cfg(test)]
mod tests {
    use std::io::{self, Read};
    use std::os::unix::fs::PermissionsExt;
    use std::path::PathBuf;

    use crate::RelPath;
    use crate::openat::{Attributes, Beneath, Rights};

    /// Looks at the mode of the file that it is copied into.
    struct Looking {
        at: PathBuf,
        seen: Option<u32>,
    }

    impl Read for Looking {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            self.seen = Some(self.at.metadata()?.permissions().mode() & 0o777);
            Ok(0)
        }
    }

    #[test]
    fn a_file_is_never_wider_than_it_will_be() {
        let dir = tempfile::tempdir().unwrap();
        let beneath = Beneath::open(dir.path()).unwrap();
        for permissions in [0o600, 0o400, 0o644, 0o000] {
            let mut content = Looking { at: dir.path().join("file"), seen: None };
            let path = RelPath::new("file");
            let rights = Rights { permissions, ids: None, attributes: Attributes::NONE };
            beneath.make_file(&path, &mut content, Some(rights)).unwrap();
            let seen = content.seen.unwrap();
            assert_eq!(seen & !permissions, 0, "{permissions:o} began as {seen:o}");
            let now = content.at.metadata().unwrap().permissions().mode();
            assert_eq!(now & 0o777, permissions);
            beneath.remove(&path).unwrap();
        }
    }
}
