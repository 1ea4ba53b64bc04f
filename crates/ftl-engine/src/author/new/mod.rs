//! A new task file, under the next free number.
//!
//! This takes two steps, so that a caller can refuse in between: [`draft`] reads the project and writes
//! nothing, [`Draft::write`] takes the number and writes the file.

mod about;
mod listing;
mod naming;

use std::fmt;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use ftl_analysis::quality::Rules;
use ftl_model::{
    CodeContext, DeltaPath, DeltaPathProblem, Seq, Status, Workspace, WorkspaceId, WorkspaceName,
};
use ftl_process::Environment;
use ftl_store::{FileError, Layout, Lock, OsFiles, StoreError, Waiting, create, ensure_dir};
use ftl_tree::read_beneath;
use ftl_xml::limits::MAX_BYTES;
use ftl_xml::python::{Window, code_context};
use ftl_xml::{Problem, Severity};
use thiserror::Error;

use self::listing::Listing;
use self::naming::slug;
pub(super) use self::naming::{next_number, used_numbers};
use super::{Malformed, document};
use crate::project::{display_path, is_meant, names, obstacle};
use crate::text::now;
use crate::validate::validate;

/// Calls beside those for the files: READ, READ_TESTS, VERIFY, and a retry with its own verify.
const BESIDE_FILES: i64 = 5;

/// The budget of a task that reads its tests, touches so many files, and is verified, retried once and
/// verified again.
pub fn carrying_budget(files: usize) -> i64 {
    let files = i64::try_from(files).unwrap_or(i64::MAX);
    files.saturating_add(BESIDE_FILES)
}

/// What a task file is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewTask {
    /// Why the task exists; the slug is made of its first words.
    pub objective: String,
    /// Files that the task may create or change, as they were typed.
    pub delta: Vec<String>,
    /// The command that exits with 0 only if the task is done.
    pub verify: String,
    /// The test file that the implementer receives before it starts.
    pub verify_source: Option<String>,
    /// The tasks that must be complete first, by number or ID.
    pub depends: Vec<String>,
    /// Tool calls that the task may use.
    pub budget: i64,
    /// Globs of files that may change or appear beside the delta.
    pub allow: Vec<String>,
    /// The task may change its tests.
    pub tests_change: bool,
    /// Exports that the task may remove.
    pub allow_removed: Vec<String>,
}

/// Why there is no new task file.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum NewError {
    /// Nothing could tell whether the task is done.
    #[error("the verify command is empty")]
    NoVerify,
    /// A build would refuse these paths.
    #[error("the delta has {} invalid paths", .0.len())]
    Delta(Vec<DeltaError>),
    /// No task has this number or ID.
    #[error("no task `{word}` in `{}`", directory.display())]
    NoSuchTask {
        /// The number or ID, as it was typed.
        word: String,
        /// The directory of task files.
        directory: PathBuf,
    },
    /// A delta file is there and cannot be read.
    #[error("cannot read `{path}`: {why}")]
    Context {
        /// The file.
        path: DeltaPath,
        /// What keeps it from being read.
        why: Unreadable,
    },
    /// A build would refuse the task.
    #[error("the task would not be valid")]
    Invalid {
        /// Where it would lie.
        path: PathBuf,
        /// What it would say.
        content: Vec<u8>,
        /// What is wrong with it: errors alone.
        problems: Vec<Problem>,
    },
    /// What would be written is no task file: it is too large, say.
    #[error(transparent)]
    Malformed(#[from] Malformed),
    /// The file could not be written.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<FileError> for NewError {
    fn from(error: FileError) -> Self {
        Self::Store(error.into())
    }
}

/// A task file that was written.
#[derive(Debug)]
pub struct Written {
    /// Its path.
    pub path: PathBuf,
    /// What is odd about it, and does not keep it from being built.
    pub warnings: Vec<Problem>,
}

/// What is wrong with one path of a delta.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DeltaError {
    /// It is not a path of a file below the root.
    #[error(transparent)]
    Path(#[from] DeltaPathProblem),
    /// It is there already, perhaps in another spelling.
    #[error("`{0}` is named twice")]
    Twice(DeltaPath),
}

