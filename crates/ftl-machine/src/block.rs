//! Why a task was blocked: a kind that programs distinguish, and a reason as data.
//!
//! The callers that record or show a block write its sentences: only they know what the reader can do,
//! that is, which command line, which option and which exit code there is.

use ftl_model::{DeltaPath, ExportVerdict, Finding, IdiomVerdict, words};

use crate::event::{Conflicts, MissingProgram, Verification, Work, WorkspaceRefused};
use crate::log::CheckEntry;

words! {
    /// Every kind of block there is.
    pub enum BlockKind {
        /// The workspace can't be built as it is written.
        SpecInvalid = "spec_invalid",
        /// The budget can't carry the next step.
        BudgetExhausted = "budget_exhausted",
        /// The implementer failed, or did nothing.
        ImplementFailed = "implement_failed",
        /// The task needs files outside its delta.
        DeltaInsufficient = "delta_insufficient",
        /// A file or command kept failing its preflight.
        PreflightExhausted = "preflight_exhausted",
        /// The failure is not a known one.
        DiscoveryNeeded = "discovery_needed",
        /// A known failure came back as often as it is retried.
        RetryLimit = "retry_limit",
        /// The known fix could not be applied, or left broken syntax.
        FixFailed = "fix_failed",
        /// The delta changed after it was last checked.
        TreeChanged = "tree_changed",
        /// A required idiom is missing or a forbidden one is new.
        IdiomViolation = "idiom_violation",
        /// A name that others use is gone.
        ExportsLost = "exports_lost",
        /// The verify passed but can't be trusted, by policy.
        VerifyUntrusted = "verify_untrusted",
        /// What was to land changed in the tree too.
        LandConflict = "land_conflict",
        /// The verify passes where the delta was written, and fails in the tree.
        LandBroken = "land_broken",
    }
}

/// An informed hand-off.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// Why.
    pub reason: Reason,
    /// False where the workspace must stay as it is, so that it can be fixed.
    pub sealed: bool,
}

impl Block {
    /// What programs tell blocks apart by.
    #[must_use]
    pub const fn kind(&self) -> BlockKind {
        self.reason.kind()
    }
}

/// Why a task was blocked.
#[derive(Clone, Debug, PartialEq)]
pub enum Reason {
    /// The reader refused the document.
    DocumentRefused(WorkspaceRefused),
    /// The budget does not even carry READ.
    NoBudget,
    /// The workspace was read, and can't be built.
    Unbuildable(SpecProblem),
    /// What READ left does not carry one file and one verify.
    BudgetTooSmall {
        /// Calls left after READ.
        remaining: i64,
        /// Calls that are needed.
        needed: i64,
    },
    /// The implementer failed, in these words.
    ImplementerFailed(String),
    /// The implementer reached, or had to reach, outside the delta.
    OutsideDelta(Outside),
    /// The implementer touched nothing and did not say that nothing had to change.
    Idle,
    /// The implementer touched more files than calls remained.
    Overspent {
        /// Files touched.
        touched: usize,
        /// Calls that remained before.
        remaining: i64,
    },
    /// A file or command still fails its preflight.
    PreflightFailing {
        /// Why no further fix is requested.
        why: Unmended,
        /// The first that fails, where one is known.
        first: Option<Box<CheckEntry>>,
    },
    /// No call is left for VERIFY.
    VerifyUnaffordable,
    /// The verify failed, and is not tried again.
    VerifyFailed {
        /// The failed run, whose error line leads the block.
        verification: Box<Verification>,
        /// Why it is not tried again.
        why: Unretried,
    },
    /// These delta files changed after they were last checked.
    TreeChanged(Vec<DeltaPath>),
    /// These idioms are violated, or undecided where policy makes that a violation.
    IdiomsViolated(Vec<IdiomVerdict>),
    /// These exports are gone.
    ExportsLost(Vec<ExportVerdict>),
    /// The verify passed, with these findings that policy distrusts.
    VerifyUntrusted(Vec<Finding>),
    /// These files changed in the tree since the implementer's base was copied from it.
    LandConflict(Conflicts),
    /// The verify failed in the tree, and passed where the work was done: for want of what was left behind there.
    LeftBehind {
        /// The failed run, whose error line leads the block.
        verification: Box<Verification>,
        /// Strays, and what was written into dependencies.
        left: Vec<String>,
    },
    /// The verify failed in the tree, and passed where the work was done.
    LandBroken(Box<Verification>),
}

