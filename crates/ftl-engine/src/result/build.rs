//! How a build ended, as its callers and the programs that read its JSON get it.
//!
//! Field by field what `ftl build --format json` prints: the caller serializes these types and
//! adds nothing. Nothing here decides or says anything that the run did not.

use ftl_machine::{BlockKind, StateName};
use ftl_model::{
    BaseCommit, Change, CheckStatus, DeltaPath, Diagnostic, Digest, ExportVerdict, Finding,
    IdiomVerdict, Isolation, LineCounts, RunFailure, Scratch, Tokens, Used, WorkspaceId, words,
};
use ftl_xml::Problem;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{EarlierAttempt, EvidenceResult, RunId, Spent, Usage, WayOn};

words! {
    /// How it ended, in a word.
    pub enum OutcomeWord {
        /// Written, checked, verified, judged.
        Complete = "complete",
        /// Handed off.
        Blocked = "blocked",
        /// A dry run got through PLAN.
        Planned = "planned",
        /// Given up by its owner. Only `ftl show` and `ftl status` have such.
        Dropped = "dropped",
        /// Not built: a task that it waits for is not complete, or the command was interrupted.
        Skipped = "skipped",
        /// Not built: a limit of the command was reached.
        Waiting = "waiting",
        /// Of several tasks: all were built, and a check at the end failed.
        Broken = "broken",
        /// Of several tasks: a limit was reached, and some of them remain active.
        Limit = "limit",
        /// ftl could not begin or go on.
        Failed = "failed",
        /// The run goes on, or was interrupted. Only `ftl show` prints such runs.
        Unfinished = "unfinished",
    }
}

words! {
    /// Who writes the delta.
    pub enum ImplementerKind {
        /// An agent, by a command.
        Agent = "agent",
        /// Patches.
        Patch = "patch",
        /// None: the current tree is taken.
        Tree = "tree",
    }
}

/// Who wrote the delta. What an agent says of itself is recorded, and decides nothing; what it does not say is null.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ImplementerResult {
    /// An agent, patches, or the tree.
    pub kind: ImplementerKind,
    /// The agent's name in the configuration, or a preset's.
    pub name: Option<String>,
    /// The shell command of its first request.
    pub command: Option<String>,
    /// The worker that performed the last request; null if it was performed here.
    pub worker: Option<String>,
    /// The agent's version.
    pub version: Option<String>,
    /// The model that answered.
    pub model: Option<String>,
    /// Tokens of all requests of the run.
    pub tokens: Option<Tokens>,
    /// US dollars, of all requests.
    pub cost_usd: Option<f64>,
    /// The agent's calls of the agent's tools, in all requests.
    pub calls: Option<u64>,
    /// The agent's last words.
    pub said: Option<String>,
}

impl Default for ImplementerResult {
    /// The current tree.
    fn default() -> Self {
        Self {
            kind: ImplementerKind::Tree,
            name: None,
            command: None,
            worker: None,
            version: None,
            model: None,
            tokens: None,
            cost_usd: None,
            calls: None,
            said: None,
        }
    }
}

