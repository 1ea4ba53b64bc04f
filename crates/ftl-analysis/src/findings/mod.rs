//! What makes a verify that passed doubtful.
//!
//! A finding blocks nothing by itself: policy says which of them do. Pure
//! functions over the command, its output and the paths that changed.

mod counts;
mod failed_anyway;
mod masked_exit;
mod missing_summary;
mod no_tests;
mod printed_failure;
mod runs_tests;
mod summary;
mod test_summary;

pub use failed_anyway::failed_anyway;
pub use masked_exit::{MaskedExit, masked_exit, may_hide_failure};
pub use missing_summary::missing_summary;
pub use no_tests::ran_no_test;
pub use runs_tests::runs_tests;
pub use test_summary::{TestSummary, test_summary};

use ftl_model::Finding;

use crate::constants::listed_words;

/// A list of `words.txt`.
fn words(list: &'static str) -> impl Iterator<Item = &'static str> {
    listed_words(include_str!("words.txt"), list)
}

fn is_one(list: &'static str, word: &str) -> bool {
    words(list).any(|it| it == word)
}

/// A finding and what it rests on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doubt {
    /// The finding.
    pub finding: Finding,
    /// One line, such as ``the runner says `no tests ran` ``.
    pub reason: String,
}

/// What a `command` that ended well, or did not, and its `output` give reason to doubt.
pub fn doubts_of_run(command: &str, passed: bool, output: &str) -> Vec<Doubt> {
    let doubt = |finding, reason| Doubt { finding, reason };
    let no_tests = ran_no_test(output)
        .map(|line| format!("the runner says `{line}`"))
        .or_else(|| {
            let runner = missing_summary(command, output).filter(|_| passed)?;
            Some(format!("{runner} passed without the summary that it always prints"))
        })
        .map(|reason| doubt(Finding::NoTests, reason));
    let failed = passed.then(|| failed_anyway(command, output)).flatten().map(|line| {
        doubt(Finding::FailedAnyway, format!("the command passed, but its output says `{line}`"))
    });
    no_tests.into_iter().chain(failed).collect()
}

#[cfg(test)]
mod tests {
    use super::doubts_of_run;

    #[test]
    fn a_run_without_tests_is_doubtful() {
        let reasons = |output| -> Vec<String> {
            let doubts = doubts_of_run("python -m unittest", true, output);
            doubts.into_iter().map(|doubt| doubt.reason).collect()
        };
        assert_eq!(
            reasons("Ran 0 tests in 0.000s\n\nOK\n"),
            ["the runner says `Ran 0 tests in 0.000s`"]
        );
        assert!(reasons("Ran 1 test in 0.000s\n\nOK\n").is_empty());
    }
}
