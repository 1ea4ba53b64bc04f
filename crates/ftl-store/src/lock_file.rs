//! Lock files: how they are opened, what they hold, and when a file system has none.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, FileExt};
use std::path::Path;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use rustix::io::Errno;
use rustix::process::{Pid, test_kill_process};

/// Between two looks at what keeps a lock: the caller decides how long to wait.
pub(super) const PAUSE: Duration = Duration::from_millis(50);

/// How many bytes of a lock file are read, since anybody may have written to it.
const MAX_TEXT: usize = 1 << 20;

/// What to do when a lock is held.
pub enum Waiting<'a> {
    /// Give up with [`StoreError::Held`](crate::StoreError::Held).
    Refuse,
    /// Wait while this, given the holder's process id about twenty times a second, says so.
    While(&'a mut dyn FnMut(Option<u32>) -> bool),
}

/// Waits for a lock in the system's queue, where requests are served in the order in which they came; for as long as
/// `go_on` says. Returns whether the lock was taken.
pub(super) fn queue(
    file: &File,
    lock: fn(&File) -> io::Result<()>,
    go_on: &mut dyn FnMut() -> bool,
) -> io::Result<bool> {
    if !go_on() {
        return Ok(false);
    }
    // Only a signal stops flock(2), so a thread waits. It has the same open file, which the lock belongs to; if
    // nothing waits for the thread any more, it closes what it gets.
    let (same, (sender, taken)) = (file.try_clone()?, mpsc::channel());
    let wait = move || {
        let again = |taken: &io::Result<()>| {
            taken.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::Interrupted)
        };
        let mut taken = lock(&same);
        while again(&taken) {
            taken = lock(&same);
        }
        drop(sender.send(taken));
    };
    drop(thread::Builder::new().spawn(wait)?);
    loop {
        match taken.recv_timeout(PAUSE) {
            Ok(taken) => return taken.map(|()| true),
            Err(RecvTimeoutError::Timeout) if go_on() => {}
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return Ok(false),
        }
    }
}

pub(super) fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)
}

/// [`open`], with the directories above, for their owner alone, where they are missing.
pub(super) fn open_private(path: &Path) -> io::Result<File> {
    match (open(path), path.parent()) {
        (Err(error), Some(dir)) if error.kind() == io::ErrorKind::NotFound => {
            DirBuilder::new().recursive(true).mode(0o700).create(dir)?;
            open(path)
        }
        (opened, _) => opened,
    }
}

/// Writes who holds a lock file, which is empty.
pub(super) fn write_holder(file: &File, run: &str) -> io::Result<()> {
    file.write_all_at(format!("{}\n{run}\n", std::process::id()).as_bytes(), 0)
}

pub(super) fn read_text(file: &File) -> Option<String> {
    let (mut text, mut buffer) = (Vec::new(), [0; 4096]);
    while text.len() < MAX_TEXT {
        match file.read_at(&mut buffer, text.len() as u64) {
            Ok(0) => break,
            Ok(count) => text.extend_from_slice(&buffer[..count]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return None,
        }
    }
    String::from_utf8(text).ok()
}

/// The process named in a lock file, if it is alive: a killed holder leaves its id behind. kill(2) with
/// signal 0 gives `EPERM` for a living process of another user. An id may have been used again by then,
/// which is why it is for messages only.
pub(super) fn read_holder(file: &File) -> Option<u32> {
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
