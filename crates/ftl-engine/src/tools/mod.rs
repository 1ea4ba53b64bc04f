//! What an agent may do to a task through ftl, and nothing else: read and search the project, write the files
//! of the delta, run the task's checks, and report its state.
//!
//! A [`Toolbox`] is of one task. It serves the request of a build that waits for an agent, or a person's own
//! agent that works on an active task. What is refused says why and leaves every byte as it was. Nothing that is
//! said here decides anything: a build looks at the tree when its request has ended.
//!
//! How a call arrives is not known here: `ftl mcp` speaks the protocol.

mod budget;
mod calls;
mod checking;
pub mod guard;
mod reading;
mod replying;
mod task;
mod writing;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use ftl_machine::Phase;
use ftl_model::{DeltaPath, WorkspaceId};
use ftl_preflight::Checker;
use ftl_store::FileError;
use ftl_tree::{Tree, TreeError};
use ftl_xml::ReadError;
use serde::Deserialize;
use serde_json::{Map, Value};
use thiserror::Error;

pub use calls::Tool;

use crate::project::{WorkspaceFile, read_regular, read_workspace_file};
use crate::run::{Secrets, Settings};
use budget::FileBudget;
use calls::Call;
use task::Task;

/// Bytes of a file that is read or written.
const MAX_FILE: u64 = 4 << 20;

/// Bytes of a request's file.
const MAX_REQUEST: u64 = 64 << 20;

/// What a call came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// What an agent gets.
    pub text: String,
    /// What it should know besides.
    pub note: Option<String>,
    /// Whether the call was refused, or what it ran has failed.
    pub failed: bool,
}

impl Answer {
    fn said(text: String) -> Self {
        Self { text, note: None, failed: false }
    }

    fn noting(self, note: Option<String>) -> Self {
        Self { note, ..self }
    }
}

/// Why a call is refused; nothing was done then.
#[derive(Debug)]
struct Refusal(String);

impl Refusal {
    fn new(why: impl Into<String>) -> Self {
        Self(why.into())
    }
}

