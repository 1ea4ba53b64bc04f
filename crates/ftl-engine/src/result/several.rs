//! How a build of several tasks ended, as programs get it.

use ftl_model::{WorkspaceId, words};
use ftl_schedule::{Limit, Schedule};
use schemars::JsonSchema;
use serde::Serialize;

use super::{BuildResult, CheckResult, Failed, OutcomeWord, Usage};

/// A workspace that was not built.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Skipped {
    /// Version of this form: 1.
    pub v: u8,
    /// `skipped` or `waiting`.
    pub outcome: OutcomeWord,
    /// The task's ID.
    pub id: WorkspaceId,
    /// Where its file is.
    pub workspace: String,
    /// Why it was not built.
    pub cause: String,
}

/// A workspace among several with which ftl could not go on.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct FailedWorkspace {
    /// As for a workspace built alone.
    #[serde(flatten)]
    pub failed: Failed,
    /// The task's ID.
    pub id: WorkspaceId,
    /// Where its file is.
    pub workspace: String,
}

/// How a build of several workspaces ended.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Results {
    /// Version of this form: 1.
    pub v: u8,
    /// `failed`, `limit`, `broken`, `blocked`, `planned` or `complete`: the first of them that applies.
    pub outcome: OutcomeWord,
    /// In the order in which they ended.
    pub results: Vec<WorkspaceResult>,
    /// How many ended how.
    pub counts: Counts,
    /// How long the command took.
    pub duration_ms: u64,
    /// What all requests of the command cost; null where no agent reports it.
    pub usage: Option<Usage>,
    /// The verify commands that were run once more at the end; null where no check was made.
    pub check: Option<Vec<CheckResult>>,
    /// The limit that kept tasks from starting.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<LimitWord>,
    /// Of a dry run: what is built when.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schedule: Option<ScheduleResult>,
    /// After an interrupt, the command that goes on, for a shell.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub next: Vec<String>,
}

words! {
    /// A limit of a command.
    pub enum LimitWord {
        /// `--deadline`.
        Deadline = "deadline",
        /// `--max-blocks`.
        MaxBlocks = "max_blocks",
        /// `--max-cost`.
        MaxCost = "max_cost",
        /// `--max-tokens`.
        MaxTokens = "max_tokens",
        /// An agent, or the server of workers, can't be reached for longer than it is waited for.
        Outage = "outage",
    }
}

impl From<Limit> for LimitWord {
    fn from(limit: Limit) -> Self {
        match limit {
            Limit::Deadline => Self::Deadline,
            Limit::MaxBlocks => Self::MaxBlocks,
            Limit::MaxCost => Self::MaxCost,
            Limit::MaxTokens => Self::MaxTokens,
            Limit::Outage => Self::Outage,
        }
    }
}

impl LimitWord {
    /// Why a task was not started.
    #[must_use]
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::Deadline => "the deadline is over",
            Self::MaxBlocks => "as many tasks are blocked as `--max-blocks` allows",
            Self::MaxCost => "the agents cost as much as `--max-cost` allows",
            Self::MaxTokens => "the agents used as many tokens as `--max-tokens` allows",
            Self::Outage => {
                "an agent, or the server of its workers, can't be reached for longer than it is waited for"
            }
        }
    }
}

/// What is built when.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ScheduleResult {
    /// The tasks in the order in which one job builds them.
    pub order: Vec<WorkspaceId>,
    /// Pairs of tasks that share a file: they are never under way at once.
    pub overlaps: Vec<(WorkspaceId, WorkspaceId)>,
    /// The most tasks that can be under way at once.
    pub most_at_once: usize,
}

impl ScheduleResult {
    /// What a schedule comes to if all its tasks complete.
    #[must_use]
    pub fn of(schedule: &Schedule, id: impl Fn(usize) -> WorkspaceId) -> Self {
        let later = |a: usize| schedule.overlapping(a).range(a..).map(move |&b| (a, b));
        let order = schedule.order();
        let pairs = (0..order.len()).flat_map(later);
        Self {
            overlaps: pairs.map(|(a, b)| (id(a), id(b))).collect(),
            order: order.into_iter().map(id).collect(),
            most_at_once: schedule.most_at_once(),
        }
    }
}

/// How many of several workspaces ended how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Counts {
    /// Complete.
    pub complete: usize,
    /// Of a dry run: without an obstacle.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub planned: Option<usize>,
    /// Blocked.
    pub blocked: usize,
    /// Not built: a task that they wait for is not complete, or they were finished before.
    pub skipped: usize,
    /// Not built: a limit was reached.
    pub waiting: usize,
    /// Neither: ftl could not begin or go on.
    pub failed: usize,
}

impl Counts {
    /// Counts one more.
    pub fn add(&mut self, outcome: OutcomeWord) {
        let count = match outcome {
            OutcomeWord::Complete => &mut self.complete,
            OutcomeWord::Planned => self.planned.get_or_insert_default(),
            OutcomeWord::Blocked | OutcomeWord::Broken => &mut self.blocked,
            OutcomeWord::Skipped => &mut self.skipped,
            OutcomeWord::Waiting | OutcomeWord::Limit => &mut self.waiting,
            OutcomeWord::Failed | OutcomeWord::Dropped | OutcomeWord::Unfinished => {
                &mut self.failed
            }
        };
        *count += 1;
    }
}

/// The result of one workspace among several.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum WorkspaceResult {
    /// It was built.
    Built(Box<BuildResult>),
    /// It was not built.
    Skipped(Skipped),
    /// ftl could not go on with it.
    Failed(FailedWorkspace),
}

impl WorkspaceResult {
    /// How it ended.
    #[must_use]
    pub fn outcome(&self) -> OutcomeWord {
        match self {
            Self::Built(built) => built.outcome,
            Self::Skipped(skipped) => skipped.outcome,
            Self::Failed(failed) => failed.failed.outcome,
        }
    }
}
