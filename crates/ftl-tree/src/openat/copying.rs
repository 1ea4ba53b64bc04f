//! Copies of files and directories, with their attributes, modes and times.

use std::fs::File;
use std::io;

use rustix::fs::{AtFlags, Mode, OFlags, Timespec, Timestamps};

use crate::RelPath;
use crate::openat::{Attributes, Beneath, copy_data};
use crate::stamp::{EntryType, Stamp};

/// How much may be copied.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Room {
    pub(crate) files: u64,
    pub(crate) bytes: u64,
    /// What limits the bytes, for messages.
    pub(crate) of: &'static str,
}

impl Room {
    fn take(&mut self, bytes: u64) -> io::Result<()> {
        let left = (self.files.checked_sub(1), self.bytes.checked_sub(bytes));
        let (Some(files), Some(bytes)) = left else {
            let unit = if left.0.is_none() { "files" } else { "bytes" };
            return Err(io::Error::other(format!("more {unit} than {}", self.of)));
        };
        (self.files, self.bytes) = (files, bytes);
        Ok(())
    }
}

/// Gives an empty file the content of another one, its attributes, mode and times.
pub(crate) fn fill(source: &mut File, target: &mut File) -> io::Result<()> {
    let stamp = Stamp::of(&rustix::fs::fstat(&*source)?);
    copy_data(source, target)?;
    Attributes::of(source)?.give(target)?;
    rustix::fs::fchmod(&*target, Mode::from_raw_mode(stamp.permissions() as _))?;
    keep_times(source, target)
}

pub(crate) fn keep_times(from: &File, to: &File) -> io::Result<()> {
    let stat = rustix::fs::fstat(from)?;
    let at = |seconds, nanoseconds| Timespec { tv_sec: seconds, tv_nsec: nanoseconds };
    let times = Timestamps {
        last_access: at(stat.st_atime as _, stat.st_atime_nsec as _),
        last_modification: at(stat.st_mtime as _, stat.st_mtime_nsec as _),
    };
    Ok(rustix::fs::futimens(to, &times)?)
}

impl Beneath {
    /// Makes a file that was not there, for its owner alone until it gets its mode.
    pub(crate) fn new_file(&self, path: &RelPath) -> io::Result<File> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
        let dir = self.parent(path)?;
        Ok(File::from(rustix::fs::openat(&dir, path.name(), flags, Mode::from_raw_mode(0o600))?))
    }

    /// Copies a directory to an empty one, as far as there is room. Of paths that `shares` accepts, which are
    /// relative to the directory, the files are linked where the file system is the same. Pipes, sockets and
    /// devices are left out. After an error, part of the copy is there.
    pub(crate) fn copy_dir(
        &self,
        top: &RelPath,
        to: &Self,
        target: &RelPath,
        room: &mut Room,
        shares: impl Fn(&RelPath) -> bool,
    ) -> io::Result<()> {
        let mut dirs = vec![(RelPath::default(), self.stamp(top)?)];
        let mut next = 0;
        while let Some((dir, _)) = dirs.get(next).cloned() {
            next += 1;
            for name in self.names(&top.append(&dir))? {
                let path = dir.join(&name);
                let (old, new) = (top.append(&path), target.append(&path));
                let Some(stamp) = self.stamp(&old)? else {
                    continue;
                };
                let is_shared = stamp.kind() == EntryType::File && shares(&path);
                if is_shared && self.link(&old, to, &new) {
                    room.take(0)?;
                    continue;
                }
                room.take(if stamp.kind() == EntryType::File { stamp.size } else { 0 })?;
                match stamp.kind() {
                    EntryType::Dir => {
                        to.make_private_dir(&new)?;
                        dirs.push((path, Some(stamp)));
                    }
                    EntryType::Link => to.make_link(&new, &self.link_target(&old)?)?,
                    EntryType::File => fill(&mut self.file(&old)?, &mut to.new_file(&new)?)?,
                    EntryType::Special => {}
                }
                if stamp.kind() != EntryType::Special {
                    to.set_ids(&new, stamp.ids)?;
                }
            }
        }
        for (path, stamp) in dirs.iter().rev() {
            if let Some(stamp) = stamp {
                let path = target.append(path);
                to.set_ids(&path, stamp.ids)?;
                to.set_permissions(&path, stamp.permissions())?;
            }
        }
        Ok(())
    }

    /// Copies whatever is at a path to one where nothing is, see [`copy_dir`](Self::copy_dir).
    pub(crate) fn copy_any(
        &self,
        from: &RelPath,
        to: &Self,
        path: &RelPath,
        room: &mut Room,
    ) -> io::Result<()> {
        let Some(stamp) = self.stamp(from)? else {
            return Ok(());
        };
        match stamp.kind() {
            EntryType::Dir => {
                to.make_private_dir(path)?;
                self.copy_dir(from, to, path, room, |_| false)
            }
            EntryType::Link => to.make_link(path, &self.link_target(from)?),
            EntryType::File => {
                room.take(stamp.size)?;
                fill(&mut self.file(from)?, &mut to.new_file(path)?)
            }
            EntryType::Special => Ok(()),
        }
    }

    /// Whether the file system lets two files share their blocks.
    pub(crate) fn shares_blocks(&self) -> bool {
        let paths = [RelPath::new(".ftl-one"), RelPath::new(".ftl-two")];
        let tried = || -> io::Result<bool> {
            let one = self.new_file(&paths[0])?;
            rustix::io::write(&one, b"1")?;
            let other = self.new_file(&paths[1])?;
            let one = self.file(&paths[0])?;
            Ok(rustix::fs::ioctl_ficlone(&other, &one).is_ok())
        };
        let shares = tried().unwrap_or(false);
        for path in &paths {
            let _ = self.remove(path);
        }
        shares
    }

    /// Whether a file could be linked.
    fn link(&self, old: &RelPath, to: &Self, new: &RelPath) -> bool {
        let linked = || -> io::Result<()> {
            let (source, target) = (self.parent(old)?, to.parent(new)?);
            let none = AtFlags::empty();
            Ok(rustix::fs::linkat(source, old.name(), target, new.name(), none)?)
        };
        linked().is_ok()
    }
}
