//! Lock files: how they are opened, what they hold, and when a file system has none.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::path::Path;
use std::time::Duration;

use rustix::io::Errno;
use rustix::process::{Pid, test_kill_process};

/// Between two attempts at a lock that is held. flock(2) can wait by itself, but only a signal stops it,
/// and the caller decides how long to wait.
pub(super) const PAUSE: Duration = Duration::from_millis(50);

/// How many bytes of a lock file are read, since anybody may have written to it.
const MAX_TEXT: u64 = 4096;

/// What to do when a lock is held.
pub enum Waiting<'a> {
    /// Give up with [`StoreError::Held`](crate::StoreError::Held).
    Refuse,
    /// Try again about twenty times a second while this, given the holder's process id, says so.
    While(&'a mut dyn FnMut(Option<u32>) -> bool),
}

pub(super) fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)
}

pub(super) fn write_holder(file: &mut File, run: &str) -> io::Result<()> {
    file.set_len(0)?;
    file.rewind()?;
    file.write_all(format!("{}\n{run}\n", std::process::id()).as_bytes())
}

pub(super) fn read_text(file: &mut File) -> Option<String> {
    let mut text = String::new();
    file.rewind().ok()?;
    file.take(MAX_TEXT).read_to_string(&mut text).ok()?;
    Some(text)
}

/// The process named in a lock file, if it is alive: a killed holder leaves its id behind. kill(2) with
/// signal 0 gives `EPERM` for a living process of another user. An id may have been used again by then,
/// which is why it is for messages only.
pub(super) fn read_holder(file: &mut File) -> Option<u32> {
    let text = read_text(file)?;
    let id: u32 = text.lines().next()?.parse().ok()?;
    is_alive(id).then_some(id)
}

/// Whether a process of this ID is alive, of any user. An ID may be in use again.
pub fn is_alive(id: u32) -> bool {
    let pid = i32::try_from(id).ok().and_then(Pid::from_raw);
    pid.is_some_and(|pid| matches!(test_kill_process(pid), Ok(()) | Err(Errno::PERM)))
}

pub(super) fn is_unsupported(error: &io::Error) -> bool {
    matches!(
        Errno::from_io_error(error),
        Some(Errno::NOSYS | Errno::NOTSUP | Errno::NOLCK | Errno::INVAL)
    )
}
