//! Copies: what a file holds, its attributes, owner, mode and times.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::os::fd::{AsFd, OwnedFd};

use rustix::fs::{AtFlags, FileType, Mode, OFlags, SeekFrom, Stat, Timespec, Timestamps};
use rustix::io::Errno;

use super::at::open_file;
use super::making::{new_file, set_fd_ids, set_ids};
use super::owned::owned_file;
use super::{At, Attributes, Beneath, Visit, open_dir, visit};
use crate::RelPath;
use crate::stamp::Ids;

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

impl At<'_> {
    /// Copies what is no directory to a path where nothing is; `false` where nothing is to be copied.
    pub(crate) fn copy_to(&self, new: &Self) -> io::Result<bool> {
        let parent = self.parent()?;
        let stat = match rustix::fs::statat(&parent, self.name(), AtFlags::SYMLINK_NOFOLLOW) {
            Err(Errno::NOENT) => return Ok(false),
            stat => stat?,
        };
        copy_one((&parent, self.name()), (&new.parent()?, new.name()), &stat, Copy::OURS)?;
        Ok(true)
    }

    /// Copies whatever is at a path to one where nothing is, as far as there is room. Pipes, sockets and
    /// devices are left out. Files below the directory `shared` in it are linked where the file system is the same. After an error,
    /// part of the copy is there.
    pub(crate) fn copy_all(
        &self,
        new: &At<'_>,
        room: &mut Room,
        shared: Option<&str>,
    ) -> io::Result<()> {
        let Some(stamp) = self.stamp()? else {
            return Ok(());
        };
        let (from, to) = (self.parent()?, new.parent()?);
        let stat = rustix::fs::statat(&from, self.name(), AtFlags::SYMLINK_NOFOLLOW)?;
        let mut copying = Copying { room, shared, depth: 0, in_shared: 0 };
        if !stamp.is_dir() {
            return copying.one((&from, self.name()), (&to, new.name()), &stat);
        }
        rustix::fs::mkdirat(&to, new.name(), Mode::RWXU)?;
        let tops = [open_dir(&from, self.name())?, open_dir(&to, new.name())?];
        let [_, to] = visit(tops, &mut copying)?;
        finish_dir(&to, &stat)
    }
}

struct Copying<'a> {
    room: &'a mut Room,
    shared: Option<&'a str>,
    /// How many directories deep we are, and in one that is shared.
    depth: usize,
    in_shared: usize,
}

impl Copying<'_> {
    fn one(
        &mut self,
        from: (&OwnedFd, &[u8]),
        to: (&OwnedFd, &[u8]),
        stat: &Stat,
    ) -> io::Result<()> {
        let kind = FileType::from_raw_mode(stat.st_mode);
        let is_file = kind == FileType::RegularFile;
        let link = || rustix::fs::linkat(from.0, from.1, to.0, to.1, AtFlags::empty());
        if is_file && self.in_shared > 0 && link().is_ok() {
            return self.room.take(0);
        }
        self.room.take(if is_file { stat.st_size as u64 } else { 0 })?;
        match kind {
            FileType::RegularFile | FileType::Symlink => copy_one(from, to, stat, Copy::default()),
            _ => Ok(()),
        }
    }
}

impl Visit<2> for Copying<'_> {
    fn enter(&mut self, above: &[OwnedFd; 2], name: &[u8], _: &Stat) -> io::Result<[OwnedFd; 2]> {
        self.room.take(0)?;
        let is_shared = self.shared.is_some_and(|shared| shared.as_bytes() == name);
        if self.in_shared > 0 || (self.depth == 0 && is_shared) {
            self.in_shared += 1;
        }
        self.depth += 1;
        rustix::fs::mkdirat(&above[1], name, Mode::RWXU)?;
        Ok([open_dir(&above[0], name)?, open_dir(&above[1], name)?])
    }

    fn leaf(&mut self, dirs: &[OwnedFd; 2], name: &[u8], stat: &Stat) -> io::Result<()> {
        self.one((&dirs[0], name), (&dirs[1], name), stat)
    }

    fn leave(
        &mut self,
        _: &[OwnedFd; 2],
        dirs: &[OwnedFd; 2],
        _: &[u8],
        stat: &Stat,
    ) -> io::Result<()> {
        self.depth -= 1;
        self.in_shared = self.in_shared.saturating_sub(1);
        finish_dir(&dirs[1], stat)
    }
}

/// How a file is copied.
#[derive(Clone, Copy, Default)]
pub(super) struct Copy {
    /// The original is ours to read, whatever its mode says.
    is_ours: bool,
    durable: bool,
}

