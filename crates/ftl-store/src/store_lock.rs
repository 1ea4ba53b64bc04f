//! The lock that decides who may write into a `.ftl`: not while an implementer works in the tree without
//! isolation.
//!
//! Such a request is compared with the tree before it, and a file does not say who wrote it. So each command
//! shares this lock while it writes, and a request holds it alone. A command that finds it held is refused, or
//! waits. Reading takes no lock.
//!
//! The lock files are out of an implementer's reach, in the user's state directory, one for each directory:
//!
//! ```text
//! STATE/ftl/requests/DIR    DIR is made of the path
//! ```
//!
//! A request locks the top of the tree that it compares. A command locks the root of its project and every
//! directory above, because each of them may be that top. Both lock the `.ftl` itself too, since links in several
//! roots may lead to it.
//!
//! While a request is under way, its lock file holds the process ID and the path of a mark. If the request is
//! killed, the text stays, and the next command or request makes the mark. What is newer than the mark was
//! not written by the killed request ([`StoreLock::killed_at`]).

use std::fs::{File, TryLockError};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, SystemTime};

use super::error::StoreError;
use super::files::Operation;
use super::layout::{Layout, key_of_real};
use super::lock_file::{PAUSE, Waiting, is_unsupported, open_private, read_holder, read_text};

/// Milliseconds after which the clock of files has ticked, unless it was put back.
const TICKS: u32 = 100;

/// A share of the right to write into a `.ftl`, or all of it.
#[derive(Debug)]
#[must_use = "the lock is released when this is dropped"]
pub struct StoreLock {
    files: Vec<File>,
    is_request: bool,
}

impl StoreLock {
    /// Shares the lock, for a command that writes into the project's `.ftl`. Without a state directory there is
    /// no lock, and no request.
    ///
    /// # Errors
    /// [`StoreError::Held`] while an implementer works in the tree without isolation.
    pub fn to_write(layout: &Layout, mut waiting: Waiting<'_>) -> Result<Self, StoreError> {
        let mut lock = Self { files: Vec::new(), is_request: false };
        let dirs = layout.real_root().ancestors().map(Path::to_owned);
        for dir in dirs.chain(layout.real_ftl_dir()) {
            if let Some((mut file, path)) = lock_file(layout, &dir)
                && acquire(&mut file, &path, File::try_lock_shared, &mut waiting)?
            {
                mark_killed(&mut file);
                lock.files.push(file);
            }
        }
        Ok(lock)
    }

    /// Takes the lock alone, for a request that is compared with the tree below `top`. A command that writes at
    /// this moment is waited for, as `waiting` says. `mark` is the file that the next command or request
    /// makes if this one is killed. Its name without the extension is the task's ID; beside it there is a file with the
    /// extension `json` as long as the request can be continued.
    ///
    /// # Errors
    /// [`StoreError::Held`] when `waiting` gives up.
    pub fn for_request(
        layout: &Layout,
        top: &Path,
        mark: &Path,
        mut waiting: Waiting<'_>,
    ) -> Result<Self, StoreError> {
        let mut lock = Self { files: Vec::new(), is_request: true };
        let top = top.canonicalize().unwrap_or_else(|_| top.to_owned());
        for dir in [top].into_iter().chain(layout.real_ftl_dir()) {
            if let Some((mut file, path)) = lock_file(layout, &dir)
                && acquire(&mut file, &path, File::try_lock, &mut waiting)?
            {
                // Its own mark is of its last request, and goes with the snapshot of this one.
                if mark_in(&mut file).as_deref() != Some(mark) {
                    mark_killed(&mut file);
                }
                let text = format!("{}\n{}\n", std::process::id(), mark.display());
                // Not synced: where a power cut takes the text, the next build asks whose it is what others wrote. Without
                // the text, the lock is as good.
                let _ = file.set_len(0).and_then(|()| file.write_all(text.as_bytes()));
                lock.files.push(file);
            }
        }
        Ok(lock)
    }

    /// When a killed request had certainly ended, in nanoseconds since the epoch: when its mark was made.
    #[must_use]
    pub fn killed_at(mark: &Path) -> Option<i128> {
        mark.symlink_metadata().ok().map(|found| changed_at(&found))
    }
}

