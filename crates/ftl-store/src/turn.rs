//! The order in which builds side by side get the lock of the root.
//!
//! Landings follow each other as they came: one at a time waits for the root, and the others for it. A refresh takes a
//! moment and lets an agent begin, so it goes ahead of every landing that waits: it shares a second lock while it
//! waits, and a landing that gets the root and finds that one shared gives the root back.
//!
//! A landing waits for refreshes only while it does not hold the root, so no two can wait for each other.

use std::fs::{File, TryLockError};
use std::io::{self, ErrorKind};
use std::path::Path;

use super::error::StoreError;
use super::files::Operation;
use super::layout::Layout;
use super::lock::{Lock, acquire};
use super::lock_file::{Waiting, is_unsupported, open, queue};

/// What the root is locked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// A delta lands.
    Landing,
    /// A slot is refreshed.
    Refresh,
}

impl Lock {
    /// Locks what is kept beside the records of tasks that are sealed and committed at the same time.
    pub fn committing(layout: &Layout, mut waiting: Waiting<'_>) -> Result<Self, StoreError> {
        acquire(&layout.locks_dir().join("commit"), "the next commit", "", &mut waiting)
    }

    /// Locks the root as [`Lock::root`] does, for one of several builds side by side, when it is its turn.
    pub fn root_in_turn(
        layout: &Layout,
        top: &Path,
        run: &str,
        turn: Turn,
        go_on: &mut dyn FnMut(Option<u32>) -> bool,
    ) -> Result<Self, StoreError> {
        let path = layout.locks_dir().join("refresh");
        let failed = |error: io::Error| Operation::Lock.failed(&path, error);
        let refresh = open(&path).map_err(failed)?;
        if turn == Turn::Refresh {
            let shared = wait(&refresh, File::try_lock_shared, File::lock_shared, go_on);
            shared.map_err(failed)?;
            return Self::root(layout, top, run, Waiting::While(go_on));
        }
        let place = layout.locks_dir().join("landing");
        let mut waiting = Waiting::While(&mut *go_on);
        let _place = acquire(&place, "the next landing", "", &mut waiting)?;
        loop {
            let root = Self::root(layout, top, run, Waiting::While(&mut *go_on))?;
            match refresh.try_lock() {
                Err(TryLockError::WouldBlock) => drop(root),
                Err(TryLockError::Error(_)) | Ok(()) => return Ok(root),
            }
            wait(&refresh, File::try_lock, File::lock, go_on).map_err(failed)?;
            refresh.unlock().map_err(failed)?;
        }
    }
}

/// Takes a lock. Without locks, and if the user interrupts, it is not taken: the lock of the root decides.
fn wait(
    file: &File,
    now: fn(&File) -> Result<(), TryLockError>,
    later: fn(&File) -> io::Result<()>,
    go_on: &mut dyn FnMut(Option<u32>) -> bool,
) -> io::Result<()> {
    match now(file) {
        Ok(()) => Ok(()),
        Err(TryLockError::Error(error)) if is_unsupported(&error) => Ok(()),
        Err(TryLockError::Error(error)) if error.kind() != ErrorKind::Interrupted => Err(error),
        Err(_) => queue(file, later, &mut || go_on(None)).map(drop),
    }
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use std::fs;
    use std::os::unix::fs::MetadataExt;
    use std::sync::{Mutex, mpsc};
    use std::thread;

    use super::Turn;
    use crate::{Layout, Lock, OsFiles, Waiting};

    /// Requests in the system's queues for the locks of a project.
    fn queued(layout: &Layout) -> usize {
        let files = fs::read_dir(layout.locks_dir()).unwrap();
        let inodes: Vec<String> =
            files.map(|file| format!(":{} ", file.unwrap().metadata().unwrap().ino())).collect();
        let locks = fs::read_to_string("/proc/locks").unwrap();
        let is_ours = |line: &&str| inodes.iter().any(|inode| line.contains(inode));
        locks.lines().filter(|line| line.contains("->")).filter(is_ours).count()
    }

    #[test]
    fn landings_keep_their_order_and_refreshes_go_ahead_of_them() {
        let temp = tempfile::tempdir().unwrap();
        let layout = Layout::new(temp.path());
        layout.prepare(&OsFiles).unwrap();
        let (layout, served) = (&layout, &Mutex::new(Vec::new()));
        let held = Lock::root(layout, layout.root(), "", Waiting::Refuse).unwrap();
        let requests = [
            ("first", Turn::Landing),
            ("second", Turn::Landing),
            ("third", Turn::Landing),
            ("refresh", Turn::Refresh),
        ];
        thread::scope(|scope| {
            for (number, (name, turn)) in (1..).zip(requests) {
                let (waits, begun) = mpsc::channel();
                scope.spawn(move || {
                    let mut go_on = |_| {
                        if queued(layout) >= number {
                            let _ = waits.send(());
                        }
                        true
                    };
                    let lock =
                        Lock::root_in_turn(layout, layout.root(), "", turn, &mut go_on).unwrap();
                    served.lock().unwrap().push(name);
                    drop(lock);
                });
                begun.recv().unwrap();
            }
            drop(held);
        });
        assert_eq!(*served.lock().unwrap(), ["refresh", "first", "second", "third"]);
    }
}