/// How a build of one workspace ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BuildResult {
    /// Version of this form: 1.
    pub v: u8,
    /// Which run: the ID and a number.
    pub run: RunId,
    /// `complete`, `blocked` or `planned`.
    pub outcome: OutcomeWord,
    /// The task's ID, `NNN_slug`.
    pub id: WorkspaceId,
    /// Where the file is now.
    pub workspace: String,
    /// The states entered, in order.
    pub states: Vec<StateName>,
    /// Tool calls.
    pub budget: Spent,
    /// What the record says was delivered; null without a record.
    pub delivered: Option<String>,
    /// Why it is blocked; null unless it is.
    pub block: Option<BlockResult>,
    /// Delta files that differ from before.
    pub files: Vec<FileResult>,
    /// What was changed outside the delta.
    pub strays: Vec<String>,
    /// Where that was moved to, from the root; null where nothing was. The tree is as it was before.
    pub quarantine: Option<String>,
    /// Files outside the delta that changed, as `[scope] allow` lets them.
    pub allowed: Vec<String>,
    /// How requests were kept apart from the tree; null where no implementer was asked to write.
    pub isolation: Option<Isolation>,
    /// Who wrote.
    pub implementer: ImplementerResult,
    /// How long the run took, from its begin to its end.
    pub duration_ms: u64,
    /// What the requests of the run cost; null where the implementer reports nothing.
    pub usage: Option<Usage>,
    /// Where git stood when the implementer began; null without git, and before anybody began.
    pub base: Option<BaseCommit>,
    /// Scratch outside the delta in which something changed: caches, and what git ignores.
    pub scratch: Vec<Scratch>,
    /// Syntax checks, each as it stood last.
    pub preflight: Vec<PreflightResult>,
    /// Every run of the verify command.
    pub verify: Vec<VerifyResult>,
    /// What experiments show of the verify.
    pub evidence: EvidenceResult,
    /// Known fixes.
    pub retry: RetryResult,
    /// Idioms and exports.
    pub quality: QualityResult,
    /// The commit that `--commit` made; absent where none was made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit: Option<CommitResult>,
    /// Knowledge that was of use.
    pub utilized: Vec<Used>,
    /// What is odd but did no harm.
    pub warnings: Vec<String>,
    /// Which attempt of this command it was, from 1.
    pub attempt: u32,
    /// The attempts of this command before it: how each ended, and what it cost.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub earlier: Vec<EarlierAttempt>,
    /// Commands that go on from here, for a shell.
    pub next: Vec<String>,
    /// What the user does after the first of them, in a sentence; null where these commands are all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub then: Option<String>,
    /// Everything wrong with a task that could not be built as it is written, each at its place.
    #[serde(skip_deserializing, skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<Problem>,
    /// The task as it was read, to show these problems in.
    #[serde(skip)]
    pub source: Vec<u8>,
    /// Patches handed out so far, by earlier attempts of this command as well.
    #[serde(skip)]
    pub patches: u32,
    /// Whether another attempt may get over the block.
    #[serde(skip)]
    pub may_try_again: bool,
    /// The ways on from a block, of which `next` is made.
    #[serde(skip)]
    pub ways: Vec<WayOn>,
}

/// A commit of a task's files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CommitResult {
    /// Its ID.
    pub id: String,
    /// The branch that has it.
    pub branch: String,
}

/// An informed hand-off.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BlockResult {
    /// Why.
    pub kind: BlockKind,
    /// One line.
    pub error: String,
    /// The fixes that were applied.
    pub tried: Vec<String>,
    /// The observation that did not fit.
    pub unknown: String,
    /// What to find out next.
    pub discovery: String,
    /// A command that shows the problem again; empty where there is none.
    pub reproduce: String,
    /// Known failures that came near the error, each with why it is not taken for it.
    pub near: Vec<String>,
    /// The error as a known failure that lacks only its fix; null unless a verify failed.
    pub failure: Option<FailureEntry>,
    /// The last lines of an implementer that failed.
    pub last_lines: Vec<String>,
    /// The file that holds what the implementer or the failing command printed; null where nothing is kept.
    pub log: Option<String>,
}

/// An entry of `prior_knowledge`, ready to be written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FailureEntry {
    /// The error line.
    pub trigger: String,
    /// A pattern that recognises it; null where the line says too little.
    #[serde(rename = "match")]
    pub pattern: Option<String>,
    /// `UNKNOWN`: what has to be found out.
    pub fix: String,
    /// All of it as the element.
    pub xml: String,
}

/// A delta file that differs from before.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FileResult {
    /// Below the root.
    pub path: DeltaPath,
    /// How it differs.
    pub change: Change,
    /// Of its bytes; null where it is gone.
    pub sha256: Option<Digest>,
    /// The lines that came and went, where both texts were compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lines: Option<LineCounts>,
}

