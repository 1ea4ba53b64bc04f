//! What makes a verify that passed doubtful.
//!
//! A finding blocks nothing by itself: policy says which of them do. Pure
//! functions over the command, its output and the paths that changed.

mod failed_anyway;
mod mask;
mod no_tests;
mod shell;
mod summary;
mod tests_changed;
mod told;

pub use failed_anyway::failed_anyway;
pub use mask::masked_exit;
pub use no_tests::ran_no_test;
pub use tests_changed::changed_tests;

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
    let no_tests = ran_no_test(output).map(|line| Doubt {
        finding: Finding::NoTests,
        reason: format!("the runner says `{line}`"),
    });
    let masked = masked_exit(command).map(|reason| Doubt { finding: Finding::MaskedExit, reason });
    let said = passed.then(|| failed_anyway(command, output)).flatten();
    let failed = said.map(|line| Doubt {
        finding: Finding::FailedAnyway,
        reason: format!("the command passed, but its output says `{line}`"),
    });
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
            ["the runner says `Ran 0 tests in 0.000s`", "`|| true` hides the exit code",]
        );
        assert!(
            doubts_of_run("python -m unittest", true, "Ran 1 test in 0.000s\n\nOK\n").is_empty()
        );
    }
}
