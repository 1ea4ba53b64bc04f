use std::time::SystemTime;

use rustix::fs::{FileType, Stat};
use serde::{Deserialize, Serialize};

/// What `lstat` says of a path, as far as it shows a change.
///
/// The change time cannot be set by a program, so equal stamps mean equal content, unless both
/// were taken within one tick of the file system's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Stamp {
    pub(super) mode: u32,
    pub(super) size: u64,
    pub(super) inode: u64,
    pub(super) modified: i64,
    pub(super) changed: i64,
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

/// `S_IFREG`, the same everywhere.
const REGULAR: u32 = 0o100_000;
const PERMISSIONS: u32 = 0o7777;
const SECOND: i64 = 1_000_000_000;

/// Coarser than the clock of any file system in use.
const TICK: i64 = SECOND / 10;

impl Stamp {
    /// Of directories only kind and mode count: their times change with what is in them.
    #[expect(
        clippy::unnecessary_cast,
        clippy::useless_conversion,
        reason = "the widths of these fields differ between systems"
    )]
    pub(super) fn of(stat: &Stat) -> Self {
        let mode = u32::from(stat.st_mode);
        if FileType::from_raw_mode(stat.st_mode) == FileType::Directory {
            return Self {
                mode,
                size: 0,
                inode: 0,
                modified: 0,
                changed: 0,
            };
        }
        let nanoseconds = |seconds: i64, rest: i64| seconds.saturating_mul(SECOND) + rest;
        Self {
            mode,
            size: stat.st_size as u64,
            inode: stat.st_ino as u64,
            modified: nanoseconds(stat.st_mtime as i64, stat.st_mtime_nsec as i64),
            changed: nanoseconds(stat.st_ctime as i64, stat.st_ctime_nsec as i64),
        }
    }

    /// What is known of a regular file without looking at it.
    pub(super) fn of_file(permissions: u32, size: u64) -> Self {
        Self {
            mode: REGULAR | permissions,
            size,
            inode: 0,
            modified: 0,
            changed: 0,
        }
    }

    pub(super) fn kind(&self) -> EntryType {
        match FileType::from_raw_mode(self.mode as _) {
            FileType::RegularFile => EntryType::File,
            FileType::Directory => EntryType::Dir,
            FileType::Symlink => EntryType::Link,
            _ => EntryType::Special,
        }
    }

    /// The permission bits.
    pub(super) fn permissions(&self) -> u32 {
        self.mode & PERMISSIONS
    }

    /// Whether a change after `taken` must show in the stamp.
    pub(super) fn settled_at(&self, taken: i64) -> bool {
        is_before(self.changed, taken)
    }
}

/// Whether the file system's clock, which ticks, said so certainly before `moment`, which is by the
/// system's clock.
pub(super) fn is_before(time: i64, moment: i64) -> bool {
    time.saturating_add(TICK) < moment
}

/// The time now, in the unit of stamps.
pub(super) fn now() -> i64 {
    nanoseconds(SystemTime::now())
}

/// Since the epoch.
pub(super) fn nanoseconds(at: SystemTime) -> i64 {
    let since = at.duration_since(SystemTime::UNIX_EPOCH);
    i64::try_from(since.unwrap_or_default().as_nanos()).unwrap_or(i64::MAX)
}
