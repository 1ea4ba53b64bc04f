//! Copies: what a file holds, its attributes, owner, mode and times.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::os::fd::{AsFd, OwnedFd};

use rustix::fs::{AtFlags, FileType, Mode, OFlags, SeekFrom, Stat, Timespec, Timestamps};
use rustix::io::Errno;

use super::at::open_file;
use super::making::{new_file, set_fd_ids, set_ids};
use super::owned::{owned_dir, owned_file};
use super::{At, Attributes, Beneath, VisitStep, open_dir, visit};
use crate::RelPath;
use crate::stamp::{Ids, Stamp};

/// How much may be copied.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Room {
    pub(crate) files: u64,
    pub(crate) bytes: u64,
    /// What limits the bytes, for messages.
    pub(crate) of: &'static str,
    /// The originals are ours to read, also against their modes.
    pub(crate) are_ours: bool,
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
        copy_one((&parent, self.name()), (&*new.parent()?, new.name()), &stat, Copy::OURS)?;
        Ok(true)
    }

    /// Copies whatever is at a path to one where nothing is, as far as there is room. Pipes, sockets and
    /// devices are left out. After an error, part of the copy is there.
    pub(crate) fn copy_all(&self, new: &At<'_>, room: &mut Room) -> io::Result<()> {
        if self.stamp()?.is_none() {
            return Ok(());
        }
        let (from, to) = (self.parent()?, new.parent()?);
        let (from, to) = ((&*from, self.name()), (&*to, new.name()));
        let stat = rustix::fs::statat(from.0, from.1, AtFlags::SYMLINK_NOFOLLOW)?;
        if !Stamp::of(&stat).is_dir() {
            return copy_within(room, from, to, &stat);
        }
        let are_ours = room.are_ours;
        let begin = |from: (&OwnedFd, &[u8]), to: (&OwnedFd, &[u8])| {
            rustix::fs::mkdirat(to.0, to.1, Mode::RWXU)?;
            let original = match are_ours {
                true => owned_dir(from.0, from.1)?,
                false => open_dir(from.0, from.1)?,
            };
            Ok::<_, io::Error>([original, open_dir(to.0, to.1)?])
        };
        let [_, copy] = visit(begin(from, to)?, &mut |entry, step| {
            match step {
                VisitStep::Enter => {
                    room.take(0)?;
                    return begin(entry.on(0), entry.on(1)).map(Some);
                }
                VisitStep::Leaf => {
                    copy_within(room, entry.on(0), entry.on(1), entry.stat)?;
                }
                VisitStep::Leave([_, copy]) => {
                    finish(copy, entry.stat)?;
                }
            }
            Ok(None)
        })?;
        finish(&copy, &stat)
    }
}

/// Copies what is no directory as far as there is room.
fn copy_within(
    room: &mut Room,
    from: (&OwnedFd, &[u8]),
    to: (&OwnedFd, &[u8]),
    stat: &Stat,
) -> io::Result<()> {
    let kind = FileType::from_raw_mode(stat.st_mode);
    let is_file = kind == FileType::RegularFile;
    room.take(if is_file { stat.st_size as u64 } else { 0 })?;
    match kind {
        FileType::RegularFile | FileType::Symlink => {
            let how = if room.are_ours { Copy::OURS } else { Copy::default() };
            copy_one(from, to, stat, how)
        }
        _ => Ok(()),
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

/// Gives a copy the owner, mode and times of its original. A change of owner takes the bits of setuid away, so the
/// mode comes after it.
pub(super) fn finish(copy: impl AsFd, stat: &Stat) -> io::Result<()> {
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
