//! What passed before something failed: of `a && b`, all that `a` printed.
//!
//! Nothing separates the two outputs, but most programs say at their end that all went well. What
//! is before the last such line is left out, unless a failure was marked before it: a runner of
//! several suites goes on after the first that failed.

use std::sync::LazyLock;

use super::shape::is_noise;
use crate::constants::ConstPatterns;

const LINES: &str = include_str!("passed.tsv");

/// How programs end that found nothing wrong.
static CLOSING: LazyLock<ConstPatterns> =
    LazyLock::new(|| ConstPatterns::of_rows(LINES, "closing"));

/// Marks of a failure: what comes after one belongs to a run that did not pass.
static FAILURE: LazyLock<ConstPatterns> =
    LazyLock::new(|| ConstPatterns::of_rows(LINES, "failure"));

/// The lines of `lines` that belong to what failed.
pub(crate) fn failing_part<'a, 'b>(lines: &'b [&'a str]) -> &'b [&'a str] {
    let mut begins = vec![0];
    for (at, line) in lines.iter().enumerate() {
        if FAILURE.is_match(line) {
            break;
        }
        if CLOSING.is_match(line) {
            begins.push(at + 1);
        }
    }
    let parts = begins.iter().rev().map(|&begin| &lines[begin..]);
    // A limit on warnings is passed only after they were counted.
    let has_content = |part: &&[&str]| {
        let first = part.iter().find(|line| !is_noise(line));
        first.is_some_and(|line| !line.contains("too many warnings"))
    };
    parts.into_iter().find(has_content).unwrap_or(lines)
}

#[cfg(test)]
mod tests {
    use super::failing_part;

    #[test]
    fn passed_tests_are_left_out_up_to_the_first_failure() {
        for (output, expected) in [
            ("Error: handled\n===== 3 passed in 0.04s =====\nnot found: x", "not found: x"),
            ("FAIL\tone\t0.1s\nok  \ttwo\t0.1s", "FAIL\tone\t0.1s\nok  \ttwo\t0.1s"),
            ("coverage 40% is below 90%\nOK", "coverage 40% is below 90%\nOK"),
            (
                "All checks passed!\nlimit is missing\n3 passed in 1s\n\n",
                "limit is missing\n3 passed in 1s\n\n",
            ),
            ("nothing says so\nb is missing", "nothing says so\nb is missing"),
        ] {
            let lines: Vec<&str> = output.split('\n').collect();
            let wanted: Vec<&str> = expected.split('\n').collect();
            assert_eq!(failing_part(&lines), wanted, "{output}");
        }
    }
}