/// The time of a file's last change, in nanoseconds since the epoch. A program cannot set it.
pub fn changed_at(found: &std::fs::Metadata) -> i128 {
    i128::from(found.ctime()) * 1_000_000_000 + i128::from(found.ctime_nsec())
}

impl Drop for StoreLock {
    fn drop(&mut self) {
        for file in self.files.iter().filter(|_| self.is_request) {
            let _ = file.set_len(0);
        }
    }
}

/// The lock file of a directory, whose path has no links, with its path; `None` where it cannot be opened.
fn lock_file(layout: &Layout, dir: &Path) -> Option<(File, PathBuf)> {
    let requests = layout.private_dir()?.join("requests");
    let path = requests.join(key_of_real(dir));
    Some((open_private(&path).ok()?, path))
}

/// Whether the file system has locks; then this one is ours.
fn acquire(
    file: &mut File,
    path: &Path,
    lock: fn(&File) -> Result<(), TryLockError>,
    waiting: &mut Waiting<'_>,
) -> Result<bool, StoreError> {
    loop {
        match lock(file) {
            Ok(()) => return Ok(true),
            Err(TryLockError::Error(error)) if error.kind() == ErrorKind::Interrupted => continue,
            Err(TryLockError::Error(error)) if is_unsupported(&error) => return Ok(false),
            Err(TryLockError::Error(error)) => {
                return Err(Operation::Lock.failed(path, error).into());
            }
            Err(TryLockError::WouldBlock) => {}
        }
        let pid = read_holder(file);
        let goes_on = match waiting {
            Waiting::Refuse => false,
            Waiting::While(goes_on) => goes_on(pid),
        };
        if !goes_on {
            let task = mark_in(file).and_then(|mark| Some(mark.file_stem()?.display().to_string()));
            let task = task.map_or_else(|| "a task".to_owned(), |id| format!("task `{id}`"));
            let what = format!("`.ftl`, while {task} is implemented without isolation,");
            return Err(StoreError::Held { what, pid, path: path.to_owned() });
        }
        thread::sleep(PAUSE);
    }
}

/// The path of the mark in the text of a lock file.
fn mark_in(file: &mut File) -> Option<PathBuf> {
    read_text(file)?.lines().nth(1).map(PathBuf::from)
}

/// Makes the mark of a request that was killed and that a build can continue, unless another command has made it.
fn mark_killed(file: &mut File) {
    if let Some(mark) = mark_in(file)
        && mark.with_extension("json").exists()
    {
        let _ = File::create_new(&mark);
        // Else a file of this command could be taken for one of the request, also if another command made the mark just
        // now.
        let _ = wait_for_later_times(&mark, file);
    }
}

