//! What makes a verify that passed doubtful.
//!
//! A finding blocks nothing by itself: it is a warning, unless configuration distrusts it. Pure
//! functions over the command, its output and the paths that changed.

mod mask;
mod no_tests;
mod shell;
mod tests_changed;

pub use mask::masked_exit;
pub use no_tests::ran_no_test;
pub use tests_changed::changed_tests;

use serde::{Deserialize, Serialize};

/// A reason to doubt a verify.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Finding {
    /// The runner says that it ran no test.
    NoTests,
    /// The command hides the exit code of what it runs.
    MaskedExit,
    /// The implementer changed the test itself, or how tests are run.
    TestsChanged,
    /// It passed before anything was done.
    PassedBefore,
}

impl Finding {
    /// Every finding.
    pub const ALL: [Self; 4] = [
        Self::NoTests,
        Self::MaskedExit,
        Self::TestsChanged,
        Self::PassedBefore,
    ];

    /// Its name in records and configuration.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NoTests => "no_tests",
            Self::MaskedExit => "masked_exit",
            Self::TestsChanged => "tests_changed",
            Self::PassedBefore => "passed_before",
        }
    }

    /// The finding of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|finding| finding.as_str() == name)
    }
}

/// A finding and what it rests on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doubt {
    /// The finding.
    pub finding: Finding,
    /// One line, such as ``the runner says `no tests ran` ``.
    pub reason: String,
}

/// What `command` and its `output` give reason to doubt.
pub fn doubts_of_run(command: &str, output: &str) -> Vec<Doubt> {
    let no_tests = ran_no_test(output).map(|line| Doubt {
        finding: Finding::NoTests,
        reason: format!("the runner says `{line}`"),
    });
    let masked = masked_exit(command).map(|reason| Doubt {
        finding: Finding::MaskedExit,
        reason,
    });
    no_tests.into_iter().chain(masked).collect()
}

#[cfg(test)]
mod tests {
    use super::{Finding, doubts_of_run};

    #[test]
    fn a_finding_has_one_name_everywhere() {
        for finding in Finding::ALL {
            let json = serde_json::to_value(finding).unwrap();
            assert_eq!(json, finding.as_str());
            assert_eq!(Finding::named(finding.as_str()), Some(finding));
        }
        assert_eq!(Finding::named("unknown"), None);
    }

    #[test]
    fn a_run_can_be_doubtful_twice() {
        let doubts = doubts_of_run(
            "python -m unittest || true",
            "Ran 0 tests in 0.000s\n\nOK\n",
        );
        let reasons: Vec<&str> = doubts.iter().map(|doubt| doubt.reason.as_str()).collect();
        assert_eq!(
            reasons,
            [
                "the runner says `Ran 0 tests in 0.000s`",
                "`|| true` hides the exit code",
            ]
        );
        assert!(doubts_of_run("python -m unittest", "Ran 1 test in 0.000s\n\nOK\n").is_empty());
    }
}
