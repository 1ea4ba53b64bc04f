use std::sync::LazyLock;
use std::time::Duration;

use ftl_analysis::diagnosis::{Families, error_lines, first_error_line};
use ftl_analysis::findings::{changed_tests, doubts_of_run};
use ftl_analysis::matching::{check_patterns, match_failure};
use ftl_analysis::pattern::{Deadline, Dialect, Pattern};
use ftl_model::Failure;

static FAMILIES: LazyLock<Families> = LazyLock::new(Families::default);

/// Bytes of an error line, with the note that it was cut.
const LONGEST: usize = 2048 + 64;

/// Reads bytes as the output of a test runner; its first line as the command, too.
///
/// # Panics
///
/// Two readings differ, an error line is none, or a failure that quotes the error does not match.
pub fn output(bytes: &[u8]) {
    let played = ftl_text::play(bytes);
    let text = String::from_utf8_lossy(&played);
    let lines = error_lines(&text);
    assert_eq!(lines, error_lines(&text), "two readings differ");
    assert!(lines.len() <= 40);
    for line in &lines {
        assert!(!line.trim().is_empty() && !line.contains('\n'), "{line:?}");
        assert!(line.len() <= LONGEST, "{} bytes", line.len());
    }
    let error = first_error_line(&text, "otherwise");
    assert_eq!(lines.first().map_or("otherwise", String::as_str), error);
    FAMILIES.classify(&lines);
    let (command, rest) = text.split_once('\n').unwrap_or((&text, ""));
    for passed in [true, false] {
        let doubts = doubts_of_run(command, passed, rest);
        assert!(doubts.iter().all(|doubt| !doubt.reason.is_empty()));
    }
    let _ = changed_tests(Some(command), rest.lines().take(20));
    let failure = |pattern: Option<String>| Failure {
        name: Some("known".to_owned()),
        trigger: error.clone(),
        fix: "a fix".to_owned(),
        pattern,
        ..Failure::default()
    };
    let failures = [failure(None), failure(Some(command.chars().take(100).collect()))];
    check_patterns(&failures);
    let found = match_failure(&text, &lines, &failures);
    assert!(found.matched.is_none_or(|matched| matched.index < 2));
}

/// Reads the first line as a pattern, and searches the rest for it.
///
/// # Panics
///
/// Two searches differ.
pub fn pattern(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (source, text) = text.split_once('\n').unwrap_or((&text, ""));
    for dialect in [Dialect::Python, Dialect::PythonLines] {
        let Ok(pattern) = Pattern::compile(source, dialect) else {
            continue;
        };
        let search = || pattern.is_match(text, &Deadline::after(Duration::from_secs(5)));
        assert_eq!(search(), search(), "two searches differ");
    }
}
