//! What makes a verify that passed doubtful.
//!
//! A finding blocks nothing by itself: policy says which of them do. Pure
//! functions over the command, its output and the paths that changed.

mod failed_anyway;
mod masked_exit;
mod missing_summary;
mod no_tests;

mod printed_failure;
mod runs_tests;
mod summary;
mod test_summary;

pub use failed_anyway::failed_anyway;
pub use masked_exit::{MaskedExit, masked_exit};
pub use missing_summary::missing_summary;
pub use no_tests::ran_no_test;
pub use runs_tests::runs_tests;
pub use test_summary::{TestSummary, test_summary};

use ftl_model::Finding;

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
    let masked = masked_exit(command)
        .filter(|masked| !(passed && masked.is_answered_by(command, output)))
        .map(|masked| doubt(Finding::MaskedExit, masked.reason()));
    no_tests.into_iter().chain(failed).chain(masked).collect()
}

#[cfg(test)]
mod tests {
    use super::doubts_of_run;

    #[test]
    fn a_run_can_be_doubtful_twice() {
        let doubts =
            doubts_of_run("python -m unittest || true", true, "Ran 0 tests in 0.000s\n\nOK\n");
        let reasons: Vec<&str> = doubts.iter().map(|doubt| doubt.reason.as_str()).collect();
        assert_eq!(
            reasons,
            [
                "the runner says `Ran 0 tests in 0.000s`",
                "`|| true` hides the exit code of `python -m unittest`"
            ]
        );
        assert!(
            doubts_of_run("python -m unittest", true, "Ran 1 test in 0.000s\n\nOK\n").is_empty()
        );
    }

    #[test]
    fn a_masked_exit_is_answered_by_the_summary_of_the_hidden_runner_alone() {
        for (command, output, is_doubtful) in [
            ("pytest || true", "==== 3 passed in 0.1s ====", false),
            ("pytest | tail -1", "3 passed in 0.1s", false),
            ("pytest | grep passed", "3 passed in 0.1s", false),
            ("pytest || true", "", true),
            ("pytest || true", "Segmentation fault", true),
            ("mocha || true", "  2 passing (3ms)", false),
            ("mocha | grep passing", "  2 passing (3ms)", true),
            ("python -m unittest 2>&1 | grep Ran", "Ran 3 tests in 0.1s", true),
            (
                "cargo test | tee log",
                "test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s",
                false,
            ),
            (
                "cargo test | grep result",
                "test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s",
                true,
            ),
            ("mypy src; pytest", "3 passed in 0.1s", true),
            ("eslint . || true", "3 passed in 0.1s", true),
            ("for d in a b; do pytest $d; done", "3 passed in 0.1s\n3 passed in 0.1s", true),
            ("make test || true", "3 passed in 0.1s", false),
        ] {
            let doubts = doubts_of_run(command, true, output);
            let found = doubts.iter().any(|doubt| doubt.finding == super::Finding::MaskedExit);
            assert_eq!(found, is_doubtful, "{command}");
        }
    }
}
