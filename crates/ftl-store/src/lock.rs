//! Locks that die with their holder: one for each task, one for the tree below a root.
//!
//! A lock is flock(2) on a file in `.ftl/locks`, by [`File::try_lock`]. It belongs to the open file, and
//! the kernel drops it when that is closed, however the process ends: there are no stale locks, and no
//! timeouts to guess. The file is opened close-on-exec, so that no program that ftl starts keeps the
//! lock beyond ftl's own life. The locks of fcntl(2) would not do: a process loses them when it closes
//! *any* descriptor of the file, as [`Lock::holder`] does.
//!
//! ftl never deletes the file. If it did, a second builder could wait for the lock of the deleted file
//! while a third makes and locks a new one, and both would have "the" lock. An implementer may delete it,
//! or all of `.ftl`: so a task has a second lock file in the user's state directory, where there is one,
//! and the tree's own directories are locked as well (see `tree_lock`).
//!
//! Its content is a note, never the lock: on the first line the process id of the holder, for messages,
//! and on the second what it is locked for. The holder empties the file before it gives the lock back,
//! so a text that the next holder finds is of one that died ([`Lock::abandoned`]).
//!
//! A builder takes its task's lock first and the root's second, and gives both back before it turns to
//! another task, so that no two can wait for each other. `model` searches every interleaving of this
//! order for a deadlock, and `race` runs it in processes that are killed.

use std::fs::{File, TryLockError};
use std::io::{self, ErrorKind};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use ftl_model::WorkspaceId;

use super::error::StoreError;
use super::files::{FileKind, Files, Operation};
use super::layout::Layout;
use super::lock_file::{
    PAUSE, Waiting, is_unsupported, open, open_private, queue, read_holder, read_text, write_holder,
};
use super::lock_warning::LockWarning;
use super::network::network_of;
use super::seal::name_of;
use super::tree_lock;

/// A lock that is ours until it is dropped.
#[derive(Debug)]
#[must_use = "the lock is given back when this is dropped"]
pub struct Lock {
    /// Lock files. Empty where there are no locks.
    files: Vec<File>,
    /// Directories that are locked themselves.
    tree: Vec<File>,
    warning: Option<LockWarning>,
    abandoned: Option<String>,
    /// What is written back when it is given back.
    handed_on: Option<String>,
}

impl Lock {
    /// Locks a task by its ID. Its file may have been sealed by then: see [`Lock::task`].
    pub fn workspace(
        layout: &Layout,
        id: &WorkspaceId,
        mut waiting: Waiting<'_>,
    ) -> Result<Self, StoreError> {
        let what = format!("workspace `{id}`");
        let mut lock = acquire(&task_lock(layout, id), &what, "", &mut waiting)?;
        if let Some((file, path)) = second_task_lock(layout, id) {
            let mut second = acquire_file(file, &path, &what, "", &mut waiting)?;
            lock.files.append(&mut second.files);
        }
        Ok(lock)
    }

    /// Locks a slot by its lock file; refused while another process holds it.
    pub fn slot(path: &Path, number: u32) -> Result<Self, StoreError> {
        acquire(path, &format!("slot {number}"), "", &mut Waiting::Refuse)
    }

    /// Locks the tree below `top`, the root or a directory above it, from the first capture of it to the
    /// seal. `run` names what it is locked for, for a later holder that finds the lock abandoned.
    ///
    /// Trees that lie within each other exclude each other.
    pub fn root(
        layout: &Layout,
        top: &Path,
        run: &str,
        mut waiting: Waiting<'_>,
    ) -> Result<Self, StoreError> {
        let path = layout.locks_dir().join("root");
        let mut lock = acquire(&path, "the tree", run, &mut waiting)?;
        // On a server that may hang, nothing else is asked either.
        if !lock.files.is_empty() {
            lock.tree = tree_lock::acquire(top, &mut waiting)?;
        }
        Ok(lock)
    }

