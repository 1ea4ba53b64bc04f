//! Python's unittest, and runners built on it: `FAIL: test_x (…)` above a rule and a traceback.

use super::traceback;
use crate::constants::ConstPattern;

static HEADING: ConstPattern = ConstPattern::new(r"^(?:FAIL|ERROR): \S");

/// The last line of each failed test's traceback.
pub(super) fn messages(lines: &[&str]) -> Vec<String> {
    let headings: Vec<usize> = (1..lines.len())
        .filter(|&at| HEADING.is_match(lines[at]) && lines[at - 1].starts_with("====="))
        .collect();
    let ends = headings.iter().skip(1).copied().chain([lines.len()]);
    headings
        .iter()
        .zip(ends)
        .flat_map(|(&from, to)| traceback::last_lines(&lines[from..to]))
        .collect()
}
