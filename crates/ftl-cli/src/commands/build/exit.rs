//! The exit codes of builds.

use ftl_engine::result::{BuildResult, OutcomeWord};

use crate::exit::{BLOCKED, FAILED, LIMIT, USAGE};

/// The exit code of a build that came to an end.
pub(super) fn exit_code(result: &BuildResult) -> u8 {
    match result.outcome {
        OutcomeWord::Complete
        | OutcomeWord::Planned
        | OutcomeWord::Skipped
        | OutcomeWord::Waiting => 0,
        OutcomeWord::Blocked | OutcomeWord::Broken => BLOCKED,
        OutcomeWord::Limit => LIMIT,
        OutcomeWord::Failed | OutcomeWord::Dropped | OutcomeWord::Unfinished => FAILED,
    }
}

/// The worse of two exit codes: interrupts first, then failures, usage errors, limits, blocks.
pub(super) fn worse(a: u8, b: u8) -> u8 {
    let rank = |exit| match exit {
        0 => 0,
        BLOCKED => 1,
        LIMIT => 2,
        USAGE => 3,
        FAILED => 4,
        _ => 5,
    };
    if rank(b) > rank(a) { b } else { a }
}

#[cfg(test)]
mod tests {
    use super::worse;

    #[test]
    fn a_failure_is_worse_than_a_limit_or_a_block_and_an_interrupt_than_all() {
        for (codes, worst) in [
            (&[0, 0][..], 0),
            (&[0, 3, 0], 3),
            (&[3, 1, 3], 1),
            (&[1, 2, 0], 1),
            (&[3, 4, 0], 4),
            (&[4, 1, 3], 1),
            (&[3, 130, 1, 4], 130),
        ] {
            assert_eq!(codes.iter().copied().fold(0, worse), worst, "{codes:?}");
        }
    }
}
