//! From a plan, JSON that names the tasks of a campaign, to their task files.
//!
//! [`Plan::parse`] reads the plan, [`Plan::create`] writes the documents; what they need of the
//! project they ask a [`Project`] for. Nothing is read or written here, and every problem of a plan
//! is found before the first document is made: a campaign of which half the task files exist would
//! be started.

mod create;
mod parse;
mod verify_source;

use std::collections::BTreeMap;
use std::fmt;

use ftl_model::{Idioms, WorkspaceId};

pub use self::verify_source::verify_source;

/// A campaign: tasks and what they share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Why the campaign exists.
    pub objective: String,
    /// Name of the framework; `None` for none.
    pub framework: Option<String>,
    /// Idioms for frameworks that the registry does not know.
    pub idioms: Idioms,
    /// The tasks, in the plan's order.
    pub tasks: Vec<Task>,
}

/// One task of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// Sequence number, `001`.
    pub seq: String,
    /// Short name for the file.
    pub slug: String,
    /// Why the task exists; the campaign's objective where it is empty.
    pub objective: String,
    /// What sort of task it is.
    pub kind: TaskKind,
    /// Files that it may create or change.
    pub delta: Vec<String>,
    /// Command that decides whether it is done.
    pub verify: String,
    /// Test file to read first, where the plan names one.
    pub verify_source: Option<String>,
    /// Tool calls allowed.
    pub budget: i64,
    /// Extra preflight commands.
    pub preflight: Vec<String>,
    /// Lines to work on, `a-b`, by path.
    pub target_lines: BTreeMap<String, String>,
    /// Sequence numbers of tasks that come first.
    pub depends: Vec<String>,
}

impl Task {
    /// The ID of the task's workspace.
    pub fn id(&self) -> WorkspaceId {
        WorkspaceId::new(&self.seq, &self.slug)
    }
}

/// What sort of task it is; decides how much of a file its contexts show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaskKind {
    /// Writes tests first: shows the beginning of each file.
    Spec,
    /// Anything else: shows the surroundings of the target lines, where the plan names them.
    Other,
}

/// Something wrong in a plan, or in a file that it builds on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanProblem {
    /// Where: a path into the JSON such as `tasks[1].seq`, or a file's name.
    pub at: String,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for PlanProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` {}", self.at, self.message)
    }
}

impl std::error::Error for PlanProblem {}

/// A file of the project, as far as a code context needs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// It does not exist, or is no regular file below the root.
    Missing,
    /// Its text.
    Text(String),
    /// It exists and is not UTF-8.
    NotText,
}

/// What creating task files asks of the world.
pub trait Project {
    /// A file of the project by its path from the root.
    fn source(&self, path: &str) -> Source;

    /// Names of the files in the workspace directory, in any order.
    fn records(&self) -> Vec<String>;

    /// A file of the workspace directory by its name; `None` when it cannot be read.
    fn record(&self, name: &str) -> Option<Vec<u8>>;

    /// The text of `.ftl/exploration.json`; `None` when it cannot be read.
    fn exploration(&self) -> Option<String>;

    /// The idioms that the registry has for the framework of exactly this name.
    fn registry(&self, framework: &str) -> Option<Idioms>;
}

/// Task files to be written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Created {
    /// One file a task, in the plan's order.
    pub files: Vec<NewFile>,
    /// What the planner should know, one sentence each.
    pub warnings: Vec<String>,
}

/// A task file to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewFile {
    /// The task.
    pub id: WorkspaceId,
    /// Its name in the workspace directory, `001_models_active.xml`.
    pub name: String,
    /// Its content.
    pub content: String,
}
