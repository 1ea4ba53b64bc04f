//! Making, changing and removing single things beneath a directory.
//!
//! A file is never wider than it will be: it begins with the owner's bits alone, and gets its owner before
//! the bits of others, so that no other user reads it in between.

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsFd, OwnedFd};
use std::time::SystemTime;

use rustix::fs::{
    AtFlags, CWD, FileType, Gid, Mode, OFlags, Timespec, Timestamps, UTIME_OMIT, Uid,
};
use rustix::io::Errno;

use super::at::open_file;
use super::{At, Attributes, is_gone, stamp_of};
use crate::stamp::{Ids, SECOND, Stamp};

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

impl Rights<'_> {
    /// Gives them to an open file.
    ///
    /// The mode is set on the descriptor at last, since the mode given to openat(2) loses the bits of the
    /// umask, a change of owner takes the bits of setuid away, and an access control list brings a mode of
    /// its own.
    pub(crate) fn give(&self, file: &File) -> io::Result<()> {
        if let Some(ids) = self.ids {
            set_fd_ids(file, ids)?;
        }
        if !self.attributes.is_empty() {
            // Attributes of the user need a file that its owner may write.
            rustix::fs::fchmod(file, Mode::RUSR | Mode::WUSR)?;
        }
        self.attributes.give(file)?;
        Ok(rustix::fs::fchmod(file, Mode::from_raw_mode(self.permissions as _))?)
    }
}

impl At<'_> {
    /// Makes the directories above the path that are missing.
    pub(crate) fn make_parents(&self) -> io::Result<()> {
        let missing: Vec<_> = self.path.ancestors().collect();
        for dir in missing.iter().rev() {
            match self.beneath.at(dir).make_dir() {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
                _ => {}
            }
        }
        Ok(())
    }

    pub(crate) fn make_dir(&self) -> io::Result<()> {
        self.make_dir_as(0o777)
    }

    /// Makes a directory that its owner alone may enter, until it gets its mode.
    pub(crate) fn make_private_dir(&self) -> io::Result<()> {
        self.make_dir_as(OWNER)
    }

    fn make_dir_as(&self, mode: u32) -> io::Result<()> {
        Ok(rustix::fs::mkdirat(self.parent()?, self.name(), Mode::from_raw_mode(mode as _))?)
    }

    /// Makes a file that was not there, with its owner and mode. Nothing is synced, neither
    /// the file nor its name. Without `rights`, the umask decides as for any new file.
    pub(crate) fn make_file(
        &self,
        bytes: &mut dyn Read,
        rights: Option<Rights<'_>>,
    ) -> io::Result<File> {
        let first = rights.map_or(0o666, |rights| rights.permissions & OWNER);
        let mut file = new_file(&*self.parent()?, self.name(), first)?;
        fill_new(&mut file, bytes, rights)?;
        Ok(file)
    }

    /// Makes an empty file that was not there, for its owner alone until it gets its mode.
    pub(crate) fn new_file(&self) -> io::Result<File> {
        new_file(&*self.parent()?, self.name(), 0o600)
    }

    /// Opens a regular file that is there, to write it again in place: its directory may take no other name.
    pub(crate) fn file_to_overwrite(&self) -> io::Result<File> {
        let file = open_file(&*self.parent()?, self.name(), OFlags::WRONLY)?;
        file.set_len(0)?;
        Ok(file)
    }

    pub(crate) fn make_link(&self, target: &[u8]) -> io::Result<()> {
        Ok(rustix::fs::symlinkat(target, self.parent()?, self.name())?)
    }

    /// Makes a pipe, for its owner alone until it gets its mode.
    pub(crate) fn make_pipe(&self) -> io::Result<()> {
        let mode = Mode::RUSR | Mode::WUSR;
        Ok(rustix::fs::mknodat(self.parent()?, self.name(), FileType::Fifo, mode, 0)?)
    }

    pub(crate) fn remove(&self) -> io::Result<()> {
        Ok(rustix::fs::unlinkat(self.parent()?, self.name(), AtFlags::empty())?)
    }

    /// Removes what is no directory, if anything is there.
    pub(crate) fn remove_if_there(&self) -> io::Result<()> {
        match self.remove() {
            Err(error) if is_gone(&error) => Ok(()),
            removed => removed,
        }
    }

    pub(crate) fn remove_dir(&self) -> io::Result<()> {
        Ok(rustix::fs::unlinkat(self.parent()?, self.name(), AtFlags::REMOVEDIR)?)
    }

    /// Gives what is at the path, and is not followed, to its owner, where we may: only root can.
    pub(crate) fn set_ids(&self, ids: Ids) -> io::Result<()> {
        if self.path.is_top() {
            return set_fd_ids(&self.beneath.base, ids);
        }
        set_ids(&*self.parent()?, self.name(), ids)
    }

    /// Sets the permission bits of what is no link.
    pub(crate) fn set_permissions(&self, permissions: u32) -> io::Result<()> {
        // By the descriptor: of the top no directory above is held open.
        if self.path.is_top() {
            let mode = Mode::from_raw_mode(permissions as _);
            return Ok(rustix::fs::fchmod(&self.beneath.base, mode)?);
        }
        set_mode(&*self.parent()?, self.name(), permissions)
    }

    /// Sets the modification time of what is at the path, which is not followed, in nanoseconds since the
    /// epoch.
    pub(crate) fn set_modified(&self, at: i64) -> io::Result<()> {
        let times = modified(at);
        if self.path.is_top() {
            return Ok(rustix::fs::futimens(&self.beneath.base, &times)?);
        }
        let flags = AtFlags::SYMLINK_NOFOLLOW;
        Ok(rustix::fs::utimensat(self.parent()?, self.name(), &times, flags)?)
    }

    /// Brings the name to the disk. Not every file system can.
    pub(crate) fn sync_parent(&self) -> io::Result<()> {
        match rustix::fs::fsync(self.parent()?) {
            Err(Errno::INVAL) => Ok(()),
            done => Ok(done?),
        }
    }
}

