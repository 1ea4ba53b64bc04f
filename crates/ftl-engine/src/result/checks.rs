//! The checks at the end of a build of several tasks: which are due, and how they ended.

use ftl_model::{Finding, RunFailure, WorkspaceId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A verify command that passed, and since when other tasks landed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct DueCheck {
    /// The command.
    pub command: String,
    /// The complete tasks that it verifies.
    pub tasks: Vec<WorkspaceId>,
    /// The tasks that landed since it last passed.
    pub landed_since: Vec<WorkspaceId>,
    /// How it failed, where it was run since then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failed: Option<FailedCheck>,
    /// The files that each of `landed_since` touched.
    #[serde(skip)]
    pub touched: Vec<Vec<String>>,
}

/// A check that failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FailedCheck {
    /// When it was made.
    pub at: String,
    /// Null where a signal or the time limit ended it.
    pub exit: Option<i32>,
    /// The line of its output that has the error.
    pub error: Option<String>,
    /// The file that holds its output.
    pub log: Option<String>,
    /// The tasks that touched what its failures name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub suspects: Vec<WorkspaceId>,
}

/// A verify command that was run once more at the end.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct CheckResult {
    /// The command.
    pub command: String,
    /// The complete tasks that it verifies.
    pub tasks: Vec<WorkspaceId>,
    /// Null when a signal or the time limit ended it.
    pub exit: Option<i32>,
    /// The tasks that landed since it last passed: the suspects, then the others.
    pub landed_since: Vec<WorkspaceId>,
    /// Those that touched what the failures name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub suspects: Vec<WorkspaceId>,
    /// Whether it passed. Exit code 0 alone is not enough: see `findings`.
    pub passed: bool,
    /// Null unless a signal ended it.
    pub signal: Option<i32>,
    /// Whether ftl's time limit ended it.
    pub timed_out: bool,
    /// How long it took.
    pub duration_ms: u64,
    /// The line of its output that has the error; null where it passed.
    pub error: Option<String>,
    /// What failed, as the output has it; a hundred at most.
    pub failures: Vec<RunFailure>,
    /// How many more failed.
    pub more_failures: usize,
    /// What makes the verdict doubtful.
    pub findings: Vec<Finding>,
    /// The file that holds what it printed; null when it printed nothing.
    pub log: Option<String>,
    /// Commands that go on from a failure, for a shell.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub next: Vec<String>,
}
