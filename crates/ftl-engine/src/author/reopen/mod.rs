//! Making a blocked task active again, under the same ID.
//!
//! What is looked at comes first, then what is written, so that a refusal changes nothing. The order of the
//! writes is that of their worth: strays that become part of the work, of which the quarantine keeps the originals; the
//! end of every earlier run; and the task file last, in the two steps of `ftl_store::reopen`. After a
//! kill in between, the same command completes the work.

mod fix;

use std::path::{Path, PathBuf};

use ftl_analysis::quality::Rules;
use ftl_model::{DeltaPath, Failure, Finding, Status, WorkspaceName};
use ftl_process::Environment;
use ftl_store::{Lock, OsFiles, Runs, StoreError, Waiting, replace};
use ftl_tree::{Settings as TreeSettings, TreeError};
use ftl_xml::{Document, Problem, Reopening, Severity};
use thiserror::Error;

use super::{Malformed, document};
use crate::author::take::{Strays, TakeError};
use crate::project::{LookupError, WorkspaceFile, read, status_ahead, typed_path};
use crate::run::Fault;
use crate::store::finish_rename;
use crate::validate::validate;

/// What a task is to be once it is active again; what is empty or `None` stays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReopenTask {
    /// Delta files to add, from the root.
    pub delta: Vec<String>,
    /// Strays to take out of quarantine into the tree and the delta, as they were typed.
    pub take: Vec<String>,
    /// Another verify command.
    pub verify: Option<String>,
    /// Another test file, as it was typed.
    pub verify_source: Option<String>,
    /// Another budget.
    pub budget: Option<i64>,
    /// Globs of files that may change beside the delta from now on.
    pub allow: Vec<String>,
    /// The task may change its tests from now on.
    pub tests_change: bool,
    /// Findings that are taken for what they are.
    pub accept: Vec<Finding>,
    /// Exports that the task may remove from now on.
    pub allow_removed: Vec<String>,
    /// How to fix the error that blocked the task.
    pub fix: Option<NewFix>,
    /// The pattern by which that error is known again; made of its error line where there is none.
    pub pattern: Option<String>,
}

/// How to fix an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NewFix {
    /// Words for the implementer.
    Prose(String),
    /// A shell command.
    Command(String),
    /// A unified diff.
    Patch(String),
}

/// A task that is active again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reopened {
    /// The task file.
    pub path: PathBuf,
    /// What was done besides, each in one line.
    pub done: Vec<String>,
    /// What is odd, each in one line.
    pub warnings: Vec<String>,
}

