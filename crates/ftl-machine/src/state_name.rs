//! The ten states by name, and what entering each costs.

use std::fmt;

use ftl_model::words;

words! {
    /// A state as it is listed in records, announcements and graphs.
    pub enum StateName {
        /// The workspace file is read and parsed.
        Read = "READ",
        /// The task is checked and laid out.
        Plan = "PLAN",
        /// The test file is read for the implementer.
        ReadTests = "READ_TESTS",
        /// The implementer writes the delta.
        Implement = "IMPLEMENT",
        /// What was touched is checked for syntax.
        Preflight = "PREFLIGHT",
        /// The verify command runs.
        Verify = "VERIFY",
        /// A known fix is applied.
        Retry = "RETRY",
        /// Idioms and exports are judged.
        Quality = "QUALITY",
        /// The record is sealed as complete.
        Complete = "COMPLETE",
        /// The record is sealed as blocked.
        Block = "BLOCK",
    }
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

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fixed(n) => write!(f, "{n}"),
            Self::PerFileTouched => f.write_str("1 per file touched"),
            Self::Exempt => f.write_str("exempt"),
        }
    }
}
