//! The paths below a project's root, and finding the root.
//!
//! Every path of `.ftl` that the store uses is made here, and in `runs` for what is inside a run. The
//! names are a format: other versions, and people, look for them.

use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Component, Path, PathBuf};
use std::sync::OnceLock;

use ftl_model::{Digest, WorkspaceId};

use super::atomic::{ensure_dir_unsynced, ensure_private_dir_unsynced};
use super::error::StoreError;
use super::files::{FileError, FileKind, Files};

const FTL_DIR: &str = ".ftl";
/// A directory that has this file is a root, too.
const CONFIGURATION: &str = "ftl.toml";

/// Digits of a digest that name a directory's own file or directory in the state directory: enough for
/// every project of a user.
const DIGITS: usize = 16;

/// Its name in a `.ftl`.
pub const GITIGNORE_NAME: &str = ".gitignore";

/// What `.ftl/.gitignore` says, unless the user wrote another.
const GITIGNORE: &str = "\
# Written by ftl: the files of runs are not meant to be committed.
/runs/
/locks/
";

/// The paths of one project:
///
/// ```text
/// ROOT/.ftl/workspace/NNN_slug_STATUS.xml   task files
/// ROOT/.ftl/runs/ID/N/                      the N-th run of a task
/// ROOT/.ftl/locks/                          lock files, never deleted
/// ROOT/.ftl/.gitignore                      for runs and locks
/// ```
///
/// A task file may be elsewhere; its runs and locks are still here.
///
/// What an implementer must not reach is in the user's state directory, where one is given.
#[derive(Clone, Debug)]
pub struct Layout {
    root: PathBuf,
    state: Option<PathBuf>,
    /// The root without links, as it was when it was asked for first.
    real: OnceLock<PathBuf>,
}

impl PartialEq for Layout {
    fn eq(&self, other: &Self) -> bool {
        (&self.root, &self.state) == (&other.root, &other.state)
    }
}

impl Eq for Layout {}

impl Layout {
    /// The layout of a known root.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into(), state: None, real: OnceLock::new() }
    }

    /// The same with the user's state directory: `$XDG_STATE_HOME`, say.
    #[must_use]
    pub fn with_state(self, state: Option<PathBuf>) -> Self {
        Self { state, ..self }
    }

    /// The user's state directory.
    pub fn state_dir(&self) -> Option<&Path> {
        self.state.as_deref()
    }

    /// What is ftl's in the user's state directory. It need not exist.
    pub fn private_dir(&self) -> Option<PathBuf> {
        self.state.as_deref().map(private_dir)
    }

    /// The name of this project in the state directory.
    pub fn key(&self) -> String {
        key_of_real(self.real_root())
    }

    /// The project directory without links.
    pub(super) fn real_root(&self) -> &Path {
        self.real.get_or_init(|| self.root.canonicalize().unwrap_or_else(|_| normal(&self.root)))
    }

    /// Finds the root: the one that was asked for; else the parent of the `.ftl` that holds the task
    /// file, or, when no file is given, the nearest directory at or above `cwd` that has a `.ftl` or a configuration; else
    /// `cwd`.
    ///
    /// Paths are taken relative to `cwd`, which is absolute, and `..` as text.
    pub fn find(
        files: &dyn Files,
        explicit: Option<&Path>,
        task: Option<&Path>,
        cwd: &Path,
    ) -> Result<Self, FileError> {
        if let Some(root) = explicit {
            return Ok(Self::new(normal(&cwd.join(root))));
        }
        let found = match task {
            Some(task) => above_ftl(&normal(&cwd.join(task))),
            None => above_cwd(files, cwd)?,
        };
        Ok(Self::new(found.unwrap_or_else(|| cwd.to_owned())))
    }

    /// The project directory.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The directory of everything that is ftl's.
    pub fn ftl_dir(&self) -> PathBuf {
        self.root.join(FTL_DIR)
    }

    /// The directory of task files.
    pub fn workspace_dir(&self) -> PathBuf {
        self.ftl_dir().join("workspace")
    }

    /// The directory of all runs.
    pub fn runs_dir(&self) -> PathBuf {
        self.ftl_dir().join("runs")
    }

    /// The directory of a task's runs.
    pub fn run_dir(&self, id: &WorkspaceId) -> PathBuf {
        self.runs_dir().join(id.as_str())
    }

    /// The directory of lock files.
    pub fn locks_dir(&self) -> PathBuf {
        self.ftl_dir().join("locks")
    }

    /// Whether nothing is left to [`prepare`](Self::prepare).
    pub fn is_prepared(&self) -> bool {
        let found = |path: PathBuf| path.symlink_metadata().ok();
        found(self.runs_dir()).is_some_and(|runs| runs.is_dir() && runs.mode() & 0o077 == 0)
            && found(self.locks_dir()).is_some_and(|locks| locks.is_dir())
            && found(self.ftl_dir().join(GITIGNORE_NAME)).is_some_and(|file| file.len() > 0)
    }

    /// Makes the directories of runs, for their owner alone, and of locks, and the `.gitignore` unless there is one. Hardly
    /// anything is synced: a power cut may undo it, and the next command makes it again. A journal syncs the
    /// directories above it itself, up to `.ftl`.
    pub fn prepare(&self, files: &dyn Files) -> Result<(), StoreError> {
        let runs = self.runs_dir();
        match files.metadata(&runs)? {
            // An earlier ftl made it for everybody.
            Some(found) if found.mode & 0o077 != 0 => files.make_private(&runs)?,
            Some(_) => {}
            None => {
                self.make_ftl_dir(files)?;
                ensure_private_dir_unsynced(files, &runs)?;
            }
        }
        ensure_dir_unsynced(files, &self.locks_dir())?;
        let gitignore = self.ftl_dir().join(GITIGNORE_NAME);
        match files.metadata(&gitignore)? {
            None => {}
            // What a power cut or a kill left of one, or another process is about to write.
            Some(found) if found.kind == FileKind::File && found.len == 0 => {
                match files.remove(&gitignore) {
                    Err(error) if error.kind() == ErrorKind::NotFound => {}
                    removed => removed?,
                }
            }
            Some(_) => return Ok(()),
        }
        // Without a temporary file, which a killed process would leave where another makes the file. One that
        // is killed before it writes leaves an empty file, which the next command replaces.
        match files.write_unsynced(&gitignore, GITIGNORE.as_bytes(), None) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
            written => Ok(written?),
        }
    }

    /// Makes `.ftl`, before the directory of runs is there. Where it holds task files, these need its name as much as
    /// runs do, and the command that made them synced it.
    fn make_ftl_dir(&self, files: &dyn Files) -> Result<(), StoreError> {
        if files.metadata(&self.workspace_dir())?.is_none() {
            ensure_dir_unsynced(files, &self.ftl_dir())?;
            files.sync_dir(&self.root)?;
        }
        Ok(())
    }
}

