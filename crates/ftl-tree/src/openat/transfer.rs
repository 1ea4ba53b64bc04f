//! Moving what rename(2) cannot move: a copy on the other file system, and an end to the original,
//! piece by piece.
//!
//! A tree may be deeper than a process may have open files, and deeper than a stack. So one directory is
//! open on each side, the names that are left are kept in a list, and the way up is `..`, which is checked
//! to be where the way down began. A file is removed once its copy is whole: a move that fails leaves
//! every byte on one of the sides.

use std::ffi::CString;
use std::fs::File;
use std::io::{self, Read, Seek};
use std::os::fd::OwnedFd;

use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, SeekFrom, Stat, Timespec, Timestamps};
use rustix::io::Errno;

use crate::openat::DIR;
use crate::openat::owned::{ENTER, READ, gives, is_refusal, make_writable};

/// A directory on the way down.
struct Frame {
    /// Its name in the directory above, on both sides.
    name: CString,
    /// What is still to be moved.
    left: Vec<CString>,
    /// The directory above it on both sides, as `fstat` knows them.
    above: [(u64, u64); 2],
    stat: Stat,
}

/// A directory on both sides.
struct Pair {
    from: OwnedFd,
    to: OwnedFd,
}

pub(crate) fn move_across(from: (&OwnedFd, &[u8]), to: (&OwnedFd, &[u8])) -> io::Result<()> {
    let stat = rustix::fs::statat(from.0, from.1, AtFlags::SYMLINK_NOFOLLOW)?;
    if kind(&stat) != FileType::Directory {
        return move_one(from, to, &stat);
    }
    rustix::fs::mkdirat(to.0, to.1, Mode::RWXU)?;
    let mut here = Pair { from: open_any(from.0, from.1)?, to: open(to.0, to.1)? };
    let mut frames = vec![Frame {
        left: names(&here.from)?,
        above: [place(from.0)?, place(to.0)?],
        name: CString::new(from.1)?,
        stat,
    }];
    while let Some(mut frame) = frames.pop() {
        let Some(next) = frame.left.pop() else {
            let above =
                Pair { from: up(&here.from, frame.above[0])?, to: up(&here.to, frame.above[1])? };
            // Not before the way up is open: the mode may forbid it.
            finish(&here.to, &frame.stat)?;
            here = above;
            remove(&here.from, frame.name.as_bytes(), AtFlags::REMOVEDIR)?;
            continue;
        };
        frames.push(frame);
        let bytes = next.as_bytes();
        let stat = match rustix::fs::statat(&here.from, bytes, AtFlags::SYMLINK_NOFOLLOW) {
            Err(Errno::NOENT) => continue,
            stat => stat?,
        };
        if kind(&stat) == FileType::Directory {
            rustix::fs::mkdirat(&here.to, bytes, Mode::RWXU)?;
            let above = [place(&here.from)?, place(&here.to)?];
            let below = Pair { from: open_any(&here.from, bytes)?, to: open(&here.to, bytes)? };
            frames.push(Frame { left: names(&below.from)?, above, name: next, stat });
            here = below;
        } else {
            move_one((&here.from, bytes), (&here.to, bytes), &stat)?;
        }
    }
    Ok(())
}

/// Moves what is no directory.
fn move_one(from: (&OwnedFd, &[u8]), to: (&OwnedFd, &[u8]), stat: &Stat) -> io::Result<()> {
    match kind(stat) {
        FileType::RegularFile => copy_file(from, to, stat)?,
        FileType::Symlink => {
            let target = rustix::fs::readlinkat(from.0, from.1, Vec::new())?;
            rustix::fs::symlinkat(target, to.0, to.1)?;
        }
        FileType::Fifo | FileType::CharacterDevice | FileType::BlockDevice => {
            let mode = Mode::from_raw_mode(stat.st_mode);
            rustix::fs::mknodat(to.0, to.1, kind(stat), mode, stat.st_rdev)?;
        }
        // A socket is nothing without the process that made it.
        _ => {}
    }
    remove(from.0, from.1, AtFlags::empty())
}

