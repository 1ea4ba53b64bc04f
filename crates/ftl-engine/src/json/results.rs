use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::machine::event::{
    Change, CheckStatus, Diagnostic, ExportVerdict, IdiomVerdict, Scratch, Used,
};
use crate::machine::{BlockKind, StateName};

/// How a build of one workspace ended.
#[derive(Debug, Serialize, JsonSchema)]
pub struct BuildResult<'a> {
    /// Version of this form: 1.
    pub v: u8,
    /// Which run: the ID and a number.
    pub run: &'a str,
    /// `complete`, `blocked` or `planned`.
    pub outcome: &'a str,
    /// The task's ID, `NNN_slug`.
    pub id: &'a str,
    /// Where the file lies now.
    pub workspace: &'a str,
    /// The states entered, in order.
    pub states: &'a [StateName],
    /// Tool calls.
    pub budget: Spent,
    /// What the record says was delivered; null without a record.
    pub delivered: Option<String>,
    /// Why it is blocked; null unless it is.
    pub block: Option<BlockResult<'a>>,
    /// Delta files that differ from before.
    pub files: Vec<FileResult<'a>>,
    /// What was changed outside the delta.
    pub strays: &'a [String],
    /// What lies outside the delta and is nobody's business.
    pub scratch: &'a [Scratch],
    /// Syntax checks, each as it stood last.
    pub preflight: Vec<PreflightResult<'a>>,
    /// Every run of the verify command.
    pub verify: Vec<VerifyResult<'a>>,
    /// Known fixes.
    pub retry: RetryResult<'a>,
    /// Idioms and exports.
    pub quality: QualityResult<'a>,
    /// Knowledge that was of use.
    pub utilized: &'a [Used],
    /// What is odd but did no harm.
    pub warnings: &'a [String],
}

/// Tool calls allowed and spent.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Spent {
    /// Null where the document could not be read.
    pub total: Option<i64>,
    /// May exceed the total.
    pub used: i64,
}

/// An informed hand-off.
#[derive(Debug, Serialize, JsonSchema)]
pub struct BlockResult<'a> {
    /// Why.
    pub kind: BlockKind,
    /// One line.
    pub error: &'a str,
    /// The fixes that were applied.
    pub tried: &'a [String],
    /// The observation that did not fit.
    pub unknown: &'a str,
    /// What somebody should find out next.
    pub discovery: &'a str,
    /// A command that shows the problem again; empty where there is none.
    pub reproduce: &'a str,
}

/// A delta file that differs from before.
#[derive(Debug, Serialize, JsonSchema)]
pub struct FileResult<'a> {
    /// Below the root.
    pub path: &'a str,
    /// How it differs.
    pub change: Change,
    /// Of its bytes; null where it is gone.
    pub sha256: &'a Option<String>,
}

/// A syntax check, or a preflight command.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PreflightResult<'a> {
    /// The file, or the command.
    pub path: &'a str,
    /// Who looked; `command` for a command.
    pub checker: &'a str,
    /// What it said last.
    pub status: CheckStatus,
    /// How often it failed.
    pub attempts: u32,
    /// Where a front end would stop.
    pub diagnostics: &'a [Diagnostic],
    /// Why nobody looked, or why the command failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<&'a String>,
}

/// A run of the verify command.
#[derive(Debug, Serialize, JsonSchema)]
pub struct VerifyResult<'a> {
    /// The command.
    pub command: &'a str,
    /// Null when a signal ended it.
    pub exit: Option<i32>,
    /// Null unless one ended it.
    pub signal: Option<i32>,
    /// Whether ftl's time limit ended it.
    pub timed_out: bool,
    /// How long it took.
    pub duration_ms: u64,
    /// Head and tail of what it printed.
    pub output: &'a str,
    /// The file that holds all of it; null when it printed nothing.
    pub log: &'a Option<String>,
    /// What makes the verdict doubtful.
    pub findings: &'a [String],
}

/// Known fixes that were applied.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RetryResult<'a> {
    /// How many.
    pub count: u32,
    /// How many were allowed.
    pub max: u32,
    /// The failure whose fix was applied last.
    pub failure: &'a Option<String>,
    /// Why it fitted.
    pub rationale: &'a Option<String>,
}

/// What was judged once the verify had passed.
#[derive(Debug, Serialize, JsonSchema)]
pub struct QualityResult<'a> {
    /// Whether a violated idiom blocks.
    pub enforced: bool,
    /// In the order of the document.
    pub idioms: &'a [IdiomVerdict],
    /// In the order of the document.
    pub exports: &'a [ExportVerdict],
}

/// ftl could not begin or go on.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Failed<'a> {
    /// Version of this form: 1.
    pub v: u8,
    /// `failed`.
    pub outcome: &'a str,
    /// Why.
    pub error: ErrorText<'a>,
}

/// Why ftl could not go on.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ErrorText<'a> {
    /// Stable.
    pub code: &'a str,
    /// What is wrong; of several problems all.
    pub message: String,
    /// What to do about it.
    pub help: Option<&'a str>,
}

/// A workspace that was not built.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Skipped<'a> {
    /// Version of this form: 1.
    pub v: u8,
    /// `skipped`.
    pub outcome: &'a str,
    /// The task's ID.
    pub id: &'a str,
    /// Where its file lies.
    pub workspace: String,
    /// Why it was not built.
    pub cause: &'a str,
}

/// How a build of several workspaces ended.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Results<'a> {
    /// Version of this form: 1.
    pub v: u8,
    /// In the order in which they were built.
    #[schemars(with = "Vec<AnyResult<'_>>")]
    pub results: &'a [Value],
}

/// What there is to say of one workspace among several; of a failed one also its `id` and `workspace`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum AnyResult<'a> {
    /// It was built.
    Built(Box<BuildResult<'a>>),
    /// It was not built.
    Skipped(Skipped<'a>),
    /// ftl could not go on with it.
    Failed(Failed<'a>),
}
