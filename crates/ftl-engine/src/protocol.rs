//! What an agent is asked and what it may reply, as JSON files.
//!
//! The types alone: who writes and reads the files is in `run/implementer/`. A key may be added; one that is
//! renamed or removed breaks the agents that people wrote.

use ftl_machine::{BlockKind, Phase};
use ftl_model::{Diagnostic, IdiomKind, IdiomStatus, RunFailure, words};
use ftl_xml::{ParsedFailure, ParsedWorkspace};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What an agent is asked for.
#[derive(Debug, Serialize, JsonSchema)]
pub struct AgentRequest<'a> {
    /// What for, and which time.
    #[serde(flatten)]
    pub(crate) asked: Asked,
    /// The task, with what only ftl knows.
    pub(crate) workspace: ParsedWorkspace<'a>,
    /// The test to read first; null where none is read.
    pub(crate) tests: Option<&'a TestFile>,
    /// What preflight found, where a repair is requested.
    pub(crate) diagnostics: Vec<FoundIn<'a>>,
    /// The verify that failed last, in the run before this one where none did in this one; null where none did.
    pub(crate) verify: Option<LastVerify<'a>>,
    /// The known failure whose fix is to be applied; null for other phases.
    pub(crate) failure: Option<ParsedFailure<'a>>,
    /// Tool calls.
    pub(crate) budget: Ledger,
    /// How the run before this one blocked the task; null unless the task was reopened.
    pub(crate) last_run: Option<LastRun<'a>>,
}

/// A run that blocked the task.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct LastRun<'a> {
    /// Its number; null where `ftl workspace block` blocked the task.
    pub(crate) run: Option<u64>,
    /// The kind of block; empty where `ftl workspace block` blocked the task.
    pub(crate) kind: &'a str,
    /// One line.
    pub(crate) error: &'a str,
    /// The fixes that were applied.
    pub(crate) tried: &'a str,
    /// What was not known.
    pub(crate) unknown: &'a str,
    /// What was delivered, where the run completed the task.
    pub(crate) delivered: &'a str,
    /// The delta files that it touched.
    pub(crate) files: Vec<LastFile<'a>>,
    /// What it changed outside the delta, which was left behind.
    pub(crate) strays: &'a [String],
    /// Of a run whose work could not land, and is not in the tree: its work, as a diff.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) work: Option<String>,
    /// Of the same: what changed in the tree while it worked, as a diff.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) underneath: Option<String>,
}

impl LastRun<'_> {
    /// Whether the work of a run that was blocked like this could not land.
    pub(crate) fn is_apart(kind: &str) -> bool {
        [BlockKind::LandConflict, BlockKind::LandBroken].iter().any(|known| known.as_str() == kind)
    }
}

/// A delta file that an earlier run touched.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct LastFile<'a> {
    /// Below the root.
    pub(crate) path: &'a str,
    /// How it differed from before.
    pub(crate) change: &'a str,
    /// What became of it since.
    pub(crate) now: Since,
}

words! {
    /// What became of a run's work.
    pub(crate) enum Since {
        /// It is in the tree.
        AsLeft = "as_left",
        /// It was changed since.
        Changed = "changed",
        /// It is not there any more.
        Gone = "gone",
    }
}

/// What for, and which time.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Asked {
    pub(crate) phase: Phase,
    /// From 1.
    pub(crate) attempt: u32,
}

/// A test file.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Tests")]
pub(crate) struct TestFile {
    pub(crate) path: String,
    pub(crate) content: String,
}

/// A finding in a file.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct FoundIn<'a> {
    /// Below the root.
    pub(crate) path: &'a str,
    #[serde(flatten)]
    pub(crate) found: &'a Diagnostic,
}

/// A verify that failed.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct LastVerify<'a> {
    pub(crate) command: &'a str,
    /// Null when a signal ended it.
    pub(crate) exit: Option<i32>,
    /// Head and tail of what it printed.
    pub(crate) output: &'a str,
    /// What failed; a hundred at most.
    pub(crate) failures: &'a [RunFailure],
    /// How many more failed.
    pub(crate) more_failures: usize,
    /// The file that holds all of the output, from the root; null when there is none.
    pub(crate) log: Option<&'a str>,
}

/// Tool calls allowed, spent and left.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Ledger {
    pub(crate) total: i64,
    pub(crate) used: i64,
    /// Negative once more was spent than allowed.
    pub(crate) remaining: i64,
}

/// What an agent may say of its work; every key is optional.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub struct AgentReply {
    /// What was done.
    pub(crate) summary: Option<String>,
    /// Knowledge that was of use.
    pub(crate) utilized: Vec<Memory>,
    /// Nothing had to change.
    pub(crate) no_change: bool,
    /// Files outside the delta that the task needs.
    pub(crate) needs: Vec<String>,
}

/// A failure or pattern of the workspace.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Memory {
    pub(crate) name: String,
    /// `failure`, the default, or `pattern`.
    #[serde(rename = "type", default)]
    pub(crate) kind: Option<String>,
}

/// What a judge is asked: is this error one of these known failures?
#[derive(Debug, Serialize, JsonSchema)]
pub struct JudgeRequest<'a> {
    /// The version of this form.
    pub(crate) v: u32,
    /// The verify command that failed.
    pub(crate) command: &'a str,
    /// The line that a person would quote.
    pub(crate) error: Option<&'a str>,
    /// All error lines of the output.
    pub(crate) error_lines: &'a [String],
    /// Head and tail of the output.
    pub(crate) output: &'a str,
    /// Known failures that are like it, the likeliest first.
    pub(crate) candidates: Vec<JudgeCandidate<'a>>,
}

/// A known failure that an error is like.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct JudgeCandidate<'a> {
    /// Its place among all known failures, from 0.
    pub(crate) index: usize,
    /// Its name, by which the judge answers.
    pub(crate) name: &'a str,
    pub(crate) trigger: &'a str,
    pub(crate) fix: &'a str,
    /// From 0.30 to below 0.55.
    pub(crate) score: f64,
    /// What the score rests on.
    pub(crate) rationale: &'a str,
}

/// What a judge answers.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct JudgeReply {
    /// The name of the candidate that the error is; null for none of them.
    #[serde(rename = "match", deserialize_with = "Option::deserialize")]
    pub(crate) matched: Option<String>,
    /// Why, in a sentence.
    #[serde(default)]
    pub(crate) reason: Option<String>,
}

/// What a judge of idioms is asked: does this code follow an idiom that no rule decides?
#[derive(Debug, Serialize, JsonSchema)]
pub struct IdiomRequest<'a> {
    /// The version of this form.
    pub(crate) v: u32,
    /// Which way the idiom binds.
    pub(crate) kind: IdiomKind,
    /// The idiom as written.
    pub(crate) text: &'a str,
    /// The framework that the task names.
    pub(crate) framework: Option<&'a str>,
    /// Why no rule decides it.
    pub(crate) note: Option<&'a str>,
    /// The files of the delta, each text up to 256 KiB.
    pub(crate) files: Vec<IdiomFile<'a>>,
}

/// A file that an idiom is about.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct IdiomFile<'a> {
    pub(crate) path: &'a str,
    /// Its text before the task; null where there was none, or it is unknown.
    pub(crate) before: Option<&'a str>,
    /// Its text now; null where it is gone.
    pub(crate) after: Option<&'a str>,
}

/// What a judge of idioms answers.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct IdiomReply {
    /// What the idiom comes to.
    pub(crate) verdict: IdiomStatus,
    /// Why, in a sentence.
    #[serde(default)]
    pub(crate) reason: Option<String>,
}