/// Why a delta file that exists cannot be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Unreadable {
    /// It is not a regular file below the root.
    #[error("it {0}")]
    Obstacle(&'static str),
    /// The system refused.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// A delta file whose content the task file does not show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoContext {
    /// The file.
    pub path: DeltaPath,
    /// Why it is not shown.
    pub why: NotShown,
}

/// Why the content of a file is not shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotShown {
    /// It is not UTF-8.
    NotText,
    /// It is larger than any task file.
    TooLarge,
}

impl fmt::Display for NoContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = &self.path;
        match self.why {
            NotShown::NotText => write!(f, "`{path}` is not UTF-8, so it gets no code context"),
            NotShown::TooLarge => {
                let limit = MAX_BYTES >> 20;
                write!(f, "`{path}` is larger than {limit} MiB, so it gets no code context")
            }
        }
    }
}

/// Everything that the file will say but its number and its time.
#[derive(Clone, Debug)]
pub struct Draft {
    layout: Layout,
    workspace: Workspace,
    slug: String,
    warnings: Vec<NoContext>,
}

/// Makes a task file's content, with a code context of every delta file that exists.
///
/// # Errors
///
/// [`NewError`] where a build would refuse the task, or a delta file cannot be read.
pub fn draft(layout: &Layout, task: &NewTask) -> Result<Draft, NewError> {
    if task.verify.trim().is_empty() {
        return Err(NewError::NoVerify);
    }
    let delta = delta(&task.delta).map_err(NewError::Delta)?;
    let mut code_contexts = Vec::new();
    let mut warnings = Vec::new();
    let listing = Listing::new(layout.root(), &delta);
    for path in &delta {
        match context(layout.root(), path, &listing, &task.objective)? {
            Shown::Context(context) => code_contexts.push(context),
            Shown::Not(why) => warnings.push(NoContext { path: path.clone(), why }),
            Shown::Missing => {}
        }
    }
    let workspace = Workspace {
        status: Some(Status::Active.to_string()),
        objective: task.objective.trim().to_owned(),
        delta: delta.iter().map(|path| Some(path.to_string())).collect(),
        verify: task.verify.clone(),
        verify_source: task.verify_source.clone().unwrap_or_default(),
        budget: task.budget,
        allow: task.allow.clone(),
        tests_change: task.tests_change,
        allow_removed: task.allow_removed.clone(),
        depends: depends(layout, &task.depends)?,
        code_contexts,
        ..Workspace::default()
    };
    Ok(Draft { layout: layout.clone(), workspace, slug: slug(&task.objective), warnings })
}

impl Draft {
    /// The delta files that are not shown, in the order of the delta.
    pub fn warnings(&self) -> &[NoContext] {
        &self.warnings
    }

    /// Writes the file under the next number, and gives its path. `env` is the environment that its verify
    /// will have.
    ///
    /// # Errors
    ///
    /// [`NewError::Store`], [`NewError::Invalid`] where a build would refuse the task, and
    /// [`NewError::Malformed`] where the document would be too large to read.
    pub fn write(self, env: &Environment) -> Result<Written, NewError> {
        // Before anything is made; the number may be another by then, and nothing else.
        let (path, text) = self.numbered()?;
        let warnings = self.check(&path, &text, env)?;
        self.layout.prepare(&OsFiles)?;
        ensure_dir(&OsFiles, &self.layout.workspace_dir())?;
        // Two at once would take the same number.
        let numbers = WorkspaceId::new("", "new");
        let _lock = Lock::workspace(
            &self.layout,
            &numbers,
            Waiting::While(&mut |_| ftl_process::interrupted().is_none()),
        )?;
        let (path, text) = self.numbered()?;
        create(&OsFiles, &path, text.as_bytes())?;
        Ok(Written { path, warnings })
    }

