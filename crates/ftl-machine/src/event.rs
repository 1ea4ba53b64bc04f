//! Facts that arrived, in the past tense: the only part of the machine that is stored.
//!
//! Events hold digests, excerpts and paths; whole outputs are in separate files.

use std::collections::{BTreeMap, BTreeSet};

use ftl_model::{
    AgentWork, BaseCommit, Check, DeltaPath, DeltaState, Digest, ExportVerdict, Finding,
    IdiomVerdict, Isolation, KnownFailure, LineCounts, RunFailure, Scratch, Used,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use crate::experiments::{Before, Broken, OldTests};
pub use crate::illegal_event::IllegalEvent;

use crate::StateName;
pub use crate::plan::MissingProgram;
use crate::plan::PlannedFile;

/// A fact that arrived.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Event {
    /// The workspace was read.
    WorkspaceRead(Box<WorkspaceRead>),
    /// The reader refused the document.
    WorkspaceRefused(WorkspaceRefused),
    /// The task was checked and laid out.
    Planned(Box<Planned>),
    /// The test file was read, or could not be.
    TestsRead(TestsRead),
    /// The implementer answered.
    Implemented(Box<Work>),
    /// A touched file was checked.
    FileChecked(Check),
    /// A preflight command ran.
    CommandChecked(CommandChecked),
    /// The implementer tried to fix what preflight found.
    Mended(Box<Work>),
    /// The delta could not land: the files changed in the tree too.
    LandingConflicted(Box<Conflicts>),
    /// The verify command ran with the work, and with the tests as they were.
    OldTestsTried(Box<OldTests>),
    /// The verify command, which passed, ran with the work broken, or could not.
    BrokenTried(Box<Broken>),
    /// The verify command ran.
    Verified(Box<Verification>),
    /// The verify that failed in the tree ran once more, where the delta was written.
    Confirmed(Box<Verification>),
    /// The failed verify was classified and matched.
    FailureMatched(Box<FailureMatched>),
    /// A known fix was applied, or could not be.
    FixApplied(Box<FixApplied>),
    /// Idioms and exports were judged.
    Judged(Box<Judged>),
    /// The delta or the test file changed while nothing ran: between an interrupt and going on.
    Edited(Box<Edited>),
    /// The record has its final name.
    Sealed(Sealed),
}

impl Work {
    /// What IMPLEMENT charges for it: one for each file touched.
    #[must_use]
    pub fn price(&self) -> usize {
        self.delta.touched.len()
    }
}

impl Event {
    /// The error of a state that this event can't arrive in.
    pub(super) fn illegal(&self, state: StateName, doing: &'static str) -> IllegalEvent {
        IllegalEvent { state, doing, event: self.name() }
    }

    /// The name that the event carries in journals and event streams.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::WorkspaceRead(_) => "workspace_read",
            Self::WorkspaceRefused(_) => "workspace_refused",
            Self::Planned(_) => "planned",
            Self::TestsRead(_) => "tests_read",
            Self::Implemented(_) => "implemented",
            Self::FileChecked(_) => "file_checked",
            Self::CommandChecked(_) => "command_checked",
            Self::Mended(_) => "mended",
            Self::LandingConflicted(_) => "landing_conflicted",
            Self::OldTestsTried(_) => "old_tests_tried",
            Self::BrokenTried(_) => "broken_tried",
            Self::Verified(_) => "verified",
            Self::Confirmed(_) => "confirmed",
            Self::FailureMatched(_) => "failure_matched",
            Self::FixApplied(_) => "fix_applied",
            Self::Judged(_) => "judged",
            Self::Edited(_) => "edited",
            Self::Sealed(_) => "sealed",
        }
    }
}

/// What the document says, as far as READ decides on it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WorkspaceRead {
    /// The root's `status` attribute.
    pub status: Option<String>,
    /// Tool calls allowed. Every line of the event stream has what is spent as `budget`.
    #[serde(rename = "calls")]
    pub budget: i64,
    /// The delta's texts, trimmed.
    pub delta: Vec<String>,
    /// The verify command, trimmed.
    pub verify: String,
    /// The framework's name, where idioms name one.
    pub framework: Option<String>,
    /// The framework confidence as written.
    pub confidence: Option<f64>,
    /// What is odd but does no harm.
    pub warnings: Vec<String>,
}

