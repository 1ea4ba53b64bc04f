//! How a build must end: states, outcome, budget, record. Nothing here reads what the program said.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::text::File;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum State {
    Read,
    Plan,
    ReadTests,
    Implement,
    Preflight,
    Verify,
    Retry,
    Quality,
    Complete,
    Block,
}

impl State {
    pub(super) const ALL: [Self; 10] = [
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

    pub(super) fn name(self) -> &'static str {
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
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum BlockKind {
    SpecInvalid,
    BudgetExhausted,
    ImplementFailed,
    DeltaInsufficient,
    PreflightExhausted,
    DiscoveryNeeded,
    RetryLimit,
    FixFailed,
    TreeChanged,
    IdiomViolation,
    ExportsLost,
    VerifyUntrusted,
}

impl BlockKind {
    pub(super) const ALL: [Self; 12] = [
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

    pub(super) fn name(self) -> &'static str {
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

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Outcome {
    Complete,
    Blocked(BlockKind),
    /// Could not begin: a usage error.
    Failed,
    /// `--dry-run`, and nothing prevents a build.
    Planned,
}

impl Outcome {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::Blocked(_) => "blocked",
            Self::Failed => "failed",
            Self::Planned => "planned",
        }
    }

    pub(super) fn exit_code(self) -> i32 {
        match self {
            Self::Complete | Self::Planned => 0,
            Self::Failed => 2,
            Self::Blocked(_) => 3,
        }
    }
}

/// What became of the workspace file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Record {
    Untouched,
    Complete,
    Blocked,
}

impl Record {
    /// Whether the task is over.
    pub(super) fn is_final(self) -> bool {
        self != Self::Untouched
    }

    /// Its file's name, if it was an active task's before.
    pub(super) fn file_name(self) -> &'static str {
        match self {
            Self::Untouched => "001_case_active.xml",
            Self::Complete => "001_case_complete.xml",
            Self::Blocked => "001_case_blocked.xml",
        }
    }
}

/// Why an agent was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    Implement,
    FixSyntax,
    ApplyFix,
}

impl Phase {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Implement => "implement",
            Self::FixSyntax => "fix-syntax",
            Self::ApplyFix => "apply-fix",
        }
    }
}

/// Everything that the rules determine about a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Expected {
    pub(super) outcome: Outcome,
    pub(super) states: Vec<State>,
    pub(super) used: i64,
    /// None where the document could not be read.
    pub(super) total: Option<i64>,
    pub(super) retries: usize,
    pub(super) record: Record,
    /// Why the agent was asked, call by call.
    pub(super) phases: Vec<Phase>,
    /// How often the verify command ran, `--baseline` included.
    pub(super) verify_runs: usize,
    /// The delta at the end; None inside: no such file.
    pub(super) delta: Vec<Option<File>>,
    /// A delta path that is no longer a plain file.
    pub(super) transformed: Option<usize>,
    pub(super) report: Report,
}

/// What the report and the announcements say beyond the end itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Report {
    /// Lines on standard error, with [`SCRATCH`] for where the scripts lie; a retry's rationale is
    /// left out. None where the rules leave them open.
    pub(super) announced: Option<Vec<String>>,
    /// The block's error, where it is a line of verify's.
    pub(super) error: Option<&'static str>,
    /// Paths of the touched files; None if no paths were asked for, or where a created file is
    /// gone again.
    pub(super) touched: Option<BTreeSet<String>>,
    /// Verdicts by kind and text.
    pub(super) idioms: BTreeMap<(&'static str, String), &'static str>,
    /// Verdicts by path and name.
    pub(super) exports: BTreeMap<(&'static str, &'static str), &'static str>,
    /// Names of the knowledge that was of use; None unless complete.
    pub(super) utilized: Option<BTreeSet<String>>,
}

/// Replaces the directory of the scripts in announcements.
pub(super) const SCRATCH: &str = "SCRATCH";

impl fmt::Display for Expected {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let states: Vec<_> = self.states.iter().map(|state| state.name()).collect();
        write!(out, "{:?} after {}, {} of ", self.outcome, states.join(" "), self.used)?;
        match self.total {
            Some(total) => write!(out, "{total} used"),
            None => write!(out, "an unknown budget used"),
        }
    }
}
