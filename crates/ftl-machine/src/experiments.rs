//! What experiments found: facts of events, kept in the log.

use ftl_model::RunFailure;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How the verify command ended before the work.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Before {
    /// Exit 0 within the limit.
    pub passed: bool,
    /// The line that a person would quote, where it failed.
    pub error: Option<String>,
    /// The tests that failed.
    pub tests: Vec<String>,
    /// How many tests ran, where the runner counts them.
    pub ran: Option<u64>,
    /// The file that holds the output.
    pub log: Option<String>,
}

/// How the verify command ended with the work broken: each changed source unparsable, each new one gone.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Broken {
    /// Whether it passed; `None` where it could not be tried.
    pub passed: Option<bool>,
    /// The file that holds the output.
    pub log: Option<String>,
    /// What is odd but does no harm.
    pub warnings: Vec<String>,
}

/// How the verify command ended with the work, and with the tests as they were.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct OldTests {
    /// The files that were as before, all of them or the part that defines tests.
    pub paths: Vec<String>,
    /// Whether everything passed that was tested before; `None` where no file differed any more.
    pub passed: Option<bool>,
    /// What failed, but for tests that are new, or name what the task allows to be removed; a hundred at most.
    pub failures: Vec<RunFailure>,
    /// How many tests ran, where the runner counts them.
    pub ran: Option<u64>,
    /// The line that a person would quote.
    pub error: Option<String>,
    /// Milliseconds.
    pub duration_ms: u64,
    /// The last summary line of the test runners in the output.
    pub summary: Option<String>,
    /// The file that holds the output.
    pub log: Option<String>,
    /// Files of the project outside the delta that the command changed; a hundred at most.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub written: Vec<String>,
    /// What is odd but does no harm.
    pub warnings: Vec<String>,
}
