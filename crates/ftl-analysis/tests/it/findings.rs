//! What is read from runs and commands: rows of the tables in `cases/findings`, and whole outputs beside them.

use ftl_analysis::findings::{
    failed_anyway, missing_summary, ran_no_test, runs_tests, test_summary,
};

use crate::cases::{check_folder, rows, texts};

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
    let without = [
        "jest-missing",
        "jest-nomatch",
        "jest-none",
        "jest-syntax",
        "pytest-asyncio-none",
        "pytest-nofile",
    ];
    assert_eq!(said, without);
}

#[test]
fn a_runner_s_own_words_count_and_a_program_s_do_not() {
    for [kind, line] in rows("findings/lines.tsv") {
        match kind.as_str() {
            "failed" => assert!(failed_anyway("true", &line).is_some(), "{line}"),
            "passed" => assert_eq!(failed_anyway("pytest -rA", &line), None, "{line}"),
            "none ran" => assert!(ran_no_test(&line).is_some(), "{line}"),
            _ => assert_eq!(ran_no_test(&line), None, "{line}"),
        }
    }
}

#[test]
fn counts_of_runners_are_read() {
    for [ran, failed, skipped, output] in rows("findings/summaries.tsv") {
        let number = |count: Option<u64>| count.map_or("-".to_owned(), |it| it.to_string());
        let found = test_summary(&output);
        let counts = found.map_or([None; 3], |it| [it.ran, Some(it.failed), Some(it.skipped)]);
        assert_eq!(counts.map(number), [ran, failed, skipped], "{output}");
    }
}

#[test]
fn a_runner_without_its_summary_is_named() {
    for [runner, output, command] in rows("findings/missing.tsv") {
        assert_eq!(missing_summary(&command, &output).unwrap_or("-"), runner, "{command}");
    }
}

#[test]
fn a_text_printed_after_a_failure_is_found_in_the_output() {
    for [printed, command, output] in rows("findings/printed.tsv") {
        assert_eq!(
            failed_anyway(&command, &output).unwrap_or("-".to_owned()),
            printed,
            "{command}"
        );
    }
}

#[test]
fn runners_and_targets_named_for_tests_run_tests() {
    for [runs, command] in rows("findings/commands.tsv") {
        assert_eq!(runs_tests(&command), runs == "tests", "{command}");
    }
}
