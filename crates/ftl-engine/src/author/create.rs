//! The task files of a plan: all of them, or none and every reason.
//!
//! [`ftl_xml::plan`] decides what the files say. This module finds out whether they may be written: a
//! task that is locked or was begun is left alone, and a record is never replaced.

use std::fmt;
use std::path::{Path, PathBuf};

use ftl_model::{Status, WorkspaceId};
use ftl_store::{
    FileError, Files, Layout, Lock, LockWarning, OsFiles, Runs, StoreError, Waiting, create,
    ensure_dir, replace,
};
use ftl_xml::plan::{Created, NewFile, Plan, PlanProblem};
use thiserror::Error;

use super::{Malformed, document};
use crate::project::{ProjectFiles, display_path};
use crate::store::finish_rename;
use crate::text::now;

/// Why one task file cannot be written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CreateError {
    /// A run of the task was begun and has not ended.
    #[error("`{}` has an unfinished run: {run}", path.display())]
    Begun {
        /// The task file.
        path: PathBuf,
        /// The task.
        id: WorkspaceId,
        /// The run's number.
        run: u64,
    },
    /// What would be written is no task file: it is too large, say.
    #[error(transparent)]
    Malformed(#[from] Malformed),
    /// Another process holds the task, or the file system refused.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<FileError> for CreateError {
    fn from(error: FileError) -> Self {
        Self::Store(error.into())
    }
}

/// What a planner should know of a file that will be written all the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CreateWarning {
    /// The lock of the older file guards less than it should.
    Lock(LockWarning),
    /// The task has a record already, which stays as it is.
    Record {
        /// The task.
        id: WorkspaceId,
        /// The record.
        record: PathBuf,
    },
}

impl fmt::Display for CreateWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lock(warning) => warning.fmt(f),
            Self::Record { id, record } => {
                write!(f, "`{id}` has a record already: `{}`", record.display())
            }
        }
    }
}

/// The task files that `plan`, JSON, describes, or the one whose number is `only`. Nothing is written.
///
/// # Errors
///
/// Every problem of the plan, and of the records that it builds on.
pub fn draft(layout: &Layout, plan: &str, only: Option<&str>) -> Result<Created, Vec<PlanProblem>> {
    let project = ProjectFiles::new(layout.clone());
    Plan::parse(plan, only).and_then(|plan| plan.create(&project, &now()))
}

/// Task files that may be written; the locks of those that they replace are held until this is dropped.
#[derive(Debug)]
#[must_use = "nothing is written before `write`"]
pub struct Claimed {
    files: Vec<TaskFile>,
    warnings: Vec<CreateWarning>,
}

/// Looks whether every file may be written, before the first one is: a campaign of which half the task
/// files exist would be started.
///
/// # Errors
///
/// Every file that cannot be written, with the reason; at least one.
pub fn claim(layout: &Layout, files: Vec<NewFile>) -> Result<Claimed, Vec<CreateError>> {
    prepare(layout).map_err(|error| vec![error.into()])?;
    let mut claimed = Claimed { files: Vec::new(), warnings: Vec::new() };
    let mut errors = Vec::new();
    for file in files {
        match TaskFile::claim(layout, file, &mut claimed.warnings) {
            Ok(file) => claimed.files.push(file),
            Err(error) => errors.push(error),
        }
    }
    if errors.is_empty() { Ok(claimed) } else { Err(errors) }
}

fn prepare(layout: &Layout) -> Result<(), StoreError> {
    layout.prepare(&OsFiles)?;
    Ok(ensure_dir(&OsFiles, &layout.workspace_dir())?)
}

impl Claimed {
    /// What should be known before the files are written.
    pub fn warnings(&self) -> &[CreateWarning] {
        &self.warnings
    }

    /// Writes one file a step and gives its path, so that a caller knows which of them exist when a
    /// later one fails.
    pub fn write(&self) -> impl Iterator<Item = Result<&Path, StoreError>> {
        self.files.iter().map(|file| {
            file.write()?;
            Ok(file.path.as_path())
        })
    }
}

/// A file to be written.
#[derive(Debug)]
struct TaskFile {
    path: PathBuf,
    content: String,
    /// Held where an older file is to be replaced.
    lock: Option<Lock>,
}