impl Copy {
    pub(super) const OURS: Self = Self { is_ours: true, durable: false };
    /// The original goes next.
    pub(super) const MOVED: Self = Self { is_ours: true, durable: true };
}

/// Copies what is no directory to a name that nothing has, in whole or not at all.
pub(super) fn copy_one(
    from: (&OwnedFd, &[u8]),
    to: (&OwnedFd, &[u8]),
    stat: &Stat,
    how: Copy,
) -> io::Result<()> {
    match FileType::from_raw_mode(stat.st_mode) {
        FileType::RegularFile => {
            let mut source = match how.is_ours {
                true => owned_file(from.0, from.1)?,
                false => open_file(from.0, from.1, OFlags::RDONLY)?,
            };
            let mut target = new_file(to.0, to.1, 0o600)?;
            let copied = fill(&mut source, &mut target)
                .and_then(|()| if how.durable { target.sync_all() } else { Ok(()) });
            copied.inspect_err(|_| {
                let _ = rustix::fs::unlinkat(to.0, to.1, AtFlags::empty());
            })
        }
        FileType::Symlink => {
            let target = rustix::fs::readlinkat(from.0, from.1, Vec::new())?;
            rustix::fs::symlinkat(target, to.0, to.1)?;
            set_ids(to.0, to.1, Ids::of(stat))
        }
        kind @ (FileType::Fifo | FileType::CharacterDevice | FileType::BlockDevice) => {
            let mode = Mode::from_raw_mode(stat.st_mode);
            Ok(rustix::fs::mknodat(to.0, to.1, kind, mode, stat.st_rdev)?)
        }
        // A socket is nothing without the process that made it.
        _ => Ok(()),
    }
}

/// Gives an empty file what another one holds, and its attributes, owner, mode and times.
pub(crate) fn fill(source: &mut File, target: &mut File) -> io::Result<()> {
    let stat = rustix::fs::fstat(&*source)?;
    copy_data(source, target)?;
    Attributes::of(source)?.give(target)?;
    finish(target, &stat)
}

/// Gives a copy of a directory the owner, mode and times of its original.
pub(super) fn finish_dir(copy: &OwnedFd, stat: &Stat) -> io::Result<()> {
    finish(copy, stat)
}

/// A change of owner takes the bits of setuid away, so the mode comes after it.
fn finish(copy: impl AsFd, stat: &Stat) -> io::Result<()> {
    set_fd_ids(&copy, Ids::of(stat))?;
    rustix::fs::fchmod(&copy, Mode::from_raw_mode(stat.st_mode))?;
    let at = |seconds, nanoseconds| Timespec { tv_sec: seconds, tv_nsec: nanoseconds };
    let times = Timestamps {
        last_access: at(stat.st_atime as _, stat.st_atime_nsec as _),
        last_modification: at(stat.st_mtime as _, stat.st_mtime_nsec as _),
    };
    Ok(rustix::fs::futimens(&copy, &times)?)
}

/// Copies what a file holds to an empty one, and leaves its holes holes. Where the file system can, both share
/// their blocks.
pub(crate) fn copy_data(from: &mut File, to: &mut File) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    if rustix::fs::ioctl_ficlone(&*to, &*from).is_ok() {
        return Ok(());
    }
    let len = from.metadata()?.len();
    let mut at = 0;
    while at < len {
        let begin = match rustix::fs::seek(&*from, SeekFrom::Data(at)) {
            Ok(begin) => begin,
            Err(Errno::NXIO) => break,
            // Not every file system answers.
            Err(_) => at,
        };
        let end = rustix::fs::seek(&*from, SeekFrom::Hole(begin)).unwrap_or(len);
        from.seek(io::SeekFrom::Start(begin))?;
        to.seek(io::SeekFrom::Start(begin))?;
        io::copy(&mut (&*from).take(end - begin), to)?;
        at = end;
    }
    to.set_len(len)
}

impl Beneath {
    /// Whether the file system lets two files share their blocks.
    pub(crate) fn shares_blocks(&self) -> bool {
        let [one, other] = [".ftl-one", ".ftl-two"].map(|name| self.at(&RelPath::new(name)));
        let tried = || -> io::Result<bool> {
            rustix::io::write(&one.new_file()?, b"1")?;
            Ok(rustix::fs::ioctl_ficlone(&other.new_file()?, &one.file()?).is_ok())
        };
        let shares = tried().unwrap_or(false);
        for path in [one, other] {
            let _ = path.remove();
        }
        shares
    }
}
