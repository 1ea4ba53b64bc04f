//! Why a task was handed off.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Every reason there is for a block.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum BlockKind {
    /// The workspace can't be built as it is written.
    SpecInvalid,
    /// The budget can't carry the next step.
    BudgetExhausted,
    /// The implementer failed, or did nothing.
    ImplementFailed,
    /// The task needs files outside its delta.
    DeltaInsufficient,
    /// A file or command kept failing its preflight.
    PreflightExhausted,
    /// The failure is not a known one.
    DiscoveryNeeded,
    /// A known failure came back as often as it is retried.
    RetryLimit,
    /// The known fix could not be applied, or left broken syntax.
    FixFailed,
    /// The delta changed after it was last checked.
    TreeChanged,
    /// A required idiom is missing or a forbidden one is new.
    IdiomViolation,
    /// A name that others use is gone.
    ExportsLost,
    /// The verify passed but can't be trusted, by policy.
    VerifyUntrusted,
}

impl BlockKind {
    /// All of them.
    pub const ALL: [Self; 12] = [
        Self::SpecInvalid,
        Self::BudgetExhausted,
        Self::ImplementFailed,
        Self::DeltaInsufficient,
        Self::PreflightExhausted,
        Self::DiscoveryNeeded,
        Self::RetryLimit,
        Self::FixFailed,
        Self::TreeChanged,
        Self::IdiomViolation,
        Self::ExportsLost,
        Self::VerifyUntrusted,
    ];

    /// The kind as records spell it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::SpecInvalid => "spec_invalid",
            Self::BudgetExhausted => "budget_exhausted",
            Self::ImplementFailed => "implement_failed",
            Self::DeltaInsufficient => "delta_insufficient",
            Self::PreflightExhausted => "preflight_exhausted",
            Self::DiscoveryNeeded => "discovery_needed",
            Self::RetryLimit => "retry_limit",
            Self::FixFailed => "fix_failed",
            Self::TreeChanged => "tree_changed",
            Self::IdiomViolation => "idiom_violation",
            Self::ExportsLost => "exports_lost",
            Self::VerifyUntrusted => "verify_untrusted",
        }
    }
}

impl fmt::Display for BlockKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// An informed hand-off.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Block {
    /// Why.
    pub kind: BlockKind,
    /// One line: the error of a failed verify, or a sentence of ftl's own.
    pub error: String,
    /// What did not fit: the observation.
    pub unknown: String,
    /// What somebody should find out next.
    pub discovery: String,
    /// A command that shows the problem again; empty where there is none.
    pub reproduce: String,
    /// False where the workspace must stay as it is, so that it can be mended.
    pub sealed: bool,
}
