//! What the machine asks of the world.

use ftl_model::DeltaPath;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::event::{Check, Verification};
use super::{Budget, Verdict};

/// A request to the world, derived from the state and never stored.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Read and parse the workspace.
    ReadWorkspace,
    /// Check what was read and lay out the task.
    CheckPlan,
    /// Read the test file.
    ReadTests(String),
    /// Ask the implementer for the delta.
    Implement(Request),
    /// Check one touched file.
    CheckFile(DeltaPath),
    /// Run one extra preflight command.
    RunPreflight {
        /// Its place in the plan.
        index: usize,
        /// The shell command.
        command: String,
    },
    /// Ask the implementer to mend what preflight found.
    Mend(Request),
    /// Run the verify command.
    Verify {
        /// How often it ran before: once for every fix applied.
        earlier: u32,
    },
    /// Classify the failed verify and look for a known fix.
    MatchFailure {
        /// The failed run.
        verification: Box<Verification>,
        /// How often ftl's own time limit ended a verify before.
        earlier_time_limits: u32,
    },
    /// Apply the fix of the failure at this index.
    ApplyFix {
        /// The known failure's place in the workspace.
        failure: usize,
        /// What the implementer gets, should the fix be prose.
        request: Request,
    },
    /// Judge idioms and exports.
    Judge,
    /// Seal the record.
    Seal(Box<Verdict>),
}

impl Effect {
    /// A stable name, for notes and errors.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::ReadWorkspace => "read_workspace",
            Self::CheckPlan => "check_plan",
            Self::ReadTests(_) => "read_tests",
            Self::Implement(_) => "implement",
            Self::CheckFile(_) => "check_file",
            Self::RunPreflight { .. } => "run_preflight",
            Self::Mend(_) => "mend",
            Self::Verify { .. } => "verify",
            Self::MatchFailure { .. } => "match_failure",
            Self::ApplyFix { .. } => "apply_fix",
            Self::Judge => "judge",
            Self::Seal(_) => "seal",
        }
    }
}

/// What the implementer is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// Write the delta.
    Implement,
    /// Mend what preflight found.
    FixSyntax,
    /// Apply the fix of a known failure.
    ApplyFix,
}

impl Phase {
    /// The name that the implementer sees.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Implement => "implement",
            Self::FixSyntax => "fix-syntax",
            Self::ApplyFix => "apply-fix",
        }
    }
}

/// One request to the implementer.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// What for.
    pub phase: Phase,
    /// Which time in this phase, from 1.
    pub attempt: u32,
    /// The ledger as it stands.
    pub budget: Budget,
    /// What preflight found, for a mend.
    pub checks: Vec<Check>,
    /// The verify that failed last, if one did.
    pub verification: Option<Box<Verification>>,
}