/// What is ftl's in a state directory.
pub fn private_dir(state: &Path) -> PathBuf {
    state.join("ftl")
}

/// The name of a directory in the state directory, by its path without links.
pub(super) fn key_of_real(real: &Path) -> String {
    let mut digest = Digest::of(real.as_os_str().as_bytes()).to_string();
    digest.truncate(DIGITS);
    digest
}

/// The parent of the innermost `.ftl` on the way to `task`.
fn above_ftl(task: &Path) -> Option<PathBuf> {
    task.ancestors()
        .skip(1)
        .find(|dir| dir.file_name().is_some_and(|name| name == FTL_DIR))
        .and_then(Path::parent)
        .map(Path::to_owned)
}

/// The nearest directory, from `cwd` upwards, that has a `.ftl` or a configuration; the inside of a `.ftl` belongs to
/// its parent.
fn above_cwd(files: &dyn Files, cwd: &Path) -> Result<Option<PathBuf>, FileError> {
    for dir in cwd.ancestors() {
        let found = files.metadata(&dir.join(FTL_DIR))?;
        if found.is_some_and(|found| matches!(found.kind, FileKind::Dir | FileKind::Link)) {
            return Ok(Some(dir.to_owned()));
        }
        let configured = files.metadata(&dir.join(CONFIGURATION))?;
        if configured.is_some_and(|found| matches!(found.kind, FileKind::File | FileKind::Link)) {
            return Ok(Some(dir.to_owned()));
        }
    }
    Ok(None)
}

/// Without `.` and `..`, by text alone: `a/link/..` is `a`, wherever the link leads.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                normal.pop();
            }
            Component::Prefix(_) | Component::RootDir | Component::Normal(_) => {
                normal.push(component);
            }
        }
    }
    normal
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::Layout;
    use crate::{Files, OsFiles};

    #[test]
    fn the_root_is_the_one_asked_for_else_the_parent_of_ftl_else_the_current_directory() {
        let cases = [
            (Some("q"), Some(".ftl/workspace/1_a_active.xml"), "/p/q"),
            (Some("/q/."), None, "/q"),
            (None, Some(".ftl/workspace/1_a_active.xml"), "/p"),
            (None, Some("/x/.ftl/workspace/1_a_active.xml"), "/x"),
            (None, Some("/x/.ftl/y/.ftl/1_a_active.xml"), "/x/.ftl/y"),
            (None, Some("../z/./.ftl/1_a_active.xml"), "/z"),
            (None, Some(".ftl/../tasks/1_a_active.xml"), "/p"),
            (None, Some("/x/tasks/1_a_active.xml"), "/p"),
            (None, Some("/x/tasks/.ftl"), "/p"),
        ];
        for (explicit, task, root) in cases {
            let found = Layout::find(
                &OsFiles,
                explicit.map(Path::new),
                task.map(Path::new),
                Path::new("/p"),
            )
            .unwrap();
            assert_eq!(found.root(), Path::new(root), "{explicit:?} {task:?}");
        }
    }

    #[test]
    fn without_a_task_file_the_nearest_ftl_above_is_in_the_root() {
        let temp = tempfile::tempdir().unwrap();
        let below = temp.path().join("a/b");
        std::fs::create_dir_all(&below).unwrap();
        std::fs::create_dir(temp.path().join(".ftl")).unwrap();
        let found = Layout::find(&OsFiles, None, None, &below).unwrap();
        assert_eq!(found.root(), temp.path());
    }

    #[test]
    fn preparing_keeps_a_gitignore_that_is_there() {
        let temp = tempfile::tempdir().unwrap();
        let layout = Layout::new(temp.path());
        layout.prepare(&OsFiles).unwrap();
        let gitignore = layout.ftl_dir().join(".gitignore");
        let written = OsFiles.read(&gitignore).unwrap();
        assert!(written.ends_with(b"/runs/\n/locks/\n"));

        std::fs::write(&gitignore, "").unwrap();
        layout.prepare(&OsFiles).unwrap();
        assert_eq!(OsFiles.read(&gitignore).unwrap(), written);

        std::fs::write(&gitignore, "mine").unwrap();
        layout.prepare(&OsFiles).unwrap();
        assert_eq!(OsFiles.read(&gitignore).unwrap(), b"mine");
        let names = OsFiles.list(&layout.ftl_dir()).unwrap();
        assert_eq!(names, [".gitignore", "locks", "runs"]);
    }
}