/// Why the reader refused the document.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WorkspaceRefused {
    /// A stable code.
    pub code: String,
    /// One line: what, and where.
    pub message: String,
}

/// What PLAN found.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Planned {
    /// The first thing that makes the workspace unbuildable.
    pub problem: Option<String>,
    /// The program that the verify command begins with, where there is none of that name.
    pub missing: Option<MissingProgram>,
    /// The delta, normalised.
    pub files: Vec<PlannedFile>,
    /// The test file, where it can be read.
    pub tests: Option<String>,
    /// The extra preflight commands.
    pub commands: Vec<String>,
    /// Findings that the task takes for what they are.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub accepted: BTreeSet<Finding>,
    /// What is odd but does no harm.
    pub warnings: Vec<String>,
}

/// The test file, read for the implementer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TestsRead {
    /// The digest of what was read; `None` where the read failed.
    pub sha256: Option<Digest>,
    /// Why it failed.
    pub warning: Option<String>,
}

/// The result of one request to the implementer: compared with the tree, except for what is marked as reported.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Work {
    /// Why the implementer failed, where it did.
    pub failure: Option<String>,
    /// The file that holds what it printed, where it is kept.
    pub log: Option<String>,
    /// Its last lines, of one that failed or did nothing.
    pub last_lines: Vec<String>,
    /// What an agent says of its part; `None` where none was asked.
    #[serde(default)]
    pub agent: Option<AgentWork>,
    /// The delta after it.
    pub delta: DeltaState,
    /// Where git stood before it, in the first request of a run; `None` without git.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<BaseCommit>,
    /// Whether this request changed any delta file.
    pub changed: bool,
    /// How it was kept apart from the tree; `None` where no implementer was asked to write.
    pub isolation: Option<Isolation>,
    /// What it changed outside the delta.
    pub strays: Vec<String>,
    /// What was written into dependencies in the workplace: topmost paths.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dependencies: Vec<String>,
    /// Where its strays were moved to; `None` where there were none, or they stay.
    pub quarantine: Option<String>,
    /// Files outside the delta that it changed, and that may change.
    pub allowed: Vec<String>,
    /// Those of them in a language whose syntax can be checked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub allowed_sources: Vec<DeltaPath>,
    /// Files of all the work so far that were there, and in which what defines tests is not as it was.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changed_tests: Vec<String>,
    /// Files of it that were not there, and say how tests are run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub new_configuration: Vec<String>,
    /// Scratch outside the delta: caches, and what git ignores.
    pub scratch: Vec<Scratch>,
    /// Said: files outside the delta that the task needs.
    pub needs: Vec<String>,
    /// Said: nothing had to change.
    pub no_change: bool,
    /// Said: what was done.
    pub summary: Option<String>,
    /// Said: which memories were of use.
    pub utilized: Vec<Used>,
    /// How the verify ended before the work, where it ran.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Before>,
    /// What makes its verify doubtful, such as a changed test file.
    pub findings: Vec<Finding>,
    /// What is odd but does no harm.
    pub warnings: Vec<String>,
}

/// Files of which there are two versions: one in the tree, and the implementer's.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Conflicts {
    /// The files.
    pub paths: Vec<String>,
    /// The directory with the implementer's versions; `None` where it deleted all of them.
    pub dir: Option<String>,
}

/// How a preflight command ended.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct CommandChecked {
    /// Its place in the plan.
    pub index: usize,
    /// Exit 0 within the limit.
    pub passed: bool,
    /// One line: why it failed.
    pub error: Option<String>,
    /// The output's head and tail.
    pub output: String,
    /// The file that holds the output, below the run's directory.
    pub log: Option<String>,
    /// The delta after it.
    pub delta: DeltaState,
    /// What makes any verify after it doubtful.
    pub findings: Vec<Finding>,
    /// Files of the project outside the delta that it changed; a hundred at most.
    pub written: Vec<String>,
    /// What else it left outside the delta.
    pub scratch: Vec<Scratch>,
    /// What is odd but does no harm.
    pub warnings: Vec<String>,
}

