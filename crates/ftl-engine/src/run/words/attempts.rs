//! After which blocks another attempt has a chance.

use ftl_machine::{BlockKind, Verdict};

/// Whether another attempt, which knows of the block, may get over it. A conflict takes a user: an attempt
/// would replace their version.
#[must_use]
pub(in crate::run) fn may_try_again(kind: BlockKind, verdict: &Verdict) -> bool {
    if verdict.log.conflicts.is_some() {
        return false;
    }
    match kind {
        BlockKind::DiscoveryNeeded
        | BlockKind::RetryLimit
        | BlockKind::FixFailed
        | BlockKind::PreflightExhausted
        | BlockKind::ImplementFailed => true,
        BlockKind::SpecInvalid
        | BlockKind::BudgetExhausted
        | BlockKind::DeltaInsufficient
        | BlockKind::TreeChanged
        | BlockKind::IdiomViolation
        | BlockKind::ExportsLost
        | BlockKind::VerifyUntrusted
        // These are tried again on another base, which is no attempt.
        | BlockKind::LandConflict
        | BlockKind::LandBroken => false,
    }
}
