//! A plan of tasks, made from a goal.

use ftl_model::{WorkspaceId, words};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::{OutcomeWord, ScheduleResult, Usage};

words! {
    /// How a verify command ended on the project as it is.
    pub enum PlannedBefore {
        /// With another exit code than 0, or by a signal.
        Failed = "failed",
        /// With 0: what it checks is so already.
        Passed = "passed",
        /// Not within the time limit.
        TimedOut = "timed_out",
    }
}

/// A task of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PlannedTask {
    /// `NNN_slug`.
    pub id: WorkspaceId,
    /// What is to be achieved.
    pub objective: String,
    /// The files that it may create or change.
    pub delta: Vec<String>,
    /// The verify command.
    pub verify: String,
    /// The test file to read first.
    pub verify_source: Option<String>,
    /// Sequence numbers of the tasks that come first.
    pub depends: Vec<String>,
    /// How the verify command ended on the project as it is.
    pub before: PlannedBefore,
}

/// What `ftl plan --format json` prints.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PlanResult {
    /// Version of this form: 1.
    pub v: u8,
    /// `complete` where task files were written, else `planned`.
    pub outcome: OutcomeWord,
    /// The tasks.
    pub tasks: Vec<PlannedTask>,
    /// What is built when.
    pub schedule: ScheduleResult,
    /// The task files that were written.
    pub created: Vec<String>,
    /// The plan, as `ftl workspace create --plan` reads it.
    pub plan: Value,
    /// What the agent's requests cost; null where it does not say so.
    pub usage: Option<Usage>,
}