/// A syntax check, or a preflight command.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PreflightResult {
    /// The file, or the command.
    pub path: String,
    /// Who looked; `command` for a command.
    pub checker: String,
    /// What it said last.
    pub status: CheckStatus,
    /// How often it failed.
    pub attempts: u32,
    /// Where a front end would stop.
    pub diagnostics: Vec<Diagnostic>,
    /// Why it was not checked, or why the command failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// A run of the verify command.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct VerifyResult {
    /// The command.
    pub command: String,
    /// Null when a signal ended it.
    pub exit: Option<i32>,
    /// Null unless one ended it.
    pub signal: Option<i32>,
    /// Whether ftl's time limit ended it.
    pub timed_out: bool,
    /// How long it took.
    pub duration_ms: u64,
    /// Head and tail of what it printed.
    pub output: String,
    /// The file that holds all of it; null when it printed nothing.
    pub log: Option<String>,
    /// What failed, as the output has it; a hundred at most.
    pub failures: Vec<RunFailure>,
    /// How many more failed.
    pub more_failures: usize,
    /// The parts of the output that belong to the first ten failures.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub excerpt: String,
    /// What makes the verdict doubtful.
    pub findings: Vec<Finding>,
    /// The tasks whose work was in the project too, and was verified by the same run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub with: Vec<String>,
    /// Exit 0 within the limits of time and output.
    #[serde(skip)]
    pub passed: bool,
    /// The last summary line of the test runners in the output.
    #[serde(skip)]
    pub summary: Option<String>,
    /// Of the log, unless it is very long.
    #[serde(skip)]
    pub log_sha256: Option<Digest>,
}

/// Known fixes that were applied.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RetryResult {
    /// How many.
    pub count: u32,
    /// How many were allowed.
    pub max: u32,
    /// The failure whose fix was applied last.
    pub failure: Option<String>,
    /// Why it fitted.
    pub rationale: Option<String>,
}

/// What was judged once the verify had passed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct QualityResult {
    /// Whether a violated idiom blocks.
    pub enforced: bool,
    /// In the order of the document; then those of the detected framework.
    pub idioms: Vec<IdiomVerdict>,
    /// The framework whose forbidden idioms were judged, where the project has one and the task names none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detected: Option<String>,
    /// In the order of the document.
    pub exports: Vec<ExportVerdict>,
}

/// ftl could not begin or go on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Failed {
    /// Version of this form: 1.
    pub v: u8,
    /// `failed`.
    pub outcome: OutcomeWord,
    /// Why.
    pub error: ErrorText,
}

/// Why ftl could not go on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ErrorText {
    /// Stable.
    pub code: String,
    /// What is wrong; of several problems all.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
    /// The files that it is about, where there is a list of them; at most a few dozen.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub paths: Vec<String>,
    /// Commands that go on from here, for a shell.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub next: Vec<String>,
}

impl BuildResult {
    /// This attempt as one before another; `None` where it is no block.
    #[must_use]
    pub fn as_earlier(&self) -> Option<EarlierAttempt> {
        let block = self.block.as_ref()?;
        Some(EarlierAttempt {
            attempt: self.attempt,
            run: self.run.clone(),
            agent: self.implementer.name.clone().or_else(|| self.implementer.command.clone()),
            kind: block.kind,
            error: block.error.clone(),
            budget: self.budget.clone(),
            tokens: self.implementer.tokens,
            cost_usd: self.implementer.cost_usd,
            duration_ms: self.duration_ms,
        })
    }

    /// What the task cost this command, its earlier attempts included.
    #[must_use]
    pub fn usage_of_all(&self) -> Option<Usage> {
        let earlier = self.earlier.iter().map(|run| Usage::of(run.tokens, run.cost_usd));
        Usage::sum(earlier.chain([self.usage]))
    }

    /// How long the task took this command, its earlier attempts included.
    #[must_use]
    pub fn duration_of_all(&self) -> u64 {
        self.earlier.iter().map(|run| run.duration_ms).sum::<u64>() + self.duration_ms
    }
}
