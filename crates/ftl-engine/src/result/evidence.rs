//! What experiments show of a verify, as programs read it.

use ftl_model::{RunFailure, words};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

words! {
    /// How the verify command ended in an experiment.
    pub enum Shown {
        /// It passed.
        Passed = "passed",
        /// It failed.
        Failed = "failed",
    }
}

impl Shown {
    /// By whether it passed.
    #[must_use]
    pub const fn of(passed: bool) -> Self {
        if passed { Self::Passed } else { Self::Failed }
    }
}

/// What experiments show of a verify: each is null where it was not made.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EvidenceResult {
    /// Before the work.
    pub before: Option<Shown>,
    /// With the work, and the tests as they were.
    pub old_tests: Option<Shown>,
    /// With the work broken.
    pub broken: Option<Shown>,
    /// The tests that fail as they were, with what they expected.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failures: Vec<RunFailure>,
    /// The line that a person would quote of the tests as they were.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The file that holds what they printed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub log: Option<String>,
}

impl EvidenceResult {
    /// Whether no experiment was made.
    #[must_use]
    pub const fn is_none(&self) -> bool {
        self.before.is_none() && self.old_tests.is_none() && self.broken.is_none()
    }
}