    /// Locks the task of a file, and checks that the file is still there: [`StoreError::Gone`] when
    /// another builder sealed it before the lock was taken. Without this second look, a task could be
    /// built twice.
    pub fn task(
        files: &dyn Files,
        layout: &Layout,
        task: &Path,
        waiting: Waiting<'_>,
    ) -> Result<Self, StoreError> {
        let lock = Self::workspace(layout, &name_of(task)?.id, waiting)?;
        match files.metadata(task)?.map(|found| found.kind) {
            Some(FileKind::File | FileKind::Link) => Ok(lock),
            Some(FileKind::Dir | FileKind::Other) | None => {
                Err(StoreError::Gone { path: task.to_owned() })
            }
        }
    }

    /// The process that holds a task's lock, as far as the lock file says.
    pub fn holder(layout: &Layout, id: &WorkspaceId) -> Option<u32> {
        read_holder(&File::open(task_lock(layout, id)).ok()?)
    }

    /// The same of the root's lock.
    pub fn root_holder(layout: &Layout) -> Option<u32> {
        read_holder(&File::open(layout.locks_dir().join("root")).ok()?)
    }

    /// Why this lock may not keep others away.
    pub fn warning(&self) -> Option<&LockWarning> {
        self.warning.as_ref()
    }

    /// Gives the lock back as it was found: the next holder reads which run died with it.
    pub fn hand_on(mut self) {
        self.handed_on = self.abandoned.take();
    }

    /// What an earlier holder had locked it for, who died without giving it back.
    pub fn abandoned(&self) -> Option<&str> {
        self.abandoned.as_deref()
    }

    fn held(file: File, run: &str, warning: Option<LockWarning>) -> Self {
        let text = read_text(&file);
        let abandoned = text.as_ref().and_then(|text| text.lines().nth(1)).map(str::to_owned);
        let emptied =
            if text.is_some_and(|text| text.is_empty()) { Ok(()) } else { file.set_len(0) };
        // The text serves messages only. On a full disk it is missing, and the lock is as good.
        let _ = emptied.and_then(|()| write_holder(&file, run));
        let files = vec![file];
        Self { files, tree: Vec::new(), warning, abandoned, handed_on: None }
    }

    fn unguarded(warning: LockWarning) -> Self {
        let (files, tree) = (Vec::new(), Vec::new());
        Self { files, tree, warning: Some(warning), abandoned: None, handed_on: None }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        for file in &self.files {
            // Closing the file gives the lock back; the id goes first, so that no process is named
            // that no longer holds it.
            let _ = file.set_len(0);
        }
        if let (Some(run), Some(file)) = (&self.handed_on, self.files.first()) {
            let _ = file.write_all_at(format!("\n{run}\n").as_bytes(), 0);
        }
    }
}

/// The suffix keeps a task called `root` apart from the root.
fn task_lock(layout: &Layout, id: &WorkspaceId) -> PathBuf {
    layout.locks_dir().join(lock_name(id))
}

/// The lock file of a task that no implementer finds; `None` where there is no place for it.
fn second_task_lock(layout: &Layout, id: &WorkspaceId) -> Option<(File, PathBuf)> {
    let dir = layout.private_dir()?.join("locks").join(layout.key());
    let path = dir.join(lock_name(id));
    // Where it cannot be written, the first has to do.
    Some((open_private(&path).ok()?, path))
}

/// The name of a task's lock file.
pub fn lock_name(id: &WorkspaceId) -> String {
    format!("{id}.lock")
}

pub(super) fn acquire(
    path: &Path,
    what: &str,
    run: &str,
    waiting: &mut Waiting<'_>,
) -> Result<Lock, StoreError> {
    let file = open(path).map_err(|source| Operation::Lock.failed(path, source))?;
    acquire_file(file, path, what, run, waiting)
}

