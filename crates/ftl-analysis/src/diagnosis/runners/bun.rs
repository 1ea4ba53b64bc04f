//! Bun's runner, whose time-outs stand below the name of the test. Its other errors are written as
//! compilers write theirs.

use crate::constants::ConstPattern;

static TIMED_OUT: ConstPattern = ConstPattern::new(r"^\s+\^ (this test timed out .*)$");

/// What it says of tests that took too long, when nothing else failed before.
pub(super) fn messages(lines: &[&str]) -> Vec<String> {
    let first = lines.iter().find(|line| TIMED_OUT.is_match(line) || line.starts_with("error: "));
    let parts = first.and_then(|line| TIMED_OUT.captures(line));
    parts.map(|parts| parts[1].to_owned()).into_iter().collect()
}