/// Why the task is not active again. Nothing was changed, unless the file system failed on the way.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReopenError {
    /// It is active already.
    #[error("`{}` is active, not finished", path.display())]
    Active {
        /// The task file.
        path: PathBuf,
    },
    /// It is finished, so there is nothing to edit.
    #[error("`{}` is {status}, not active", path.display())]
    Finished {
        /// The task file.
        path: PathBuf,
        /// What it is.
        status: Status,
    },
    /// The name and the content say different things.
    #[error("`{}` has the status `{status}`, but its name says `{expected}`", path.display())]
    OtherStatus {
        /// The task file.
        path: PathBuf,
        /// What its name says.
        expected: Status,
        /// What the document says.
        status: String,
    },
    /// A build would refuse the task.
    #[error("the task would not be valid: {}", first_of(problems))]
    Invalid {
        /// Where the task would lie.
        path: PathBuf,
        /// The task as it would be.
        content: Vec<u8>,
        /// What is wrong with it: errors alone.
        problems: Vec<Problem>,
    },
    /// The pattern cannot be used.
    #[error("the pattern `{pattern}` cannot be used: {why}")]
    Pattern {
        /// The pattern.
        pattern: String,
        /// Why.
        why: String,
    },
    /// There is no error that a fix could be for.
    #[error("`{}` does not say by what error it was blocked", path.display())]
    NoError {
        /// The record.
        path: PathBuf,
    },
    /// A patch that is given as a fix cannot be read, or is none.
    #[error("the patch of a fix is empty")]
    EmptyFix,
    /// A stray cannot be taken.
    #[error(transparent)]
    Take(#[from] TakeError),
    /// The file, or the task that would be made of it, cannot be read as a document.
    #[error(transparent)]
    Malformed(#[from] Malformed),
    /// The file has gone, or cannot be opened.
    #[error(transparent)]
    Lookup(#[from] LookupError),
    /// Another process holds the task, or the file system refused.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The tree could not be read or written.
    #[error(transparent)]
    Tree(#[from] TreeError),
    /// How the delta was before the task could not be kept.
    #[error(transparent)]
    Fault(#[from] Fault),
}

fn first_of(problems: &[Problem]) -> &str {
    problems.first().map_or("it has problems", |problem| problem.message.as_str())
}

/// What the configuration says.
#[derive(Clone, Copy, Debug)]
pub struct Surroundings<'a> {
    /// How the tree is looked at.
    pub scope: &'a TreeSettings,
    /// The environment that the verify will have.
    pub verify_env: &'a Environment,
}

/// Makes a blocked task active again.
///
/// # Errors
///
/// [`ReopenError`]; see there what becomes of the file.
pub fn reopen(
    workspace: &WorkspaceFile,
    task: &ReopenTask,
    around: Surroundings<'_>,
) -> Result<Reopened, ReopenError> {
    change(workspace, task, around, false)
}

/// Changes an active task. A run of it that did not end is not gone on with.
///
/// # Errors
///
/// [`ReopenError`]; see there what becomes of the file.
pub fn edit(
    workspace: &WorkspaceFile,
    task: &ReopenTask,
    around: Surroundings<'_>,
) -> Result<Reopened, ReopenError> {
    change(workspace, task, around, true)
}

fn change(
    workspace: &WorkspaceFile,
    task: &ReopenTask,
    around: Surroundings<'_>,
    is_edit: bool,
) -> Result<Reopened, ReopenError> {
    let scope = around.scope;
    let layout = &workspace.layout;
    layout.prepare(&OsFiles)?;
    let lock = Lock::task(&OsFiles, layout, &workspace.path, Waiting::Refuse)?;
    let mended = finish_rename(&workspace.path)?;
    let path = mended.clone().unwrap_or_else(|| workspace.path.clone());
    let bytes = read(&path)?;
    let record = document(&path, &bytes)?;
    let is_active = check_status(&path, &record, mended.is_some(), is_edit)?;

    let mut done = Vec::new();
    let mut warnings = Vec::new();
    warnings.extend(lock.warning().map(ToString::to_string));
    let strays = match task.take.as_slice() {
        [] => None,
        typed => Some(Strays::find(workspace, typed, scope)?),
    };
    // An invalid one is left to the validation.
    let normal =
        |path: &String| DeltaPath::parse(path).map_or_else(|_| path.clone(), |it| it.to_string());
    let mut delta: Vec<String> = task.delta.iter().map(normal).collect();
    delta.extend(strays.iter().flat_map(Strays::paths).map(ToString::to_string));
    let mut seen = known_delta(&record);
    delta.retain(|path| {
        let is_new = !seen.contains(path);
        seen.push(path.clone());
        is_new
    });
    let failure = match &task.fix {
        Some(fix) => fix::failure(&path, &record, fix, task.pattern.as_deref(), &mut warnings)?,
        None => None,
    };
    let verify_source = task.verify_source.as_deref();
    let changes = Reopening {
        verify: task.verify.clone(),
        verify_source: verify_source.map(|typed| typed_path(layout.root(), typed)),
        budget: task.budget,
        allow: task.allow.clone(),
        tests_change: task.tests_change,
        accept: task.accept.clone(),
        allow_removed: task.allow_removed.clone(),
        failure,
        delta,
    };
    let content = ftl_xml::reopen(&record, &changes);
    let active = active_path(&path)?;
    check(&content, &active, layout.root(), around.verify_env)?;
    if let Some(strays) = &strays {
        strays.join_work(layout.root())?;
    }
    tell(&changes, &mut done);
    let path = if is_active {
        if content != bytes {
            replace(&OsFiles, &path, &content)?;
        }
        path
    } else {
        // Before the task is active: one that was not over would be gone on with.
        Runs::new(&OsFiles, layout, workspace.id()).finish_all()?;
        ftl_store::reopen(&OsFiles, &path, &content)?
    };
    Ok(Reopened { path, done, warnings })
}

/// Finishes what a crash left of reopening a task, or of its seal, and gives the new path where there was
/// something to finish.
///
/// # Errors
///
/// [`StoreError`] where another process holds the task, or the file system refuses.
pub fn finish(workspace: &Path, layout: &ftl_store::Layout) -> Result<Option<PathBuf>, StoreError> {
    let status = name_of(workspace)?.status;
    let bytes = read(workspace).unwrap_or_default();
    if status_ahead(status, &bytes).is_none() {
        return Ok(None);
    }
    layout.prepare(&OsFiles)?;
    let _lock = Lock::task(&OsFiles, layout, workspace, Waiting::Refuse)?;
    finish_rename(workspace)
}

/// Whether the task is active already: one that is edited, or a crash had cut an earlier attempt short.
fn check_status(
    path: &Path,
    record: &Document<'_>,
    mended: bool,
    is_edit: bool,
) -> Result<bool, ReopenError> {
    let name = name_of(path)?;
    let status = record.root().attribute("status").unwrap_or_default();
    match name.status {
        Status::Active if mended || is_edit => Ok(true),
        status if is_edit => Err(ReopenError::Finished { path: path.to_owned(), status }),
        Status::Active => Err(ReopenError::Active { path: path.to_owned() }),
        expected if status == expected.as_str() => Ok(false),
        expected => Err(ReopenError::OtherStatus {
            path: path.to_owned(),
            expected,
            status: status.into_owned(),
        }),
    }
}

fn name_of(path: &Path) -> Result<WorkspaceName, StoreError> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    Ok(name.parse()?)
}

fn active_path(path: &Path) -> Result<PathBuf, StoreError> {
    let name = name_of(path)?.with_status(Status::Active);
    Ok(path.with_file_name(name.to_string()))
}

/// The delta's paths, as a build reads them.
fn known_delta(record: &Document<'_>) -> Vec<String> {
    let workspace = record.workspace().unwrap_or_default();
    let paths = workspace.delta.iter().flatten();
    paths
        .map(|text| DeltaPath::parse(text).map_or_else(|_| text.clone(), |path| path.to_string()))
        .collect()
}

/// What `ftl workspace validate` would refuse is refused before anything is written.
fn check(content: &[u8], active: &Path, root: &Path, env: &Environment) -> Result<(), ReopenError> {
    document(active, content)?;
    let mut problems = validate(content, active, root, env, &Rules::default());
    problems.retain(|problem| problem.severity == Severity::Error);
    if problems.is_empty() {
        return Ok(());
    }
    Err(ReopenError::Invalid { path: active.to_owned(), content: content.to_owned(), problems })
}

/// What the task file says now that it did not say before.
fn tell(changes: &Reopening, done: &mut Vec<String>) {
    for path in &changes.delta {
        done.push(format!("added `{path}` to the delta"));
    }
    if let Some(verify) = &changes.verify {
        done.push(format!("the verify is now `{verify}`"));
    }
    if let Some(source) = &changes.verify_source {
        done.push(format!("the verify source is now `{source}`"));
    }
    for glob in &changes.allow {
        done.push(format!("files like `{glob}` may change too now"));
    }
    if changes.tests_change {
        done.push("the task may change its tests now".to_owned());
    }
    for finding in &changes.accept {
        done.push(format!("the task accepts `{finding}` now"));
    }
    for name in &changes.allow_removed {
        done.push(format!("the task may remove `{name}` now"));
    }
    if let Some(budget) = changes.budget {
        done.push(format!("the budget is now {budget}"));
    }
    if let Some(Failure { name: Some(name), pattern, .. }) = &changes.failure {
        done.push(match pattern {
            Some(pattern) => format!("added the failure `{name}`, known by `{pattern}`"),
            None => format!("added the failure `{name}`, known by the text of its error"),
        });
    }
}