impl TaskFile {
    fn claim(
        layout: &Layout,
        file: NewFile,
        warnings: &mut Vec<CreateWarning>,
    ) -> Result<Self, CreateError> {
        let path = display_path(&layout.workspace_dir()).join(&file.name);
        document(&path, file.content.as_bytes())?;
        let lock = match OsFiles.metadata(&path)? {
            None => None,
            Some(_) => replaceable(layout, &path, &file.id, warnings)?,
        };
        if lock.is_none() {
            warnings.extend(records(&path, &file.id));
        }
        Ok(Self { path, content: file.content, lock })
    }

    fn write(&self) -> Result<(), StoreError> {
        match self.lock {
            Some(_) => replace(&OsFiles, &self.path, self.content.as_bytes()),
            None => create(&OsFiles, &self.path, self.content.as_bytes()),
        }
    }
}

/// The lock of an active task that was never begun; `None` where it turns out to be a record whose
/// sealing a crash cut short, and which now has its own name.
fn replaceable(
    layout: &Layout,
    path: &Path,
    id: &WorkspaceId,
    warnings: &mut Vec<CreateWarning>,
) -> Result<Option<Lock>, CreateError> {
    let lock = Lock::task(&OsFiles, layout, path, Waiting::Refuse)?;
    warnings.extend(lock.warning().cloned().map(CreateWarning::Lock));
    if finish_rename(path)?.is_some() {
        return Ok(None);
    }
    match Runs::new(&OsFiles, layout, id).unfinished()? {
        None => Ok(Some(lock)),
        Some(run) => {
            Err(CreateError::Begun { path: path.to_owned(), id: id.clone(), run: run.number() })
        }
    }
}

/// The records of the same task.
fn records(path: &Path, id: &WorkspaceId) -> impl Iterator<Item = CreateWarning> {
    [Status::Complete, Status::Blocked, Status::Dropped]
        .into_iter()
        .map(move |status| path.with_file_name(format!("{id}_{status}.xml")))
        .filter(|record| record.exists())
        .map(|record| CreateWarning::Record { id: id.clone(), record })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use ftl_store::{Layout, Lock, OsFiles, StoreError, Waiting};
    use ftl_xml::plan::NewFile;
    use tempfile::TempDir;

    use super::{CreateError, CreateWarning, claim, draft};

    const PLAN: &str = r#"{"tasks": [{"seq": "001", "slug": "a"}, {"seq": "002", "slug": "b"}]}"#;

    fn project(names: &[&str]) -> (TempDir, Layout, Vec<NewFile>) {
        let temp = tempfile::tempdir().unwrap();
        let layout = Layout::new(temp.path());
        fs::create_dir_all(layout.workspace_dir()).unwrap();
        for name in names {
            fs::write(layout.workspace_dir().join(name), "<workspace/>").unwrap();
        }
        let files = draft(&layout, PLAN, None).unwrap().files;
        (temp, layout, files)
    }

    #[test]
    fn files_are_written_one_by_one_and_a_record_is_a_warning() {
        let (_temp, layout, files) = project(&["001_a_blocked.xml", "002_b_active.xml"]);
        let claimed = claim(&layout, files).unwrap();
        let [CreateWarning::Record { id, .. }] = claimed.warnings() else {
            panic!("{:?}", claimed.warnings());
        };
        assert_eq!(id.as_str(), "001_a");
        let mut steps = claimed.write();
        let first = steps.next().unwrap().unwrap();
        assert!(first.ends_with("001_a_active.xml"));
        let older = layout.workspace_dir().join("002_b_active.xml");
        assert_eq!(fs::read_to_string(&older).unwrap(), "<workspace/>");
        assert_eq!(steps.next().unwrap().unwrap(), older);
        assert_ne!(fs::read_to_string(&older).unwrap(), "<workspace/>");
        assert!(steps.next().is_none());
    }

    #[test]
    fn a_task_that_another_process_holds_keeps_every_file_from_being_written() {
        let (_temp, layout, files) = project(&["002_b_active.xml"]);
        layout.prepare(&OsFiles).unwrap();
        let _lock = Lock::workspace(&layout, &files[1].id, Waiting::Refuse).unwrap();
        let errors = claim(&layout, files).unwrap_err();
        assert!(matches!(errors[..], [CreateError::Store(StoreError::Held { .. })]), "{errors:?}");
        assert!(!layout.workspace_dir().join("001_a_active.xml").exists());
    }
}