fn acquire_file(
    file: File,
    path: &Path,
    what: &str,
    run: &str,
    waiting: &mut Waiting<'_>,
) -> Result<Lock, StoreError> {
    let failed = |source: io::Error| Operation::Lock.failed(path, source);
    let network = network_of(&file).map_err(failed)?;
    let may_hang = network.as_ref().is_some_and(|network| network.may_hang);
    let warning = network.map(|network| LockWarning::Network(path.to_owned(), network));
    if let Some(warning) = warning.clone().filter(|_| may_hang) {
        return Ok(Lock::unguarded(warning));
    }
    let mut second_look = true;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(Lock::held(file, run, warning)),
            Err(TryLockError::Error(error)) if error.kind() == ErrorKind::Interrupted => {}
            Err(TryLockError::Error(error)) if is_unsupported(&error) => {
                return Ok(Lock::unguarded(LockWarning::Unsupported(path.to_owned())));
            }
            Err(TryLockError::Error(error)) => return Err(failed(error).into()),
            Err(TryLockError::WouldBlock) => {
                let mut pid = read_holder(&file);
                match waiting {
                    // Without an id, the holder has either just taken the lock and not written yet,
                    // or is about to give it back: one more attempt settles both.
                    Waiting::Refuse if pid.is_none() && std::mem::take(&mut second_look) => {
                        std::thread::sleep(PAUSE);
                        continue;
                    }
                    Waiting::Refuse => {}
                    Waiting::While(go_on) => {
                        let reader = file.try_clone().map_err(failed)?;
                        let mut go_on = || {
                            pid = read_holder(&reader);
                            go_on(pid)
                        };
                        if queue(&file, File::lock, &mut go_on).map_err(failed)? {
                            return Ok(Lock::held(file, run, warning));
                        }
                    }
                }
                let (what, path) = (what.to_owned(), path.to_owned());
                return Err(StoreError::Held { what, pid, path });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::Barrier;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    use ftl_model::{Status, WorkspaceId};
    use tempfile::TempDir;

    use super::{Lock, Waiting};
    use crate::{Layout, OsFiles, StoreError, seal};

    fn prepared() -> (TempDir, Layout) {
        let temp = tempfile::tempdir().unwrap();
        let layout = Layout::new(temp.path());
        layout.prepare(&OsFiles).unwrap();
        fs::create_dir(layout.workspace_dir()).unwrap();
        (temp, layout)
    }

    #[test]
    fn a_refused_builder_learns_who_holds_the_lock() {
        let (_temp, layout) = prepared();
        let id = WorkspaceId::new("001", "a");
        let lock = Lock::workspace(&layout, &id, Waiting::Refuse).unwrap();
        assert_eq!(lock.warning(), None);
        let error = Lock::workspace(&layout, &id, Waiting::Refuse).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("workspace `001_a` is held by process {}", std::process::id())
        );
        drop(lock);
        drop(Lock::workspace(&layout, &id, Waiting::Refuse).unwrap());
        let lock_file = layout.locks_dir().join("001_a.lock");
        assert_eq!(fs::read(lock_file).unwrap(), b"", "kept, without a holder");
    }

    #[test]
    fn a_holder_that_cannot_be_found_is_not_named() {
        let (_temp, layout) = prepared();
        let lock = Lock::root(&layout, layout.root(), "001_a/1", Waiting::Refuse).unwrap();
        for stale in ["", "x", "-1", "0", "2147483647", "99999999999"] {
            fs::write(layout.locks_dir().join("root"), stale).unwrap();
            let error = Lock::root(&layout, layout.root(), "001_a/1", Waiting::Refuse).unwrap_err();
            assert!(matches!(error, StoreError::Held { pid: None, .. }), "{stale}");
        }
        drop(lock);
    }

    #[test]
    fn the_holder_after_a_dead_one_learns_its_run() {
        let (_temp, layout) = prepared();
        let lock = Lock::root(&layout, layout.root(), "001_a/1", Waiting::Refuse).unwrap();
        assert_eq!(lock.abandoned(), None);
        let text = fs::read(layout.locks_dir().join("root")).unwrap();
        drop(lock);
        let lock = Lock::root(&layout, layout.root(), "002_b/1", Waiting::Refuse).unwrap();
        assert_eq!(lock.abandoned(), None, "it was given back");
        drop(lock);
        fs::write(layout.locks_dir().join("root"), text).unwrap();
        let lock = Lock::root(&layout, layout.root(), "002_b/1", Waiting::Refuse).unwrap();
        assert_eq!(lock.abandoned(), Some("001_a/1"));
    }

    /// As an implementer does that cleans up.
    #[test]
    fn a_deleted_lock_file_admits_no_second_holder() {
        let (temp, layout) = prepared();
        let layout = layout.with_state(Some(temp.path().join("state")));
        let id = WorkspaceId::new("001", "a");
        let task = Lock::workspace(&layout, &id, Waiting::Refuse).unwrap();
        let root = Lock::root(&layout, layout.root(), "001_a/1", Waiting::Refuse).unwrap();
        fs::remove_dir_all(layout.locks_dir()).unwrap();
        fs::create_dir(layout.locks_dir()).unwrap();
        let second = Lock::workspace(&layout, &id, Waiting::Refuse);
        assert!(matches!(second, Err(StoreError::Held { .. })), "{second:?}");
        let second = Lock::root(&layout, layout.root(), "002_b/1", Waiting::Refuse);
        assert!(matches!(second, Err(StoreError::Held { .. })), "{second:?}");
        drop((task, root));
        drop(Lock::workspace(&layout, &id, Waiting::Refuse).unwrap());
        drop(Lock::root(&layout, layout.root(), "002_b/1", Waiting::Refuse).unwrap());
    }

    #[test]
    fn a_task_called_root_and_the_root_do_not_exclude_each_other() {
        let (_temp, layout) = prepared();
        let task = layout.workspace_dir().join("root_active.xml");
        fs::write(&task, "").unwrap();
        let _task = Lock::task(&OsFiles, &layout, &task, Waiting::Refuse).unwrap();
        let _root = Lock::root(&layout, layout.root(), "001_a/1", Waiting::Refuse).unwrap();
    }

    #[test]
    fn a_waiting_builder_gets_the_lock_once_it_is_given_back() {
        let (_temp, layout) = prepared();
        let mut held =
            Some(Lock::root(&layout, layout.root(), "001_a/1", Waiting::Refuse).unwrap());
        let mut looks = 0;
        let mut go_on = |pid| {
            assert_eq!(pid, Some(std::process::id()));
            looks += 1;
            held = None;
            true
        };
        drop(Lock::root(&layout, layout.root(), "001_a/1", Waiting::While(&mut go_on)).unwrap());
        assert_eq!(looks, 1);
    }

    #[test]
    fn a_task_that_was_finished_before_its_lock_was_ours_is_gone() {
        let (_temp, layout) = prepared();
        let task = layout.workspace_dir().join("001_a_active.xml");
        let error = Lock::task(&OsFiles, &layout, &task, Waiting::Refuse).unwrap_err();
        assert!(matches!(error, StoreError::Gone { path } if path == task));
    }

    #[test]
    fn of_many_builders_each_task_is_done_by_one() {
        const BUILDERS: usize = 8;
        const TASKS: usize = 50;
        let (_temp, layout) = prepared();
        let path = |task: usize| layout.workspace_dir().join(format!("{task:03}_t_active.xml"));
        for task in 0..TASKS {
            fs::write(path(task), "").unwrap();
        }
        let done = AtomicUsize::new(0);
        let start = Barrier::new(BUILDERS);
        let build = || {
            start.wait();
            for task in (0..TASKS).map(path) {
                match Lock::task(&OsFiles, &layout, &task, Waiting::Refuse) {
                    Ok(lock) => {
                        seal(&OsFiles, &task, Status::Complete, b"done").unwrap();
                        done.fetch_add(1, Ordering::Relaxed);
                        drop(lock);
                    }
                    Err(StoreError::Held { .. } | StoreError::Gone { .. }) => {}
                    Err(error) => panic!("{error}"),
                }
            }
        };
        thread::scope(|scope| {
            for _ in 0..BUILDERS {
                scope.spawn(build);
            }
        });
        assert_eq!(done.into_inner(), TASKS);
        for task in 0..TASKS {
            let record = format!("{task:03}_t_complete.xml");
            assert!(layout.workspace_dir().join(record).exists());
        }
    }
}
