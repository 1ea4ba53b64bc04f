//! How often an error may be retried. The machine counts; here is only the limit.

use ftl_model::Failure;

use crate::diagnosis::Classification;

/// Whether ftl's own time limit ended the verify.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeLimit {
    /// It did not.
    Kept,
    /// It did, for the first time in this task.
    FirstExceeded,
    /// It did, as it had before.
    ExceededAgain,
}

/// How many retries an error may have: 1, or 2 when it may vanish by itself.
///
/// It may when its lines are transient only, the first time that ftl's own time limit ended the
/// verify and its lines say nothing deterministic, or when the known failure is tagged `flaky` and
/// the error is neither one of syntax nor of an import.
pub fn max_retries(found: &Classification, known: Option<&Failure>, time_limit: TimeLimit) -> u32 {
    let slow = time_limit == TimeLimit::FirstExceeded && !found.deterministic;
    let flaky = known.is_some_and(is_flaky) && !found.syntax_or_import;
    match found.transient_only || slow || flaky {
        true => 2,
        false => 1,
    }
}

fn is_flaky(failure: &Failure) -> bool {
    failure.tags.iter().any(|tag| tag.eq_ignore_ascii_case("flaky"))
}

#[cfg(test)]
mod tests {
    use super::{TimeLimit, max_retries};
    use crate::diagnosis::Families;
    use ftl_model::Failure;

    #[test]
    fn a_failure_that_may_vanish_is_tried_twice() {
        use TimeLimit::{ExceededAgain, FirstExceeded, Kept};
        let plain = Failure::default();
        let flaky =
            Failure { tags: vec!["db".to_owned(), "flaky".to_owned()], ..Failure::default() };
        let connection = "ConnectionRefusedError: [Errno 111] Connection refused";
        let assertion = "AssertionError: assert 1 == 2";
        let import = "ImportError: cannot import name 'a'";
        let unknown = "the moon is in the wrong phase";
        for (line, known, limit, expected) in [
            (connection, None, Kept, 2),
            (connection, Some(&plain), Kept, 2),
            (assertion, None, Kept, 1),
            (assertion, Some(&plain), Kept, 1),
            (assertion, Some(&flaky), Kept, 2),
            (import, Some(&flaky), Kept, 1),
            (unknown, None, Kept, 1),
            (unknown, Some(&flaky), Kept, 2),
            (unknown, None, FirstExceeded, 2),
            (unknown, None, ExceededAgain, 1),
            (connection, None, ExceededAgain, 2),
            (assertion, None, FirstExceeded, 1),
        ] {
            let found = Families::default().classify(&[line]);
            assert_eq!(max_retries(&found, known, limit), expected, "{line} {limit:?}");
        }
    }
}
