//! The event stream: one line as it happens, from the versions to the outcome.
//!
//! It is not the journal. The journal serves recovery and may change with every version; these lines are
//! read by programs.

use ftl_agents::Activity;
use ftl_machine::{Event, Options};
use ftl_model::{Digest, Workspace, WorkspaceId, words};
use schemars::JsonSchema;
use serde::Serialize;

use super::{
    AgentWait, BuildResult, CheckResult, Counts, LimitWord, OutcomeWord, RunId, Spent,
    WorkspaceResult,
};
use crate::text::now_exactly;

/// One line of the event stream.
#[derive(Debug, Serialize, JsonSchema)]
pub struct EventLine<'a> {
    /// Version of this form: 1.
    pub(crate) v: u8,
    /// From 0, without gaps.
    pub(crate) seq: u64,
    /// RFC 3339, in UTC.
    pub(crate) at: &'a str,
    /// Which run: the ID and a number, `dry` or `check`.
    pub(crate) run: &'a RunId,
    /// What was announced, where something was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) emit: Option<&'a str>,
    /// Tool calls, once the task was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) budget: Option<&'a Spent>,
    /// What happened, by its `type`.
    #[serde(flatten)]
    pub(crate) what: What<'a>,
}

words! {
    /// What a command of a run is for.
    pub enum Doing {
        /// An agent writes the delta.
        Agent = "agent",
        /// An agent fixes what preflight found.
        Mend = "mend",
        /// A known fix is applied.
        Fix = "fix",
        /// A preflight command of the task.
        Preflight = "preflight",
        /// The verify command, before anything is written.
        Baseline = "baseline",
        /// The verify command, with the work broken.
        Broken = "broken",
        /// The verify command, with the tests as they were.
        OldTests = "old_tests",
        /// The verify command.
        Verify = "verify",
        /// A verify command once more, at the end of several tasks.
        Check = "check",
        /// A judge is asked.
        Judge = "judge",
    }
}

/// What happened.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum What<'a> {
    /// The stream begins or ends.
    Frame(Frame<'a>),
    /// An event of the machine.
    Event(&'a Event),
}

/// What is around the events.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Frame<'a> {
    /// The first line.
    Opened {
        /// Which ftl.
        version: &'a str,
        workspace_sha256: Digest,
        options: &'a Options,
        /// The task as the document states it; null where it cannot be read.
        plan: Option<Outline<'a>>,
        /// Events that an earlier run left behind it.
        resumed_events: usize,
    },
    /// An agent does something, as it says itself; nothing is decided by it.
    Agent {
        /// The request's number in the run.
        request: u32,
        #[serde(flatten)]
        activity: &'a Activity,
    },
    /// A command begins.
    Started {
        /// What it is for.
        #[serde(rename = "what")]
        doing: Doing,
        /// The command.
        command: &'a str,
    },
    /// The command under way has printed something; reported twice a second at most.
    Output {
        /// Its last line, as a terminal would show it.
        line: &'a str,
    },
    /// A check at the end was made.
    Checked {
        /// As the build's JSON has it.
        check: &'a CheckResult,
    },
    /// The last line.
    Outcome {
        /// As the build's own JSON.
        result: &'a BuildResult,
    },
}

/// A line of the event stream: of a run, or of the command.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum StreamLine<'a> {
    /// Of a run.
    Run(EventLine<'a>),
    /// Of a command that builds several tasks.
    Command(CommandLine<'a>),
}

/// What is of no run.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CommandLine<'a> {
    /// Version of this form: 1.
    v: u8,
    /// RFC 3339, in UTC.
    at: String,
    /// What happened, by its `type`.
    #[serde(flatten)]
    what: CommandEvent<'a>,
}

/// What happens to a command that builds several tasks.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum CommandEvent<'a> {
    /// A task was not built, or ftl could not go on with it.
    Left {
        /// Which.
        task: &'a WorkspaceId,
        /// As the results' JSON has it.
        result: &'a WorkspaceResult,
    },
    /// Tasks wait for an agent that can't be reached.
    Waits {
        /// Which, for whom, and until when.
        tasks: &'a [AgentWait],
    },
    /// The last line.
    Ended {
        /// As in the results' JSON.
        outcome: OutcomeWord,
        /// As in the results' JSON.
        counts: Counts,
        /// As in the results' JSON.
        check: Option<&'a [CheckResult]>,
        /// As in the results' JSON.
        #[serde(skip_serializing_if = "Option::is_none")]
        limit: Option<LimitWord>,
    },
}

impl<'a> CommandLine<'a> {
    /// Happens now.
    #[must_use]
    pub fn new(what: CommandEvent<'a>) -> Self {
        Self { v: 1, at: now_exactly(), what }
    }
}

/// The task as a document states it.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Outline<'a> {
    /// The delta's texts; null for an empty element.
    delta: &'a [Option<String>],
    verify: &'a str,
    verify_source: &'a str,
    /// The extra preflight commands; null for an empty element.
    preflight: &'a [Option<String>],
    /// Tool calls allowed.
    budget: i64,
}

impl<'a> Outline<'a> {
    pub(crate) fn of(workspace: &'a Workspace) -> Self {
        Self {
            delta: &workspace.delta,
            verify: &workspace.verify,
            verify_source: &workspace.verify_source,
            preflight: &workspace.preflight,
            budget: workspace.budget,
        }
    }
}