impl Reason {
    /// What programs tell reasons apart by.
    #[must_use]
    pub const fn kind(&self) -> BlockKind {
        match self {
            Self::DocumentRefused(_) | Self::Unbuildable(_) => BlockKind::SpecInvalid,
            Self::NoBudget
            | Self::BudgetTooSmall { .. }
            | Self::Overspent { .. }
            | Self::VerifyUnaffordable => BlockKind::BudgetExhausted,
            Self::ImplementerFailed(_) | Self::Idle => BlockKind::ImplementFailed,
            Self::OutsideDelta(_) | Self::LeftBehind { .. } => BlockKind::DeltaInsufficient,
            Self::PreflightFailing { .. } => BlockKind::PreflightExhausted,
            Self::VerifyFailed { why, .. } => why.kind(),
            Self::TreeChanged(_) => BlockKind::TreeChanged,
            Self::IdiomsViolated(_) => BlockKind::IdiomViolation,
            Self::ExportsLost(_) => BlockKind::ExportsLost,
            Self::VerifyUntrusted(_) => BlockKind::VerifyUntrusted,
            Self::LandConflict(_) => BlockKind::LandConflict,
            Self::LandBroken(_) => BlockKind::LandBroken,
        }
    }
}

/// What makes a workspace unbuildable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SpecProblem {
    /// It names no delta file.
    NoDelta,
    /// It has no verify command.
    NoVerify,
    /// Its status is another than `active`; `None` where it has none.
    NotActive(Option<String>),
    /// What PLAN found, in its words.
    Found(String),
    /// The verify command begins with a program that is not there.
    NoProgram(MissingProgram),
}

/// Files outside the delta that the implementer changed or asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outside {
    /// They were changed.
    Strays(Vec<String>),
    /// They were asked for.
    Needs(Vec<String>),
}

impl Outside {
    /// What this work had to reach outside the delta, or reached where that blocks.
    pub(super) fn of(work: &Work, strays_block: bool) -> Option<Self> {
        if strays_block && !work.strays.is_empty() {
            return Some(Self::Strays(work.strays.clone()));
        }
        (!work.needs.is_empty()).then(|| Self::Needs(work.needs.clone()))
    }
}

/// Why no fix of what preflight found is requested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unmended {
    /// The implementer is the current tree, which cannot change itself.
    CannotMend,
    /// It failed this often.
    AttemptsSpent(u32),
    /// The fix failed, with this message.
    MendFailed(String),
    /// The fix changed nothing.
    MendChangedNothing,
}

/// Why a failed verify is not tried again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unretried {
    /// A retry and its verify cost more than these calls.
    CallsSpent {
        /// Calls left.
        left: i64,
    },
    /// It was retried as often as such an error may be.
    RetriesSpent {
        /// Retries so far.
        retries: u32,
        /// Retries allowed.
        max: u32,
    },
    /// No known failure with a fix fits; these fit without one.
    NoKnownFix(Vec<String>),
    /// The known fix did not hold.
    FixFailed(Misfit),
}

impl Unretried {
    pub(crate) const fn kind(&self) -> BlockKind {
        match self {
            Self::CallsSpent { .. } => BlockKind::BudgetExhausted,
            Self::RetriesSpent { .. } => BlockKind::RetryLimit,
            Self::NoKnownFix(_) => BlockKind::DiscoveryNeeded,
            Self::FixFailed(_) => BlockKind::FixFailed,
        }
    }
}

/// Why work can't count as the known fix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Misfit {
    /// It reached outside the delta.
    Outside(Outside),
    /// It could not be applied, in these words.
    NotApplied(String),
    /// It changed nothing.
    ChangedNothing,
    /// It left this file unparsable.
    Unparsable(DeltaPath),
}
