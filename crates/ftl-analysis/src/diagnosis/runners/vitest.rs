//! Vitest: failures below ` FAIL  file > test`, between long rules.

use super::message;
use crate::constants::ConstPattern;

static HEADING: ConstPattern = ConstPattern::new(r"^\s*FAIL\s+\S");

/// The message of each failed test or file. Tests that failed alike share one.
pub(super) fn messages(lines: &[&str]) -> Vec<String> {
    if !lines.iter().any(|line| line.contains("⎯⎯⎯⎯")) {
        return Vec::new();
    }
    let headings = (0..lines.len()).filter(|&at| HEADING.is_match(lines[at]));
    headings
        .filter_map(|at| message::below(&lines[at + 1..], |line| HEADING.is_match(line)))
        .collect()
}