fn copy_file(from: (&OwnedFd, &[u8]), to: (&OwnedFd, &[u8]), stat: &Stat) -> io::Result<()> {
    let read = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let write = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
    let opened = match rustix::fs::openat(from.0, from.1, read, Mode::empty()) {
        // Its owner moves it all the same. The copy gets the mode that it had.
        Err(Errno::ACCESS) if !gives(stat.st_mode as _, READ) => {
            rustix::fs::chmodat(from.0, from.1, Mode::RUSR | Mode::WUSR, AtFlags::empty())?;
            rustix::fs::openat(from.0, from.1, read, Mode::empty())?
        }
        opened => opened?,
    };
    let mut old = File::from(opened);
    let first = Mode::RUSR | Mode::WUSR;
    let mut new = File::from(rustix::fs::openat(to.0, to.1, write, first)?);
    let copied = copy_data(&mut old, &mut new);
    let new = OwnedFd::from(new);
    let whole = copied
        .and_then(|()| finish(&new, stat))
        // Its original goes next.
        .and_then(|()| Ok(rustix::fs::fsync(&new)?));
    whole.inspect_err(|_| {
        let _ = remove(to.0, to.1, AtFlags::empty());
    })
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

/// Gives a copy the mode and the times of its original.
fn finish(copy: &OwnedFd, stat: &Stat) -> io::Result<()> {
    rustix::fs::fchmod(copy, Mode::from_raw_mode(stat.st_mode))?;
    let time = |seconds, nanoseconds: i64| Timespec { tv_sec: seconds, tv_nsec: nanoseconds };
    let times = Timestamps {
        last_access: time(stat.st_atime as _, stat.st_atime_nsec as _),
        last_modification: time(stat.st_mtime as _, stat.st_mtime_nsec as _),
    };
    Ok(rustix::fs::futimens(copy, &times)?)
}

fn kind(stat: &Stat) -> FileType {
    FileType::from_raw_mode(stat.st_mode)
}

fn open(dir: &OwnedFd, name: &[u8]) -> io::Result<OwnedFd> {
    Ok(rustix::fs::openat(dir, name, DIR | OFlags::RDONLY, Mode::empty())?)
}

/// Opens a directory, to empty it, that its own mode may keep its owner from.
fn open_any(dir: &OwnedFd, name: &[u8]) -> io::Result<OwnedFd> {
    let opened = open_closed(dir, name)?;
    make_writable(&opened)?;
    Ok(opened)
}

fn open_closed(dir: &OwnedFd, name: &[u8]) -> io::Result<OwnedFd> {
    match open(dir, name) {
        Err(refused) if is_refusal(&refused) => {
            let stat = rustix::fs::statat(dir, name, AtFlags::SYMLINK_NOFOLLOW)?;
            if gives(stat.st_mode as _, ENTER) {
                return Err(refused);
            }
            rustix::fs::chmodat(dir, name, Mode::RWXU, AtFlags::empty())?;
            open(dir, name)
        }
        opened => opened,
    }
}

fn place(dir: &OwnedFd) -> io::Result<(u64, u64)> {
    let stat = rustix::fs::fstat(dir)?;
    Ok((stat.st_dev as u64, stat.st_ino as u64))
}

fn up(dir: &OwnedFd, expected: (u64, u64)) -> io::Result<OwnedFd> {
    let above = open(dir, b"..")?;
    if place(&above)? == expected {
        Ok(above)
    } else {
        Err(io::Error::other("a directory was moved at the same time"))
    }
}

fn names(dir: &OwnedFd) -> io::Result<Vec<CString>> {
    let mut names = Vec::new();
    let mut entries = Dir::read_from(dir)?;
    while let Some(entry) = entries.read() {
        let name = entry?.file_name().to_owned();
        if !matches!(name.as_bytes(), b"." | b"..") {
            names.push(name);
        }
    }
    Ok(names)
}

fn remove(dir: &OwnedFd, name: &[u8], flags: AtFlags) -> io::Result<()> {
    match rustix::fs::unlinkat(dir, name, flags) {
        Err(Errno::NOENT) => Ok(()),
        done => Ok(done?),
    }
}