/// Why there are no tools for a task.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ToolsError {
    /// The task file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// The task file is refused.
    #[error("the task file is refused: {}", .0)]
    Task(ReadError),
    /// The task can't be built.
    #[error("the task cannot be built: {0}")]
    Unbuildable(String),
    /// The tree cannot be looked at.
    #[error(transparent)]
    Tree(#[from] TreeError),
    /// What is spent on a task cannot be kept.
    #[error("cannot keep what is spent in `{}`: {source}", path.display())]
    Keeping {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// What is named as a build's request is none.
    #[error("`{}` is not a request of a build: {why}", path.display())]
    Request {
        /// The file.
        path: PathBuf,
        /// Why not.
        why: String,
    },
}

/// The tools of one task.
pub struct Toolbox {
    id: WorkspaceId,
    root: PathBuf,
    task: Task,
    settings: Settings,
    secrets: Secrets,
    tree: Tree,
    checker: Option<Checker>,
    budget: FileBudget,
    /// The directory of a build's request, where the reply goes.
    reply: Option<PathBuf>,
    /// Whether the call under way is cancelled: its command ends then.
    is_cancelled: Arc<AtomicBool>,
}

/// What a build's request says, as far as it is needed here.
#[derive(Debug, Deserialize)]
struct Request {
    phase: Phase,
    budget: Remaining,
}

#[derive(Debug, Deserialize)]
struct Remaining {
    remaining: i64,
}

impl Toolbox {
    /// The tools of an active task: for the request of a build, whose file is named, or for a person's own
    /// agent.
    ///
    /// # Errors
    ///
    /// [`ToolsError`] where the task or the request cannot be read.
    pub fn open(
        workspace: &WorkspaceFile,
        request: Option<&Path>,
        mut settings: Settings,
    ) -> Result<Self, ToolsError> {
        let layout = &workspace.layout;
        let task = Task::parse(&read_workspace_file(&workspace.path)?)?;
        settings.tree.allow.extend(task.allow.iter().cloned());
        let root = layout.root().canonicalize();
        let root = root.unwrap_or_else(|_| layout.root().to_owned());
        let mut tree = Tree::open(&root, &task.delta, settings.tree.clone())?;
        tree.leave_out(&root.join(".ftl"));
        if let Some(private) = layout.private_dir() {
            tree.leave_out(&private.canonicalize().unwrap_or(private));
        }
        let asked = request.map(read_request).transpose()?;
        let reply = request.and_then(Path::parent).map(Path::to_owned);
        Ok(Self {
            id: workspace.id().clone(),
            budget: budget(asked.as_ref(), &task),
            secrets: Secrets::new(&settings.redactor),
            checker: None,
            root,
            task,
            settings,
            tree,
            reply,
            is_cancelled: Arc::default(),
        })
    }

    /// What an agent should know before it begins.
    #[must_use]
    pub fn introduction(&self) -> String {
        let mut text = format!(
            "These tools work on the task {} of ftl, and are all that it needs. Only the files of the task \
             can be changed. Edit them, then call `preflight` and `verify`, and end with `done`.",
            self.id
        );
        if self.reply.is_none() {
            text.push_str(" Begin with `task`.");
        }
        if let Some(sentence) = self.budget.sentence() {
            text.push(' ');
            text.push_str(&sentence);
        }
        text
    }

    /// Calls a tool. What it refuses, or what fails, is an answer too. Its command ends once `is_cancelled` is set.
    pub fn call(
        &mut self,
        tool: Tool,
        arguments: Map<String, Value>,
        is_cancelled: &Arc<AtomicBool>,
    ) -> Answer {
        self.is_cancelled = Arc::clone(is_cancelled);
        let done = Call::parse(tool, arguments).and_then(|call| self.perform(&call));
        done.unwrap_or_else(|Refusal(why)| Answer {
            text: self.secrets.hide(&format!("refused: {why}")),
            note: None,
            failed: true,
        })
    }

    fn perform(&mut self, call: &Call) -> Result<Answer, Refusal> {
        match call {
            Call::Task => Ok(self.tell()),
            Call::Read(call) => self.read(call),
            Call::Search(call) => self.search(call),
            Call::Edit(call) => self.edit(call),
            Call::Write(call) => self.write(call),
            Call::Preflight => self.preflight(),
            Call::Verify => self.verify(),
            Call::Done(call) => self.done(call),
            Call::NoChange(call) => self.no_change(call),
            Call::Needs(call) => self.needs(call),
        }
    }

    fn tell(&self) -> Answer {
        let mut text = self.task.text(&|path| self.root.join(path).exists());
        if let Some(sentence) = self.budget.sentence() {
            text.push_str(&sentence);
            text.push('\n');
        }
        Answer::said(self.secrets.hide(&text))
    }
}

fn budget(request: Option<&Request>, task: &Task) -> FileBudget {
    match request.map(|request| (request.phase, request.budget.remaining)) {
        // READ and VERIFY are for the build that comes later.
        None => FileBudget::limited(task.budget.saturating_sub(2).max(0)),
        Some((Phase::Implement, left)) => FileBudget::limited(left.saturating_sub(1)),
        Some((Phase::FixSyntax | Phase::ApplyFix, _)) => FileBudget::Unlimited,
    }
}

fn read_request(path: &Path) -> Result<Request, ToolsError> {
    let refused = |why: String| ToolsError::Request { path: path.to_owned(), why };
    let bytes = read_regular(path, MAX_REQUEST).map_err(|error| refused(error.to_string()))?;
    serde_json::from_slice(&bytes).map_err(|error| refused(error.to_string()))
}

/// A path that an agent names, absolute or not: below the root, outside the store and git's own directory.
fn path(text: &str, root: &Path) -> Result<DeltaPath, Refusal> {
    let below = Path::new(text).strip_prefix(root).ok().and_then(Path::to_str);
    DeltaPath::parse(below.unwrap_or(text))
        .map_err(|problem| Refusal::new(format!("no such path: {problem}")))
}
