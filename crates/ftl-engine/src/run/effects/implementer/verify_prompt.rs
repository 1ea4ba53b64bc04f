//! The verify that failed last, in a prompt: what failed, where, and what was printed about it.

use ftl_model::RunFailure;
use ftl_text::shortened;

use super::markdown::{bullet, fenced, section};
use crate::protocol::LastVerify;

/// Failures that are shown; the others are counted.
const SHOWN: usize = 10;
/// Characters of a message or a detail.
const LONGEST: usize = 4000;
/// Characters of the output, where failures are named: they are its essence.
const LONGEST_OUTPUT: usize = 16 << 10;

/// Writes the failures, and the output behind them.
pub(super) fn write(text: &mut String, verify: &LastVerify<'_>) {
    // An entry without a test and a place is the error line, which the output shows.
    let is_placed = |failure: &RunFailure| failure.test.is_some() || failure.path.is_some();
    if verify.failures.iter().any(is_placed) {
        section(text, "What failed");
        for failure in verify.failures.iter().take(SHOWN) {
            one(text, failure);
        }
        let more = verify.failures.len().saturating_sub(SHOWN) + verify.more_failures;
        if more > 0 {
            bullet(text, &format!("and {more} more"));
        }
        text.push('\n');
    }
    section(text, "Output of the verify command");
    fenced(text, verify.command, &ends(verify.output));
    if let Some(log) = verify.log {
        text.push_str(&format!("All of the output is in `{log}`.\n\n"));
    }
}

/// `- tests/test_a.py::test_b (tests/test_a.py:12): assert 1 == 2`, with its further lines below it.
fn one(text: &mut String, failure: &RunFailure) {
    let place = failure.path.as_ref().map(|path| match failure.line {
        Some(line) => format!("{path}:{line}"),
        None => path.clone(),
    });
    let name = match (&failure.test, place) {
        (Some(test), Some(place)) => format!("`{test}` ({place}): "),
        (Some(test), None) => format!("`{test}`: "),
        (None, Some(place)) => format!("{place}: "),
        (None, None) => String::new(),
    };
    let message = shortened(failure.message.trim(), LONGEST);
    let mut lines = message.lines();
    bullet(text, &format!("{name}{}", lines.next().unwrap_or_default()));
    let detail = failure.detail.as_deref().map(|detail| shortened(detail.trim_end(), LONGEST));
    let rest: Vec<&str> = lines.chain(detail.iter().flat_map(|detail| detail.lines())).collect();
    if !rest.is_empty() {
        fenced(text, "", &rest.join("\n"));
    }
}

/// Head and tail of an output that is too long.
fn ends(output: &str) -> String {
    if output.len() <= LONGEST_OUTPUT {
        return output.to_owned();
    }
    let half = LONGEST_OUTPUT / 2;
    let head = output.floor_char_boundary(half);
    let tail = output.ceil_char_boundary(output.len() - half);
    format!("{}\n…\n{}", &output[..head], &output[tail..])
}

#[cfg(test)]
mod tests {
    use ftl_model::RunFailure;

    use super::write;
    use crate::protocol::LastVerify;

    #[test]
    fn a_failure_is_named_placed_and_whole() {
        let failure = RunFailure {
            test: Some("tests/test_a.py::test_b".into()),
            path: Some("tests/test_a.py".into()),
            line: Some(12),
            message: "assert 1 == 2\n  +  where 1 = f()".into(),
            detail: None,
        };
        let failures = vec![failure; 12];
        let mut text = String::new();
        write(
            &mut text,
            &LastVerify {
                command: "pytest",
                exit: Some(1),
                output: "F",
                failures: &failures,
                more_failures: 3,
                log: Some(".ftl/runs/001_a/1/outputs/verify-1.log"),
            },
        );
        for part in [
            "- `tests/test_a.py::test_b` (tests/test_a.py:12): assert 1 == 2\n",
            "  +  where 1 = f()",
            "- and 5 more\n",
            "All of the output is in `.ftl/runs/001_a/1/outputs/verify-1.log`.",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }

    #[test]
    fn an_error_line_alone_is_not_repeated_and_a_long_output_loses_its_middle() {
        let failures = [RunFailure { message: "oops".into(), ..RunFailure::default() }];
        let output = format!("begin{}end", "é".repeat(100_000));
        let verify = LastVerify {
            command: "make",
            exit: None,
            output: &output,
            failures: &failures,
            more_failures: 0,
            log: None,
        };
        let mut text = String::new();
        write(&mut text, &verify);
        assert!(!text.contains("What failed") && text.len() < 20_000, "{}", text.len());
        assert!(text.contains("begin") && text.contains("end"));
    }
}
