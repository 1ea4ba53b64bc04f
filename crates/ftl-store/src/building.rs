//! The lock of a command that builds tasks: one for each root.
//!
//! It lists the tasks, so that no other command ends or reopens one of them while they wait for their turn. Those that are
//! being built have a lock each besides.

use std::fs::{File, TryLockError};
use std::path::PathBuf;

use ftl_model::WorkspaceId;

use super::error::StoreError;
use super::files::Operation;
use super::layout::Layout;
use super::lock::{Lock, acquire};
use super::lock_file::{Waiting, is_unsupported, read_holder, read_text};

impl Lock {
    /// Locks the root for a command that builds these tasks.
    pub fn building(
        layout: &Layout,
        tasks: &[&WorkspaceId],
        mut waiting: Waiting<'_>,
    ) -> Result<Self, StoreError> {
        let lines: Vec<&str> = tasks.iter().map(|id| id.as_str()).collect();
        match acquire(&path(layout), "the project", &lines.join("\n"), &mut waiting) {
            Err(StoreError::Held { what, pid, path }) => {
                let what = match tasks_in(layout).as_slice() {
                    [] => what,
                    [task] => format!("{what}, where `{task}` is built,"),
                    [first, ..] => format!("{what}, where `{first}` and others are built,"),
                };
                Err(StoreError::Held { what, pid, path })
            }
            lock => lock,
        }
    }

    /// Refuses what would change a task that another command builds, or is going to.
    pub fn refuse_building(layout: &Layout, task: &WorkspaceId) -> Result<(), StoreError> {
        let path = path(layout);
        let Ok(file) = File::open(&path) else {
            return Ok(());
        };
        match file.try_lock_shared() {
            Err(TryLockError::WouldBlock)
                if tasks_in(layout).iter().any(|id| *id == task.as_str()) =>
            {
                let (what, pid) = (format!("workspace `{task}`"), read_holder(&file));
                Err(StoreError::Held { what, pid, path })
            }
            Err(TryLockError::Error(error)) if !is_unsupported(&error) => {
                Err(Operation::Lock.failed(&path, error).into())
            }
            Ok(()) | Err(_) => Ok(()),
        }
    }
}

fn path(layout: &Layout) -> PathBuf {
    layout.locks_dir().join("build")
}

/// The tasks of the command that holds the lock, or held it last and died.
fn tasks_in(layout: &Layout) -> Vec<String> {
    let text = File::open(path(layout)).ok().and_then(|file| read_text(&file));
    let text = text.unwrap_or_default();
    text.lines().skip(1).filter(|id| !id.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use ftl_model::WorkspaceId;

    use crate::{Layout, Lock, OsFiles, StoreError, Waiting};

    #[test]
    fn one_command_builds_in_a_root_and_its_tasks_are_not_to_be_changed() {
        let temp = tempfile::tempdir().unwrap();
        let layout = Layout::new(temp.path());
        layout.prepare(&OsFiles).unwrap();
        let [a, b, c] = ["a", "b", "c"].map(|slug| WorkspaceId::new("001", slug));
        Lock::refuse_building(&layout, &a).unwrap();
        let lock = Lock::building(&layout, &[&a, &b], Waiting::Refuse).unwrap();
        let refused = Lock::building(&layout, &[&c], Waiting::Refuse).unwrap_err().to_string();
        assert!(refused.contains("`001_a` and others are built, is held by process"), "{refused}");
        let refused = Lock::refuse_building(&layout, &b).unwrap_err();
        assert!(matches!(refused, StoreError::Held { pid: Some(_), .. }), "{refused:?}");
        Lock::refuse_building(&layout, &c).unwrap();
        drop(lock);
        Lock::refuse_building(&layout, &b).unwrap();
        drop(Lock::building(&layout, &[&c], Waiting::Refuse).unwrap());
    }
}
