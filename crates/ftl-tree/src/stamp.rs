//! What `lstat` says of a path, and when that is enough to know that nothing changed.
//!
//! Comparing contents of a whole tree would take seconds, so stamps are kept, as git's index
//! does. The trap is git's own (Documentation/technical/racy-git): a file that is written twice within
//! one tick of the file system's clock has the same times, and with the same size the same stamp, after
//! both writes. Git takes an entry for unchanged only if its time is before that of the index; here a
//! stamp is believed only if its change time is certainly before the time of the look
//! ([`Stamp::settled_at`]). All others are compared by content.
//!
//! The change time is what makes this sound. A program may set the modification time to anything, as
//! `touch -r` and `cp -p` do, but the kernel alone sets the change time, at every write, rename and
//! change of mode. It makes stamps differ in innocent cases, too, which costs a look at the content.

use std::thread;
use std::time::{Duration, SystemTime};

use rustix::fs::{FileType, Stat};
use serde::{Deserialize, Serialize};

/// What `lstat` says of a path, as far as it shows a change. Times are in nanoseconds since the epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "Stored", into = "Stored")]
pub(super) struct Stamp {
    pub(super) mode: u32,
    pub(super) size: u64,
    pub(super) inode: u64,
    pub(super) ids: Ids,
    pub(super) modified: i64,
    pub(super) changed: i64,
}

/// Stored without names, which would be most of the bytes: mode, size, inode, owner, group, times.
type Stored = (u32, u64, u64, u32, u32, i64, i64);

impl From<Stored> for Stamp {
    fn from((mode, size, inode, owner, group, modified, changed): Stored) -> Self {
        Self { mode, size, inode, ids: Ids { owner, group }, modified, changed }
    }
}

impl From<Stamp> for Stored {
    fn from(stamp: Stamp) -> Self {
        let Ids { owner, group } = stamp.ids;
        (stamp.mode, stamp.size, stamp.inode, owner, group, stamp.modified, stamp.changed)
    }
}

/// Whose it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(super) struct Ids {
    pub(super) owner: u32,
    pub(super) group: u32,
}

impl Ids {
    pub(super) fn of(stat: &Stat) -> Self {
        Self { owner: stat.st_uid, group: stat.st_gid }
    }
}

/// The kinds of things that a path can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EntryType {
    /// A regular file.
    File,
    /// A directory.
    Dir,
    /// A symbolic link.
    Link,
    /// A device, pipe or socket.
    Special,
}

const PERMISSIONS: u32 = 0o7777;
pub(super) const SECOND: i64 = 1_000_000_000;

/// Nanoseconds by which a time may lie behind the clock that the process reads.
///
/// Linux stamps files by the clock of the last timer tick, at most 10 ms old (`CONFIG_HZ=100`), so
/// that a file may seem older than a moment that was read before it was written. Ten times that is
/// still nothing beside the age of most files. File systems that keep whole seconds (FAT, ext3, HFS+)
/// are not covered: there a write that keeps the size is missed if it comes within a second of both
/// the write before it and the look.
const TICK: i64 = SECOND / 10;

impl Stamp {
    /// Of directories only type, mode and owner count: their times change with every name in them, and the
    /// names have separate stamps.
    #[expect(
        clippy::unnecessary_cast,
        clippy::useless_conversion,
        reason = "the widths of these fields differ between systems"
    )]
    pub(super) fn of(stat: &Stat) -> Self {
        let mode = u32::from(stat.st_mode);
        let ids = Ids::of(stat);
        if FileType::from_raw_mode(stat.st_mode) == FileType::Directory {
            return Self { mode, size: 0, inode: 0, ids, modified: 0, changed: 0 };
        }
        let nanoseconds = |seconds: i64, rest: i64| seconds.saturating_mul(SECOND) + rest;
        Self {
            mode,
            size: stat.st_size as u64,
            inode: stat.st_ino as u64,
            ids,
            modified: nanoseconds(stat.st_mtime as i64, stat.st_mtime_nsec as i64),
            changed: change_time(stat),
        }
    }

    /// A stamp of anything but a directory that was not looked at. It equals none that was read from the file system.
    pub(super) fn of_type(kind: FileType) -> Self {
        let ids = Ids::default();
        Self { mode: kind.as_raw_mode() as _, size: 0, inode: 0, ids, modified: 0, changed: 0 }
    }

    /// Whether only its type is known.
    pub(super) fn is_type_alone(&self) -> bool {
        *self == Self::of_type(FileType::from_raw_mode(self.mode as _)) && !self.is_dir()
    }

    pub(super) fn kind(&self) -> EntryType {
        match FileType::from_raw_mode(self.mode as _) {
            FileType::RegularFile => EntryType::File,
            FileType::Directory => EntryType::Dir,
            FileType::Symlink => EntryType::Link,
            _ => EntryType::Special,
        }
    }

    /// Whether processes meet there: a pipe or a socket.
    pub(super) fn is_meeting(&self) -> bool {
        let kind = FileType::from_raw_mode(self.mode as _);
        matches!(kind, FileType::Fifo | FileType::Socket)
    }

    pub(super) fn is_pipe(&self) -> bool {
        FileType::from_raw_mode(self.mode as _) == FileType::Fifo
    }

    pub(super) fn is_dir(&self) -> bool {
        self.kind() == EntryType::Dir
    }

    /// The permission bits.
    pub(super) fn permissions(&self) -> u32 {
        self.mode & PERMISSIONS
    }

    /// Whether any change after `taken` shows in the stamp, so that an equal one means equal content.
    pub(super) fn settled_at(&self, taken: i64) -> bool {
        is_before(self.changed, taken)
    }
}

/// When the kernel noted the last change of what is there, a directory too.
#[expect(clippy::unnecessary_cast, reason = "the widths of these fields differ between systems")]
pub(super) fn change_time(stat: &Stat) -> i64 {
    (stat.st_ctime as i64).saturating_mul(SECOND) + stat.st_ctime_nsec as i64
}

/// Which file or directory it is, under any name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Identity {
    /// The file system.
    pub(super) device: u64,
    pub(super) inode: u64,
}

impl Identity {
    #[expect(
        clippy::unnecessary_cast,
        reason = "the widths of these fields differ between systems"
    )]
    pub(super) fn of(stat: &Stat) -> Self {
        Self { device: stat.st_dev as u64, inode: stat.st_ino as u64 }
    }
}

/// Whether `time`, by the file system's clock, is certainly before `moment`, by the process's clock.
pub(super) fn is_before(time: i64, moment: i64) -> bool {
    time.saturating_add(TICK) < moment
}

/// The time now, in the unit of stamps.
pub(super) fn now() -> i64 {
    nanoseconds(SystemTime::now())
}

/// Python's caches are valid for a time in whole seconds and a size. A file touched in the second in which
/// a dropped version of it changed for the `last` time could be taken for that version.
pub(super) fn wait_for_another_second(last: i64) {
    let left = (last / SECOND + 1) * SECOND - now();
    if let Ok(left) = u64::try_from(left.min(SECOND)) {
        thread::sleep(Duration::from_nanos(left));
    }
}

/// Since the epoch.
pub(super) fn nanoseconds(at: SystemTime) -> i64 {
    let since = at.duration_since(SystemTime::UNIX_EPOCH);
    i64::try_from(since.unwrap_or_default().as_nanos()).unwrap_or(i64::MAX)
}
