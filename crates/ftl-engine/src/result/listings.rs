//! The results of commands that read many files: validation, status, syntax.
//!
//! A build's own result is in `build.rs`.

use ftl_machine::StateName;
use ftl_model::{CheckStatus, Diagnostic, Seq, Severity, Status, WorkspaceId};
use ftl_xml::Problem;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{DueCheck, RunSummary};
use crate::text::one_line;

/// What is wrong with task files.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Validation {
    /// In the order in which they were named.
    pub files: Vec<ValidatedFile>,
}

/// What is wrong with a task file.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ValidatedFile {
    /// As it was given.
    pub path: String,
    /// In the order of their places.
    pub problems: Vec<Problem>,
}

/// What a machine and a project have, and lack, for building tasks.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Examination {
    /// In the order in which they are shown.
    pub checks: Vec<Check>,
}

/// One thing that was looked at.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Check {
    /// What it is about: `git`, `isolation`, `agent` and so on.
    pub topic: &'static str,
    /// How it is.
    pub state: CheckState,
    /// What was found, in one line.
    pub found: String,
    /// What to do about it; null where there is nothing to do.
    pub help: Option<String>,
}

/// How a thing that was looked at is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum CheckState {
    /// As it should be.
    Good,
    /// It is missing or less than it could be, and builds go on without it.
    Note,
    /// Builds fail until it is fixed.
    Problem,
}

/// The languages that are known by the names of files.
#[derive(Debug, Serialize, JsonSchema)]
pub struct LanguageList {
    /// Sorted by their names.
    pub languages: Vec<LanguageEntry>,
}

/// How files of a language are recognised and checked.
#[derive(Debug, Serialize, JsonSchema)]
pub struct LanguageEntry {
    /// As `--language` takes it.
    pub name: &'static str,
    /// The extensions of its files, without the dot.
    pub extensions: &'static [&'static str],
    /// Names of files that are of this language whatever their extension.
    pub files: &'static [&'static str],
    /// Programs in the `#!` line of a file without an extension that mean this language.
    pub interpreters: &'static [&'static str],
    /// The embedded parser.
    pub parser: &'static str,
    /// Whether a parser inside the program checks its syntax.
    pub embedded: bool,
    /// The program that is asked as the language's own front end; null where none is.
    pub front_end: Option<&'static str>,
    /// Whether the names that a file exports can be read.
    pub exports: bool,
    /// Whether idioms can be decided by structural rules.
    pub structure: bool,
}

/// Every task of a project.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Overview {
    /// Sorted by their names.
    pub workspaces: Vec<WorkspaceEntry>,
    /// Verify commands that are to run once more, since other tasks landed after their last run.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub checks: Vec<DueCheck>,
    /// How far active tasks are.
    #[serde(flatten)]
    pub progress: Progress,
}

/// The active tasks that are under way, and those that can't be. The others are ready.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct Progress {
    /// A process works on them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub under_way: Vec<UnderWay>,
    /// They can start once others have ended.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub waiting: Vec<WaitingTask>,
    /// A task that they depend on is blocked or dropped.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unreachable: Vec<Unreachable>,
}

/// A task that a process works on.
#[derive(Debug, Serialize, JsonSchema)]
pub struct UnderWay {
    /// Which.
    pub id: WorkspaceId,
    /// The process.
    pub pid: u32,
    /// The state that its run is in.
    pub state: StateName,
    /// Since when: RFC 3339, in UTC.
    pub since: Option<String>,
    /// The slot that it works in, of a task beside others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slot: Option<u32>,
    /// It waits for its turn to land.
    pub waits_to_land: bool,
}

/// A task that can start once others have ended.
#[derive(Debug, Serialize, JsonSchema)]
pub struct WaitingTask {
    /// Which.
    pub id: WorkspaceId,
    /// The numbers of tasks that must be complete before.
    pub depends: Vec<Seq>,
    /// Tasks under way that share a file with it.
    pub files_of: Vec<WorkspaceId>,
    /// The agent that can't be reached.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<AgentWait>,
}

/// A task that waits for an agent that can't be reached, such as one whose quota is used up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AgentWait {
    /// Which.
    pub id: WorkspaceId,
    /// The agent.
    pub agent: String,
    /// When it is tried again: RFC 3339, in UTC. Null while another task tries it.
    pub until: Option<String>,
}

/// A task that can't start.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Unreachable {
    /// Which.
    pub id: WorkspaceId,
    /// The tasks that are blocked or dropped.
    pub because: Vec<WorkspaceId>,
}