/// Gives an empty file its content and rights, and this moment as its time.
fn fill_new(file: &mut File, bytes: &mut dyn Read, rights: Option<Rights<'_>>) -> io::Result<()> {
    io::copy(bytes, file)?;
    // By the clock itself: the file system's lags behind it, and what was built from the version before could
    // have the same time.
    file.set_modified(SystemTime::now())?;
    rights.map_or(Ok(()), |rights| rights.give(file))
}

/// Times of which the modification time is set, in nanoseconds since the epoch.
pub(crate) fn modified(at: i64) -> Timestamps {
    Timestamps {
        last_access: Timespec { tv_sec: 0, tv_nsec: UTIME_OMIT },
        last_modification: Timespec { tv_sec: at / SECOND, tv_nsec: (at % SECOND) as _ },
    }
}

pub(super) fn new_file(dir: &OwnedFd, name: &[u8], mode: u32) -> io::Result<File> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
    Ok(File::from(rustix::fs::openat(dir, name, flags, Mode::from_raw_mode(mode as _))?))
}

/// Sets the permission bits of a name, which is not followed.
pub(super) fn set_mode(dir: &OwnedFd, name: &[u8], permissions: u32) -> io::Result<()> {
    let mode = Mode::from_raw_mode(permissions as _);
    #[cfg(target_os = "linux")]
    {
        use std::os::fd::AsRawFd;
        // A file that no one may open can still be named by `O_PATH`. fchmod(2) refuses such a
        // descriptor (`EBADF`), and fchmodat(2) takes `AT_SYMLINK_NOFOLLOW` only since Linux 6.6,
        // so the mode is set through its name in `/proc`, which leads to the same file.
        let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let named = rustix::fs::openat(dir, name, flags, Mode::empty())?;
        let path = format!("/proc/self/fd/{}", named.as_raw_fd());
        Ok(rustix::fs::chmodat(CWD, path, mode, AtFlags::empty())?)
    }
    #[cfg(not(target_os = "linux"))]
    {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = rustix::fs::openat(dir, name, flags, Mode::empty())?;
        Ok(rustix::fs::fchmod(file, mode)?)
    }
}

/// Gives a name, which is not followed, to its owner.
pub(super) fn set_ids(dir: &OwnedFd, name: &[u8], ids: Ids) -> io::Result<()> {
    let flags = AtFlags::SYMLINK_NOFOLLOW;
    if Stamp::of(&rustix::fs::statat(dir, name, flags)?).ids == ids {
        return Ok(());
    }
    give(ids, |owner, group| rustix::fs::chownat(dir, name, owner, group, flags))
}

pub(super) fn set_fd_ids(file: impl AsFd, ids: Ids) -> io::Result<()> {
    if stamp_of(&file)?.ids == ids {
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
            let at = beneath.at(&RelPath::new("file"));
            let rights = Rights { permissions, ids: None, attributes: Attributes::NONE };
            at.make_file(&mut content, Some(rights)).unwrap();
            let seen = content.seen.unwrap();
            assert_eq!(seen & !permissions, 0, "{permissions:o} began as {seen:o}");
            let now = content.at.metadata().unwrap().permissions().mode();
            assert_eq!(now & 0o777, permissions);
            at.remove().unwrap();
        }
    }
}
