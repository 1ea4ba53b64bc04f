//! The ten states by name, and what entering each costs.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A state as it is listed in records, announcements and graphs.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum StateName {
    /// The workspace file is read and parsed.
    Read,
    /// The task is checked and laid out.
    Plan,
    /// The test file is read for the implementer.
    ReadTests,
    /// The implementer writes the delta.
    Implement,
    /// What was touched is checked for syntax.
    Preflight,
    /// The verify command runs.
    Verify,
    /// A known fix is applied.
    Retry,
    /// Idioms and exports are judged.
    Quality,
    /// The record is sealed as complete.
    Complete,
    /// The record is sealed as blocked.
    Block,
}

/// What a state charges to the budget of tool calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cost {
    /// Always this much.
    Fixed(u64),
    /// One for every file touched.
    PerFileTouched,
    /// Never charged, so that a budget cannot end it.
    Exempt,
}

impl StateName {
    /// All of them, in the order of the way through.
    pub const ALL: [Self; 10] = [
        Self::Read,
        Self::Plan,
        Self::ReadTests,
        Self::Implement,
        Self::Preflight,
        Self::Verify,
        Self::Retry,
        Self::Quality,
        Self::Complete,
        Self::Block,
    ];

    /// The name as records and graphs spell it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Read => "READ",
            Self::Plan => "PLAN",
            Self::ReadTests => "READ_TESTS",
            Self::Implement => "IMPLEMENT",
            Self::Preflight => "PREFLIGHT",
            Self::Verify => "VERIFY",
            Self::Retry => "RETRY",
            Self::Quality => "QUALITY",
            Self::Complete => "COMPLETE",
            Self::Block => "BLOCK",
        }
    }

    /// What the state charges.
    #[must_use]
    pub const fn cost(self) -> Cost {
        match self {
            Self::Read | Self::ReadTests | Self::Verify | Self::Retry => Cost::Fixed(1),
            Self::Plan | Self::Quality => Cost::Fixed(0),
            Self::Implement => Cost::PerFileTouched,
            Self::Preflight | Self::Complete | Self::Block => Cost::Exempt,
        }
    }
}

impl fmt::Display for StateName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fixed(n) => write!(f, "{n}"),
            Self::PerFileTouched => f.write_str("1 per file touched"),
            Self::Exempt => f.write_str("exempt"),
        }
    }
}
