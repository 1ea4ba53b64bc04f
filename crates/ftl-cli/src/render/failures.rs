//! What failed in a verify, for people: names, places and messages, and what the runner printed about them.

use ftl_engine::result::VerifyResult;
use ftl_model::RunFailure;
use ftl_text::shortened;

use crate::paths::Here;

/// Failures that are listed; the others are counted.
const SHOWN: usize = 10;
/// Lines of a message, where all that is known is asked for.
pub(super) const LINES: usize = 12;
/// Lines of a message in a result.
pub(super) const FEW: usize = 3;
/// Lines of what was printed.
const PRINTED: usize = 40;
/// Characters of a line.
const LONGEST: usize = 400;

/// Up to ten failures, each with its place and so many lines of its message, and how many more there are. Empty where the
/// output names neither a test nor a place: the error line says the same.
pub(super) fn list(verify: &VerifyResult, here: &Here, most: usize) -> String {
    if !verify.failures.iter().any(is_placed) {
        return String::new();
    }
    let mut lines: Vec<String> =
        verify.failures.iter().take(SHOWN).flat_map(|it| one(it, here, most)).collect();
    let more = verify.failures.len().saturating_sub(SHOWN) + verify.more_failures;
    if more > 0 {
        lines.push(format!("and {more} more"));
    }
    lines.join("\n")
}

/// The parts of a test runner's output that belong to these failures, at most so many lines. Of an output that names
/// no test, the messages say the same.
pub(super) fn printed(verify: &VerifyResult, here: &Here) -> String {
    if verify.failures.iter().all(|failure| failure.test.is_none()) {
        return String::new();
    }
    let mut lines: Vec<String> =
        verify.excerpt.lines().map(|line| shortened(line, LONGEST)).collect();
    if lines.len() > PRINTED {
        let more = lines.len() - PRINTED;
        lines.truncate(PRINTED);
        let log = verify.log.as_ref();
        let log = log.map(|log| format!(", in {}", here.path(log))).unwrap_or_default();
        lines.push(format!("… {more} more lines{log}"));
    }
    lines.join("\n")
}

/// `tests/test_a.py::test_b (tests/test_a.py:12)`, and so many lines of the message below it.
pub(super) fn one(failure: &RunFailure, here: &Here, most: usize) -> Vec<String> {
    let path = failure.path.as_ref().map(|path| here.path(path));
    let place = path.map(|path| match failure.line {
        Some(line) => format!("{path}:{line}"),
        None => path,
    });
    let title = match (&failure.test, place) {
        (Some(test), Some(place)) => Some(format!("{test} ({place})")),
        (test, place) => test.clone().or(place),
    };
    let is_titled = title.is_some();
    let indent = if is_titled { "  " } else { "" };
    let all = failure.message.trim_end().lines();
    let message = all.take(most).map(|line| format!("{indent}{}", shortened(line, LONGEST)));
    title.into_iter().chain(message).collect()
}

fn is_placed(failure: &RunFailure) -> bool {
    failure.test.is_some() || failure.path.is_some()
}

#[cfg(test)]
mod tests {
    use ftl_engine::result::VerifyResult;
    use ftl_model::RunFailure;

    use super::{LINES, list, printed};
    use crate::paths::Here;

    fn verify(failures: Vec<RunFailure>) -> VerifyResult {
        VerifyResult {
            command: "pytest".into(),
            exit: Some(1),
            signal: None,
            timed_out: false,
            duration_ms: 1,
            output: String::new(),
            log: Some("verify-1.log".into()),
            failures,
            more_failures: 2,
            excerpt: "E  assert 1 == 2\n".repeat(50),
            findings: Vec::new(),
            with: Vec::new(),
            passed: false,
            summary: None,
            log_sha256: None,
        }
    }

    #[test]
    fn ten_failures_are_listed_and_the_rest_is_counted() {
        let failure = RunFailure {
            test: Some("t.py::test_a".into()),
            path: Some("t.py".into()),
            line: Some(3),
            message: "assert 1 == 2\n  where".into(),
            detail: None,
        };
        let verify = verify(vec![failure; 12]);
        let list = list(&verify, &Here::default(), LINES);
        let lines: Vec<&str> = list.lines().collect();
        assert_eq!(lines.len(), 31, "{list}");
        assert_eq!(lines[..3], ["t.py::test_a (t.py:3)", "  assert 1 == 2", "    where"]);
        assert_eq!(lines[30], "and 4 more");
        let printed = printed(&verify, &Here::default());
        assert_eq!(printed.lines().count(), 41);
        assert!(printed.ends_with("… 10 more lines, in verify-1.log"), "{printed}");
    }

    #[test]
    fn an_output_that_names_no_test_is_its_error_line() {
        let failure = RunFailure { message: "oops".into(), ..RunFailure::default() };
        let verify = verify(vec![failure]);
        let here = Here::default();
        assert_eq!(
            (list(&verify, &here, LINES), printed(&verify, &here)),
            (String::new(), String::new())
        );
    }
}