    /// Where the file would lie now, and what it would say.
    fn numbered(&self) -> Result<(PathBuf, String), NewError> {
        let number = next_number(&used_numbers(&self.layout)?);
        let id = WorkspaceId::new(&format!("{number:03}"), &self.slug);
        let text = ftl_xml::write_new(&Workspace {
            id: Some(id.attribute()),
            created_at: Some(now()),
            ..self.workspace.clone()
        });
        let status = Status::Active;
        let name = WorkspaceName { id, status }.to_string();
        let directory = display_path(&self.layout.workspace_dir());
        Ok((directory.join(name), text))
    }

    /// What is odd about the task, where a build would not refuse it.
    fn check(&self, path: &Path, text: &str, env: &Environment) -> Result<Vec<Problem>, NewError> {
        document(path, text.as_bytes())?;
        let problems = validate(text.as_bytes(), path, self.layout.root(), env, &Rules::default());
        let is_error = |problem: &Problem| problem.severity == Severity::Error;
        let (problems, warnings): (Vec<_>, Vec<_>) = problems.into_iter().partition(is_error);
        if problems.is_empty() {
            return Ok(warnings);
        }
        Err(NewError::Invalid {
            path: path.to_owned(),
            content: text.as_bytes().to_owned(),
            problems,
        })
    }
}

/// The delta, normalised; every path that a build would refuse is a problem here already.
fn delta(paths: &[String]) -> Result<Vec<DeltaPath>, Vec<DeltaError>> {
    let mut delta: Vec<DeltaPath> = Vec::new();
    let mut problems = Vec::new();
    for text in paths {
        match DeltaPath::parse(text) {
            Ok(path) if delta.contains(&path) => problems.push(DeltaError::Twice(path)),
            Ok(path) => delta.push(path),
            Err(problem) => problems.push(problem.into()),
        }
    }
    if problems.is_empty() { Ok(delta) } else { Err(problems) }
}

/// The numbers of the tasks that these words name, each once.
fn depends(layout: &Layout, asked: &[String]) -> Result<Vec<Seq>, NewError> {
    let names = match asked {
        [] => Vec::new(),
        _ => names(layout)?,
    };
    let mut depends = Vec::new();
    for word in asked {
        let meant = names.iter().find(|name| is_meant(name, word));
        let Some(meant) = meant else {
            return Err(NewError::NoSuchTask {
                word: word.clone(),
                directory: display_path(&layout.workspace_dir()),
            });
        };
        let seq = Seq::new(meant.id.seq());
        if !depends.contains(&seq) {
            depends.push(seq);
        }
    }
    Ok(depends)
}

/// What a task file shows of a delta file.
enum Shown {
    Context(CodeContext),
    Not(NotShown),
    /// The task is to create it.
    Missing,
}

/// The code context of a file below the root. What a build would not touch is refused in the words of
/// a build; what takes its place after that is refused by the read.
fn context(
    root: &Path,
    path: &DeltaPath,
    listing: &Listing,
    objective: &str,
) -> Result<Shown, NewError> {
    let refused = |why: Unreadable| NewError::Context { path: path.clone(), why };
    if let Some(problem) = obstacle(root, path) {
        return Err(refused(Unreadable::Obstacle(problem)));
    }
    let bytes = match read_beneath(root, path.as_path(), MAX_BYTES as u64) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Shown::Missing),
        Err(error) => return Err(refused(error.into())),
    };
    if bytes.len() > MAX_BYTES {
        return Ok(Shown::Not(NotShown::TooLarge));
    }
    let Ok(text) = String::from_utf8(bytes) else {
        return Ok(Shown::Not(NotShown::NotText));
    };
    let mut context = code_context(path.as_str(), &text, Window::Beginning);
    let names = listing.names(path, &text);
    let lines = about::definition(&text, objective, &names);
    context.content = lines.map_or_else(String::new, |(first, last)| {
        let shown = text.lines().skip(first - 1).take(last + 1 - first);
        shown.collect::<Vec<_>>().join("\n")
    });
    context.lines = lines.map(|(first, last)| format!("{first}-{last}"));
    context.exports = names.join(", ");
    Ok(Shown::Context(context))
}

#[cfg(test)]
mod tests;
