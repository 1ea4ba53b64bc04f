//! The results of `ftl knowledge`.

use schemars::JsonSchema;
use serde::Serialize;

/// The failures that a project shares.
#[derive(Debug, Serialize, JsonSchema)]
pub struct KnowledgeList {
    /// In the order in which they are tried.
    pub failures: Vec<KnowledgeEntry>,
}

/// A shared failure.
#[derive(Debug, Serialize, JsonSchema)]
pub struct KnowledgeEntry {
    /// Its name.
    pub name: String,
    /// The file that holds it, from the root.
    pub file: String,
    /// The line of its name, from 1.
    pub line: usize,
    /// The error's text.
    pub trigger: String,
    /// The regular expression that recognises the error.
    #[serde(rename = "match")]
    pub pattern: Option<String>,
    /// How the fix is to be read: `prose`, `patch`, `command` or `rerun`.
    pub kind: String,
    /// What fixes it.
    pub fix: String,
    /// Words such as `flaky`.
    pub tags: Vec<String>,
    /// Tokens it cost when it was met.
    pub cost: i64,
}

/// Failures beside an output.
#[derive(Debug, Serialize, JsonSchema)]
pub struct KnowledgeTest {
    /// The line that a person would quote; null where none is found.
    pub error: Option<String>,
    /// All lines that carry the error.
    pub error_lines: Vec<String>,
    /// The failure that RETRY would take; null for none.
    pub applied: Option<String>,
    /// Each failure by itself.
    pub failures: Vec<TestedFailure>,
}

/// How a failure and an output compare.
#[derive(Debug, Serialize, JsonSchema)]
pub struct TestedFailure {
    /// Its name.
    pub name: String,
    /// The file that holds it, from the root.
    pub file: String,
    /// The line of its name, from 1.
    pub line: usize,
    /// Whether the error is taken for this failure.
    pub matches: bool,
    /// Why, or why not.
    pub rationale: String,
    /// How alike the trigger and the error are, from 0 to 1.
    pub score: f64,
    /// What is wrong with its pattern.
    pub warnings: Vec<String>,
}
