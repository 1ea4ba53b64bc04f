//! Facts that arrived, in the past tense: the only part of the machine that is stored.
//!
//! Events hold digests, excerpts and paths; whole outputs lie in files of their own.

use std::collections::BTreeMap;

use ftl_model::DeltaPath;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::plan::PlannedFile;

/// The sha256 of a file's bytes in lower-case hexadecimal, or `None` where there is no file.
pub type Digest = Option<String>;

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
    /// The implementer tried to mend.
    Mended(Box<Work>),
    /// The verify command ran.
    Verified(Box<Verification>),
    /// The failed verify was classified and matched.
    FailureMatched(Box<FailureMatched>),
    /// A known fix was applied, or could not be.
    FixApplied(Box<FixApplied>),
    /// Idioms and exports were judged.
    Judged(Box<Judged>),
    /// The record lies under its final name.
    Sealed(Sealed),
}

impl Event {
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
            Self::Verified(_) => "verified",
            Self::FailureMatched(_) => "failure_matched",
            Self::FixApplied(_) => "fix_applied",
            Self::Judged(_) => "judged",
            Self::Sealed(_) => "sealed",
        }
    }
}

/// What the document says, as far as READ decides on it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WorkspaceRead {
    /// The root's `status` attribute.
    pub status: Option<String>,
    /// Tool calls allowed.
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
    /// The delta, normalised.
    pub files: Vec<PlannedFile>,
    /// The test file, where it can be read.
    pub tests: Option<String>,
    /// The extra preflight commands.
    pub commands: Vec<String>,
    /// What is odd but does no harm.
    pub warnings: Vec<String>,
}

/// The test file, read for the implementer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TestsRead {
    /// The digest of what was read; `None` where the read failed.
    pub sha256: Digest,
    /// Why it failed.
    pub warning: Option<String>,
}

/// How a touched file differs from before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// It was not there.
    Created,
    /// Its bytes or mode are others.
    Modified,
    /// It is gone.
    Deleted,
}

/// A delta file that differs from before.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Touched {
    /// Where it is.
    pub path: DeltaPath,
    /// How it differs.
    pub change: Change,
}

/// How the delta stands, whoever wrote it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Standing {
    /// Every file that differs from before, in the order of paths.
    pub touched: Vec<Touched>,
    /// The bytes of every file.
    pub bytes: BTreeMap<DeltaPath, Digest>,
}

/// A path outside the delta that is nobody's business, with the number of files in it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Scratch {
    /// The topmost path.
    pub path: String,
    /// Files in it, where they were counted.
    pub files: u64,
}

/// A memory that the implementer made use of.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Used {
    /// Its name in the workspace.
    pub name: String,
    /// `failure` or `pattern`.
    #[serde(rename = "type")]
    pub kind: String,
}

/// What came of one request to the implementer: found by looking, except for what is marked as said.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Work {
    /// Why the implementer failed, where it did.
    pub failure: Option<String>,
    /// How the delta stands after it.
    pub delta: Standing,
    /// Whether this request changed any delta file.
    pub changed: bool,
    /// What it changed outside the delta.
    pub strays: Vec<String>,
    /// What lies outside the delta and is nobody's business.
    pub scratch: Vec<Scratch>,
    /// Said: files outside the delta that the task needs.
    pub needs: Vec<String>,
    /// Said: nothing had to change.
    pub no_change: bool,
    /// Said: what was done.
    pub summary: Option<String>,
    /// Said: which memories were of use.
    pub utilized: Vec<Used>,
    /// Names of verify findings, such as a changed test file.
    pub findings: Vec<String>,
    /// What is odd but does no harm.
    pub warnings: Vec<String>,
}

/// What a check says of a file or command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CheckStatus {
    /// It parses, or the command passed.
    Valid,
    /// It does not, or it failed.
    Invalid,
    /// Nobody looked, for the reason given.
    Unchecked,
}

/// A place in a file where its own front end would stop.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Diagnostic {
    /// `error` or `warning`.
    pub severity: String,
    /// What is wrong.
    pub message: String,
    /// From 1.
    pub line: u64,
    /// In characters, from 1.
    pub column: u64,
    /// From 1.
    pub end_line: u64,
    /// In characters, from 1.
    pub end_column: u64,
    /// Byte offset from 0.
    pub start: u64,
    /// Byte offset from 0.
    pub end: u64,
    /// The checker's own code, where it has one.
    pub code: Option<String>,
    /// Which checker says so.
    pub checker: String,
}

