use std::sync::LazyLock;

use regex::Regex;

use super::pattern;

/// `TypeError: …`, `java.io.IOException: …`, `AssertionError [ERR_ASSERTION]: …`, a bare
/// `AssertionError`; behind the bars of an exception group or pytest's `INTERNALERROR>` too.
static EXCEPTION: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"^(?:INTERNALERROR>)?[\s|>+×✖-]*",
        r#"((?:Uncaught |Caused by: |Exception in thread "[^"]*" )?"#,
        r"(?:[A-Za-z_][\w.$]*)?(?:Error|Exception|ExceptionGroup|KeyboardInterrupt)",
        r"(?: \[\w+\])?(?::\s.*)?)$",
    ))
});

/// Lines that begin with the name of an exception.
pub(super) fn lines(lines: &[&str]) -> Vec<String> {
    lines
        .iter()
        .filter_map(|line| EXCEPTION.captures(line))
        .map(|parts| parts[1].to_owned())
        .collect()
}
