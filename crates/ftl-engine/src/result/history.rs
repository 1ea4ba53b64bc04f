//! What became of a task: its runs, and of each what it did and when.

use ftl_machine::StateName;
use ftl_model::{Seq, Status, WorkspaceId};
use schemars::JsonSchema;
use serde::Serialize;

use super::{BuildResult, OutcomeWord};

/// A task with all its runs; of one of them everything.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TaskHistory {
    /// Version of this form: 1.
    pub v: u8,
    /// `NNN_slug`.
    pub id: WorkspaceId,
    /// Where its file is.
    pub workspace: String,
    /// As its name says.
    pub status: Status,
    /// What is to be achieved.
    pub objective: String,
    /// The delta, as written.
    pub delta: Vec<String>,
    /// The verify command.
    pub verify: String,
    /// Sequence numbers of the tasks that come first.
    pub depends: Vec<Seq>,
    /// As the file says.
    pub created_at: Option<String>,
    /// Every run that is known, the first first.
    pub runs: Vec<RunSummary>,
    /// The run that was asked for; null where there is none.
    pub run: Option<RunAccount>,
}

/// How a run ended, in short.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RunSummary {
    /// From 1; null for a manual seal.
    pub number: Option<u64>,
    /// `complete`, `blocked` or `unfinished`.
    pub outcome: OutcomeWord,
    /// The kind of block; null unless it is one.
    pub kind: Option<String>,
    /// Tool calls spent; null for a manual seal.
    pub used: Option<i64>,
    /// RFC 3339, in UTC.
    pub began_at: Option<String>,
    /// The same; null while it goes on.
    pub ended_at: Option<String>,
}

/// What one run did.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RunAccount {
    /// From 1; null for a manual seal.
    pub number: Option<u64>,
    /// Which ftl made it.
    pub version: String,
    /// RFC 3339, in UTC.
    pub began_at: Option<String>,
    /// The same; null while it goes on.
    pub ended_at: Option<String>,
    /// Who wrote; null where only the record knows the run.
    pub implementer: Option<ImplementerAccount>,
    /// Where this was read.
    pub source: AccountSource,
    /// The states with their times.
    pub timeline: Vec<StateStep>,
    /// The slot that it worked in, of a task beside others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slot: Option<u32>,
    /// What the run did to the delta, as a unified diff; null where none is kept.
    pub diff: Option<String>,
    /// Its path.
    pub diff_path: Option<String>,
    /// Files that hold what agents and commands printed, in the order of their names.
    pub logs: Vec<RunLog>,
    /// What it came to, as `ftl build --format json` prints it.
    pub result: BuildResult,
}

/// The source of what is known of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AccountSource {
    /// Its journal.
    Journal,
    /// The record, which holds less: the run's directory is gone or damaged.
    Record,
}

/// Who wrote the delta.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ImplementerAccount {
    /// `agent`, `patch` or `tree`.
    pub kind: String,
    /// An agent's name; absent where it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// An agent's own command; null for a preset.
    pub command: Option<String>,
}

/// A state that a run entered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct StateStep {
    /// Its name.
    pub state: StateName,
    /// When, RFC 3339 in UTC; null where only the record knows the run.
    pub at: Option<String>,
    /// Milliseconds until the next state; null where that is not known.
    pub duration_ms: Option<u64>,
}

/// A file of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RunLog {
    /// From the root.
    pub path: String,
    /// What it holds, of a long one its ends; only where it is asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}