/// How a verify ended.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Verification {
    /// The shell command.
    pub command: String,
    /// Exit 0 within the limit.
    pub passed: bool,
    /// The tasks whose work was in the tree too, and was verified by the same run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub with: Vec<String>,
    /// Whether it may end otherwise in the workplace: strays or dependencies stayed there, or the project changed since.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_apart: bool,
    /// The exit code, unless a signal ended it.
    pub exit: Option<i32>,
    /// The signal that ended it.
    pub signal: Option<i32>,
    /// Whether ftl's own time limit ended it.
    pub timed_out: bool,
    /// Milliseconds.
    pub duration_ms: u64,
    /// The line that a person would quote.
    pub error: Option<String>,
    /// The output's head and tail.
    pub output: String,
    /// The file that holds the output.
    pub log: Option<String>,
    /// What failed, as the output has it; a hundred at most.
    #[serde(default)]
    pub failures: Vec<RunFailure>,
    /// How many more failed.
    #[serde(default)]
    pub more_failures: usize,
    /// The parts of the output that belong to the first of these failures.
    #[serde(default)]
    pub excerpt: String,
    /// The command that runs only what failed, where the runner takes names.
    #[serde(default)]
    pub rerun: Option<String>,
    /// The last summary line of the test runners in the output.
    #[serde(default)]
    pub summary: Option<String>,
    /// How many tests ran, where the runner counts them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ran: Option<u64>,
    /// Of the file that holds the output, unless it is very long.
    #[serde(default)]
    pub log_sha256: Option<Digest>,
    /// Whether the text of the command shows that it hides an exit code.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hides_exit: bool,
    /// Whether it may hide one, or a runner in it printed no summary.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub may_hide: bool,
    /// What makes the verdict doubtful.
    pub findings: Vec<Finding>,
    /// The delta after it.
    pub delta: DeltaState,
    /// Files of the project outside the delta that it changed; a hundred at most.
    pub written: Vec<String>,
    /// What else it left outside the delta.
    pub scratch: Vec<Scratch>,
    /// The digest of the test file after it, where the task names one that can be read.
    pub verify_source: Option<Digest>,
    /// Files that were merged with the user's version when the delta landed, as they were checked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub merged: Vec<Check>,
    /// What is odd but does no harm.
    pub warnings: Vec<String>,
}

/// The failed verify, classified and compared with what is known.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FailureMatched {
    /// The known failure that it is, if it is one.
    pub known: Option<KnownFailure>,
    /// How often such an error may be retried.
    pub max: u32,
    /// Known failures that fit but carry no fix.
    pub without_fix: Vec<String>,
    /// What the judge said, where one was asked.
    pub judge: Option<JudgeVerdict>,
    /// Known failures that came near, each with why it is not taken for the error.
    pub near: Vec<String>,
    /// What is odd but does no harm.
    pub warnings: Vec<String>,
}

/// What the judge said of an error that is like known failures, but not like enough.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct JudgeVerdict {
    /// The digest of the error lines, and of the failures that it was asked about.
    pub error: String,
    /// The place among all known failures, from 0, of the one that it is; `None` for none of them.
    pub index: Option<usize>,
    /// Why, as the judge says; why there is no verdict, where it failed.
    pub reason: String,
}

/// A known fix, applied.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FixApplied {
    /// The result of the request.
    pub work: Work,
    /// The syntax of every touched file after it.
    pub checks: Vec<Check>,
}

/// What QUALITY found.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Judged {
    /// The delta as it is now.
    pub delta: DeltaState,
    /// The idioms, in the order of the file.
    pub idioms: Vec<IdiomVerdict>,
    /// The framework whose forbidden idioms were judged, where the project has one and the task names none.
    #[serde(default)]
    pub detected: Option<String>,
    /// The exports, in the order of the file.
    pub exports: Vec<ExportVerdict>,
    /// How many lines came and went, of touched files that are text.
    pub lines: BTreeMap<DeltaPath, LineCounts>,
    /// What is odd but does no harm.
    pub warnings: Vec<String>,
}

/// What the user changed while nothing ran; no files where only the landing of what had passed was undone.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Edited {
    /// The files, for the warning.
    pub paths: Vec<String>,
    /// The delta as it is now.
    pub delta: DeltaState,
}

/// The record under its final name.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Sealed {
    /// Its path.
    pub path: String,
    /// The digest of its bytes.
    pub sha256: Digest,
}