/// The syntax verdict on one touched file.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Check {
    /// The file.
    pub path: DeltaPath,
    /// Which checker looked.
    pub checker: String,
    /// What it says.
    pub status: CheckStatus,
    /// Why nobody looked.
    pub reason: Option<String>,
    /// Where it would stop.
    pub diagnostics: Vec<Diagnostic>,
    /// The bytes that were checked.
    pub sha256: Digest,
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
    /// How the delta stands after it.
    pub delta: Standing,
}

/// How a verify ended.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Verification {
    /// The shell command.
    pub command: String,
    /// Exit 0 within the limit.
    pub passed: bool,
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
    /// Names of what makes the verdict doubtful.
    pub findings: Vec<String>,
    /// How the delta stands after it.
    pub delta: Standing,
    /// What it wrote outside the delta.
    pub scratch: Vec<Scratch>,
    /// What is odd but does no harm.
    pub warnings: Vec<String>,
}

/// The failed verify, classified and compared with what is known.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FailureMatched {
    /// The known failure that it is, if it is one.
    pub known: Option<Known>,
    /// How often such an error may be retried.
    pub max: u32,
    /// Known failures that fit but carry no fix.
    pub without_fix: Vec<String>,
    /// What is odd but does no harm.
    pub warnings: Vec<String>,
}

/// A known failure that fits.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Known {
    /// Its place in the workspace.
    pub index: usize,
    /// Its name.
    pub name: String,
    /// Its fix, in one line.
    pub fix: String,
    /// Why it fits.
    pub rationale: String,
    /// True where the fix is to run the verify again.
    pub rerun: bool,
}

/// A known fix, applied.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FixApplied {
    /// What came of it.
    pub work: Work,
    /// The syntax of every touched file after it.
    pub checks: Vec<Check>,
}

/// What an idiom comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum IdiomStatus {
    /// Kept.
    Satisfied,
    /// Broken.
    Violated,
    /// It has nothing to say of these files.
    NotApplicable,
    /// No rule decides it.
    Undecidable,
}

/// An idiom, judged.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct IdiomVerdict {
    /// `required` or `forbidden`.
    pub kind: String,
    /// The idiom as written.
    pub text: String,
    /// The rule that decided.
    pub rule: Option<String>,
    /// What it comes to.
    pub verdict: IdiomStatus,
    /// Where.
    pub places: Vec<IdiomPlace>,
    /// What else there is to say.
    pub note: Option<String>,
}

/// A place that an idiom speaks of.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct IdiomPlace {
    /// The file.
    pub path: String,
    /// From 1.
    pub line: u64,
    /// In characters, from 1.
    pub column: u64,
    /// Whether it was not there before.
    pub new: bool,
}

/// What became of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ExportStatus {
    /// It is where it was.
    Kept,
    /// Defined elsewhere in the delta, and re-exported.
    Moved,
    /// Gone.
    Lost,
    /// The file never had it.
    NeverThere,
}

/// An export, judged.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct ExportVerdict {
    /// The file that had it.
    pub path: String,
    /// The name, with `()` where a callable is meant.
    pub name: String,
    /// What became of it.
    pub verdict: ExportStatus,
}

/// What QUALITY found.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Judged {
    /// How the delta stands.
    pub delta: Standing,
    /// The idioms, in the order of the file.
    pub idioms: Vec<IdiomVerdict>,
    /// The exports, in the order of the file.
    pub exports: Vec<ExportVerdict>,
    /// How many lines came and went, of touched files that are text.
    pub lines: BTreeMap<DeltaPath, Lines>,
    /// What is odd but does no harm.
    pub warnings: Vec<String>,
}

/// Lines that came and went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Lines {
    /// Lines that came.
    pub added: u64,
    /// Lines that went.
    pub removed: u64,
}

/// The record under its final name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Sealed {
    /// Where it lies.
    pub path: String,
    /// The digest of its bytes.
    pub sha256: String,
}
