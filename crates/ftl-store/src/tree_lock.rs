//! The lock of a tree: no other builder in it, around it or within it.
//!
//! Each project has separate locks, but two projects of which one contains the other share files, and
//! their builders would undo each other's. So a builder also locks directories themselves, by flock(2):
//! the top of its tree for itself alone, and every directory above as one of many. A builder further up
//! finds its own top taken by one of the many; one further down finds a directory above it taken. Two
//! projects beside each other meet only where both are one of many.
//!
//! A directory is the same through whatever link it is reached, for every user and with every state
//! directory, no project has to know of the others, and an implementer cannot delete the lock without the
//! directory. A directory above that the user may not read is passed over, and so is a file system without
//! such locks. A directory has no content to say who holds it, so the kernel is asked (`/proc/locks`).

use std::fs::{self, File, TryLockError};
use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::error::StoreError;
use super::files::Operation;
use super::layout::Layout;
use super::lock_file::{PAUSE, Waiting, is_unsupported, read_holder, read_text};

/// A directory that another builder has.
struct Conflict {
    dir: PathBuf,
    is_top: bool,
    pid: Option<u32>,
}

/// Locks the tree below `top`; closing the files gives it back.
pub(super) fn acquire(top: &Path, waiting: &mut Waiting<'_>) -> Result<Vec<File>, StoreError> {
    let top = top.canonicalize().map_err(|error| Operation::Lock.failed(top, error))?;
    let mut second_look = true;
    loop {
        let conflict = match attempt(&top)? {
            Ok(held) => return Ok(held),
            Err(conflict) => conflict,
        };
        let again = match waiting {
            // A builder that is refused itself holds it for a moment only.
            Waiting::Refuse => std::mem::take(&mut second_look),
            Waiting::While(go_on) => go_on(conflict.pid),
        };
        if !again {
            return Err(conflict.refused());
        }
        std::thread::sleep(PAUSE);
    }
}

/// All of them or none: a builder that waits holds none that another might wait for.
fn attempt(top: &Path) -> Result<Result<Vec<File>, Conflict>, StoreError> {
    let mut held = Vec::new();
    for dir in top.ancestors() {
        let is_top = dir == top;
        let file = match File::open(dir) {
            Ok(file) => file,
            Err(error) if !is_top && error.kind() == ErrorKind::PermissionDenied => continue,
            Err(error) => return Err(Operation::Lock.failed(dir, error).into()),
        };
        match lock(&file, is_top) {
            Ok(()) => held.push(file),
            Err(TryLockError::WouldBlock) => {
                return Ok(Err(Conflict {
                    dir: dir.to_owned(),
                    is_top,
                    pid: holder(&file, is_top),
                }));
            }
            Err(TryLockError::Error(error)) if is_unsupported(&error) => {}
            Err(TryLockError::Error(error)) => {
                return Err(Operation::Lock.failed(dir, error).into());
            }
        }
    }
    Ok(Ok(held))
}

fn lock(file: &File, alone: bool) -> Result<(), TryLockError> {
    loop {
        let taken = if alone { file.try_lock() } else { file.try_lock_shared() };
        match taken {
            Err(TryLockError::Error(error)) if error.kind() == ErrorKind::Interrupted => {}
            taken => return taken,
        }
    }
}

impl Conflict {
    /// The task that the holder builds, if its project is at the directory.
    fn task(&self) -> Option<String> {
        let locks = Layout::new(&self.dir).locks_dir();
        let file = File::open(locks.join("root")).ok()?;
        let text = read_text(&file).filter(|_| read_holder(&file) == self.pid)?;
        let (task, _) = text.lines().nth(1)?.split_once('/')?;
        Some(task.to_owned())
    }

    fn refused(self) -> StoreError {
        let what = if self.is_top { "the tree" } else { "a tree that contains the project" };
        let task = self.task();
        let task = task.map_or_else(String::new, |task| format!(", where `{task}` is built,"));
        let what = format!("{what}{task}");
        StoreError::Held { what, pid: self.pid, path: self.dir }
    }
}

/// The process that holds a directory, as the kernel says; `None` where it does not.
fn holder(dir: &File, anyhow: bool) -> Option<u32> {
    let inode = dir.metadata().ok()?.ino();
    let locks = fs::read_to_string("/proc/locks").ok()?;
    holder_in(&locks, inode, anyhow)
}

/// A line is `1: FLOCK  ADVISORY  WRITE 1234 08:01:131073 0 EOF`; one of a process that waits has `->` after
/// the number, and one of another container no process. The device is not compared: for some file systems
/// it differs from that of `stat`.
fn holder_in(locks: &str, inode: u64, anyhow: bool) -> Option<u32> {
    let own = std::process::id();
    locks.lines().find_map(|line| {
        let fields: Vec<&str> = line.split_ascii_whitespace().collect();
        let [_, "FLOCK", _, kind, pid, place, ..] = fields[..] else {
            return None;
        };
        let is_it = place.rsplit(':').next()?.parse() == Ok(inode) && (anyhow || kind == "WRITE");
        let pid: u32 = pid.parse().ok()?;
        (is_it && pid != 0 && pid != own).then_some(pid)
    })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{acquire, holder_in};
    use crate::{StoreError, Waiting};

    fn is_held(top: &Path) -> bool {
        match acquire(top, &mut Waiting::Refuse) {
            Ok(_) => false,
            Err(StoreError::Held { .. }) => true,
            Err(error) => panic!("{error}"),
        }
    }

    #[test]
    fn a_tree_is_held_around_and_within_it_and_not_beside_it() {
        let temp = tempfile::tempdir().unwrap();
        let at = |path: &str| temp.path().join(path);
        std::fs::create_dir_all(at("p/in/deep")).unwrap();
        std::fs::create_dir_all(at("p/beside")).unwrap();
        std::os::unix::fs::symlink(at("p/in"), at("link")).unwrap();
        let held = acquire(&at("p/in"), &mut Waiting::Refuse).unwrap();
        for other in ["p", "p/in", "p/in/deep", "link", "link/deep"] {
            assert!(is_held(&at(other)), "{other}");
        }
        assert!(!is_held(&at("p/beside")));
        drop(held);
        assert!(!is_held(&at("p")), "given back");
    }

    #[test]
    fn a_waiting_builder_gets_the_tree_once_it_is_released() {
        let temp = tempfile::tempdir().unwrap();
        let inner = temp.path().join("in");
        std::fs::create_dir(&inner).unwrap();
        let mut held = Some(acquire(&inner, &mut Waiting::Refuse).unwrap());
        let mut go_on = |_| {
            held = None;
            true
        };
        acquire(temp.path(), &mut Waiting::While(&mut go_on)).unwrap();
    }

    #[test]
    fn the_kernel_names_the_holder() {
        let locks = "1: FLOCK  ADVISORY  READ 41 08:01:7 0 EOF\n\
                     1: -> FLOCK  ADVISORY  WRITE 42 08:01:7 0 EOF\n\
                     2: POSIX  ADVISORY  WRITE 43 08:01:7 0 EOF\n\
                     3: FLOCK  ADVISORY  WRITE 0 08:01:7 0 EOF\n\
                     4: FLOCK  ADVISORY  WRITE 44 08:01:7 0 EOF\n";
        assert_eq!(holder_in(locks, 7, false), Some(44));
        assert_eq!(holder_in(locks, 7, true), Some(41));
        assert_eq!(holder_in(locks, 8, true), None);
    }
}