/// A task in its current state.
#[derive(Debug, Serialize, JsonSchema)]
pub struct WorkspaceEntry {
    /// `NNN_slug`.
    pub id: WorkspaceId,
    /// From the current directory.
    pub path: String,
    /// As its name says.
    pub status: Status,
    /// Tool calls allowed; null where the file cannot be read.
    pub budget: Option<i64>,
    /// As the file says.
    pub created_at: Option<String>,
    /// Sequence numbers of the tasks that come first.
    pub depends: Vec<Seq>,
    /// Those of them that are not complete; of a finished task none.
    pub waits_for: Vec<Seq>,
    /// The first line of what is to be achieved; absent where the file says nothing.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub objective: String,
    /// How its last run ended, or how far it has come; absent where there was none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last: Option<RunSummary>,
    /// The process that works on it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub holder: Option<u32>,
    /// It is complete, and its verify failed since then.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub broken: bool,
    /// Why the file is of no use.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

/// The syntax of files.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PreflightReport {
    /// In the order in which they were found.
    pub files: Vec<CheckedFile>,
    /// How many got which verdict.
    pub summary: Summary,
}

/// How many files got which verdict.
#[derive(Clone, Copy, Debug, Default, Serialize, JsonSchema)]
pub struct Summary {
    /// They parse.
    pub valid: usize,
    /// They do not.
    pub invalid: usize,
    /// It could not be checked.
    pub unchecked: usize,
}

/// The syntax of a file.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CheckedFile {
    /// As it was given; below a directory, joined to it.
    pub path: String,
    /// What it was read as; null where no checker fits.
    pub language: Option<String>,
    /// Who gave the verdict.
    pub checker: String,
    /// What it says.
    pub status: CheckStatus,
    /// Why it could not be checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Where a front end would stop.
    pub diagnostics: Vec<Diagnostic>,
    /// What the parser had found in a file that the language's own front end then accepted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub overruled: Option<Vec<Diagnostic>>,
}

impl From<&ftl_preflight::Report> for CheckedFile {
    fn from(report: &ftl_preflight::Report) -> Self {
        let all = |found: &[ftl_preflight::Diagnostic]| found.iter().map(diagnostic).collect();
        Self {
            path: report.path.to_string_lossy().into_owned(),
            language: report.language.map(|language| language.name().to_owned()),
            checker: report.checker.to_string(),
            status: check_status(&report.status),
            reason: match &report.status {
                ftl_preflight::Status::Unchecked { reason } => Some(reason.to_string()),
                _ => None,
            },
            diagnostics: all(report.diagnostics()),
            overruled: report.overruled.as_deref().map(all),
        }
    }
}

/// A verdict of the checkers. They may learn new ones: what is not known to be valid is not valid.
pub(crate) fn check_status(status: &ftl_preflight::Status) -> CheckStatus {
    match status {
        ftl_preflight::Status::Valid => CheckStatus::Valid,
        ftl_preflight::Status::Invalid(_) => CheckStatus::Invalid,
        _ => CheckStatus::Unchecked,
    }
}

/// A finding of the checkers, its message on one line.
pub(crate) fn diagnostic(found: &ftl_preflight::Diagnostic) -> Diagnostic {
    let count = |number: usize| u64::try_from(number).unwrap_or(u64::MAX);
    Diagnostic {
        severity: match found.severity {
            ftl_preflight::Severity::Warning => Severity::Warning,
            _ => Severity::Error,
        },
        message: one_line(&found.message),
        line: count(found.line),
        column: count(found.column),
        end_line: count(found.end_line),
        end_column: count(found.end_column),
        start: count(found.start),
        end: count(found.end),
        code: found.code.clone(),
        checker: found.checker.to_string(),
    }
}

/// What a command did that makes, changes or removes something.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Actions {
    /// Version of this form: 1.
    pub v: u8,
    /// One after the other.
    pub actions: Vec<Action>,
    /// What changed by them.
    pub notes: Vec<String>,
    /// What may be wrong.
    pub warnings: Vec<String>,
}

/// What was done, and to what.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Action {
    /// `created`, `edited`, `reopened`, `dropped` …
    pub action: String,
    /// Mostly a path, from where the command was given.
    pub target: String,
}

/// The agents that a build can be given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct AgentList {
    /// The one that a build uses when none is named; null where it takes the tree.
    pub default: Option<String>,
    /// Presets by name, then the configuration's own commands.
    pub agents: Vec<AgentEntry>,
}

/// An agent that a build can be given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct AgentEntry {
    /// What `--agent` takes.
    pub name: String,
    /// What its makers call it; null for a command of the configuration.
    pub title: Option<String>,
    /// The configuration's own command; null for a preset.
    pub command: Option<String>,
    /// Where its program was found; null where it was not found or not searched for.
    pub installed: Option<String>,
    /// The version of that program, where its package has it.
    pub version: Option<String>,
    /// The version that the preset was run with.
    pub tested: Option<String>,
    /// The command that installs it.
    pub install: Option<String>,
    /// What to set up before the first task.
    pub setup: Option<String>,
    /// Whether a model can be chosen.
    pub model: bool,
    /// Whether its effort can be configured.
    pub effort: bool,
    /// Whether a request to fix goes on with its session.
    pub sessions: bool,
    /// Whether it is given the files that it may write.
    pub scoped: bool,
    /// Whether it reports what it does while it works.
    pub events: bool,
    /// Whether it can work with ftl's own tools alone (`--contain mcp`).
    pub contained: bool,
}
