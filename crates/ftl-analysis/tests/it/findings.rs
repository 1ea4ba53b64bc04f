use ftl_analysis::findings::ran_no_test;

use crate::cases::{check_folder, texts};

#[test]
fn a_runner_that_ran_no_test_says_so() {
    check_folder("findings", "txt", "said", |output| {
        let said = ran_no_test(output);
        said.unwrap_or_else(|| "tests ran".to_owned()) + "\n"
    });
}

#[test]
fn of_failed_runs_only_those_without_a_test_say_so() {
    let said: Vec<String> = texts("errors", "txt")
        .into_iter()
        .filter(|(_, output)| ran_no_test(output).is_some())
        .map(|(name, _)| name)
        .collect();
    let without = ["jest-missing", "jest-nomatch", "jest-none", "jest-syntax", "pytest-nofile"];
    assert_eq!(said, without);
}