/// Waits until what is written is newer than the mark: the clock of files ticks every few milliseconds.
fn wait_for_later_times(mark: &Path, file: &File) -> io::Result<()> {
    let made = changed_at(&mark.symlink_metadata()?);
    for _ in 0..TICKS {
        file.set_modified(SystemTime::now())?;
        if changed_at(&file.metadata()?) > made {
            break;
        }
        thread::sleep(Duration::from_millis(1));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    use tempfile::TempDir;

    use super::{StoreLock, changed_at};
    use crate::{Layout, StoreError, Waiting};

    struct Case {
        _temp: TempDir,
        top: PathBuf,
        mark: PathBuf,
        layout: Layout,
    }

    /// A project in a directory whose whole content is compared.
    fn case() -> Case {
        let temp = tempfile::tempdir().unwrap();
        let top = temp.path().canonicalize().unwrap();
        let state = top.join("state");
        fs::create_dir_all(top.join("p/.ftl")).unwrap();
        fs::create_dir(top.join("q")).unwrap();
        fs::create_dir_all(state.join("ftl/tasks")).unwrap();
        let mark = state.join("ftl/tasks/001_a.killed");
        fs::write(mark.with_extension("json"), "{}").unwrap();
        let layout = Layout::new(top.join("p")).with_state(Some(state));
        Case { _temp: temp, top, mark, layout }
    }

    impl Case {
        fn at(&self, root: &str) -> Layout {
            Layout::new(self.top.join(root)).with_state(Some(self.top.join("state")))
        }

        fn request(&self, top: &Path) -> StoreLock {
            StoreLock::for_request(&self.layout, top, &self.mark, Waiting::Refuse).unwrap()
        }

        fn write(&self) -> Result<StoreLock, StoreError> {
            StoreLock::to_write(&self.layout, Waiting::Refuse)
        }
    }

    #[test]
    fn commands_share_the_lock_and_a_request_in_or_around_the_project_excludes_them() {
        let case = case();
        let writers = (case.write().unwrap(), case.write().unwrap());
        let mut asked = 0;
        let mut once = |_| {
            asked += 1;
            asked < 2
        };
        let waiting = Waiting::While(&mut once);
        StoreLock::for_request(&case.layout, &case.top, &case.mark, waiting).unwrap_err();
        assert_eq!(asked, 2);
        drop(writers);
        for top in [case.top.clone(), case.top.join("p")] {
            let request = case.request(&top);
            let refused = case.write().unwrap_err().to_string();
            let pid = std::process::id();
            let expected = format!(
                "`.ftl`, while task `001_a` is implemented without isolation, is held by process {pid}"
            );
            assert_eq!(refused, expected);
            drop(request);
            drop(case.write().unwrap());
        }
        let beside = case.at("q");
        let _beside =
            StoreLock::for_request(&beside, beside.root(), &case.mark, Waiting::Refuse).unwrap();
        drop(case.write().unwrap());
        assert_eq!(StoreLock::killed_at(&case.mark), None, "no request was killed");
    }

    #[test]
    fn projects_that_share_a_linked_ftl_exclude_each_other() {
        let case = case();
        std::os::unix::fs::symlink("../p/.ftl", case.top.join("q/.ftl")).unwrap();
        std::os::unix::fs::symlink("p/.ftl", case.top.join("link")).unwrap();
        fs::create_dir(case.top.join("r")).unwrap();
        std::os::unix::fs::symlink("../link", case.top.join("r/.ftl")).unwrap();
        let (q, r) = (case.at("q"), case.at("r"));
        let request =
            StoreLock::for_request(&q, &case.top.join("q"), &case.mark, Waiting::Refuse).unwrap();
        StoreLock::to_write(&r, Waiting::Refuse).unwrap_err();
        drop(request);
        drop(StoreLock::to_write(&r, Waiting::Refuse).unwrap());
    }

    #[test]
    fn the_first_command_after_a_killed_request_marks_the_time_once() {
        let case = case();
        let killed = || {
            let mut request = case.request(&case.top);
            // The file is closed as a kill closes it, with its text.
            request.is_request = false;
        };
        killed();
        let changed = |name: &str| {
            let path = case.top.join(name);
            fs::write(&path, "").unwrap();
            changed_at(&path.metadata().unwrap())
        };
        let of_the_request = changed("request");
        drop(case.write().unwrap());
        let marked = StoreLock::killed_at(&case.mark).unwrap();
        assert!(of_the_request <= marked);
        assert!(changed("command") > marked);
        drop(case.write().unwrap());
        assert_eq!(StoreLock::killed_at(&case.mark), Some(marked));
        // Another command makes the mark at the same time.
        fs::remove_file(&case.mark).unwrap();
        fs::write(&case.mark, "").unwrap();
        drop(case.write().unwrap());
        assert!(changed("another") > StoreLock::killed_at(&case.mark).unwrap());
        // The next to come is a request of another task.
        fs::remove_file(&case.mark).unwrap();
        let other = case.mark.with_file_name("002_b.killed");
        drop(StoreLock::for_request(&case.layout, &case.top, &other, Waiting::Refuse).unwrap());
        assert!(changed("other") > StoreLock::killed_at(&case.mark).unwrap());
        killed();
        fs::remove_file(&case.mark).unwrap();
        fs::remove_file(case.mark.with_extension("json")).unwrap();
        drop(case.write().unwrap());
        assert!(!case.mark.exists(), "the task has its record");
    }
}
