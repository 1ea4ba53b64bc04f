//! AVA, and uvu: the title of the test, its place and code, then the message.

use super::{general, message};
use crate::constants::ConstPattern;

static FAILED: ConstPattern =
    ConstPattern::new(r"^\s*✘ \[fail\]: |^\s*✖ .*exited|^\s+Uncaught exception in ");
static PLACE: ConstPattern = ConstPattern::new(r"^\s+\S+\.\w+:\d+$");
/// uvu names the test in quotes, and says which assertion it was at the end.
static QUOTED: ConstPattern = ConstPattern::new(r#"^\s+FAIL\s+".*"$"#);

/// The message of each failed test.
pub(super) fn messages(lines: &[&str]) -> Vec<String> {
    let is_ava = lines.iter().any(|line| FAILED.is_match(line));
    let is_heading = |line: &str| (is_ava && PLACE.is_match(line)) || QUOTED.is_match(line);
    let headings = (0..lines.len()).filter(|&at| is_heading(lines[at]));
    let found: Vec<String> =
        headings.filter_map(|at| message::below(&lines[at + 1..], is_heading)).collect();
    match found.is_empty() && is_ava {
        true => thrown(lines),
        false => found,
    }
}

/// What was thrown outside of assertions, which has no place in that list: below the list of tests, or
/// above it when no test ran.
fn thrown(lines: &[&str]) -> Vec<String> {
    let is_rule = |line: &&str| line.trim() == "─";
    let titles: Vec<&str> =
        lines.iter().filter_map(|line| Some(line.split_once("[fail]: ")?.1)).collect();
    let is_uncaught = lines.iter().any(|line| line.contains("Uncaught exception in "));
    let listed = match is_uncaught {
        true => 0,
        false => lines.iter().position(is_rule).unwrap_or(0),
    };
    let below: Vec<&str> = lines[listed..]
        .iter()
        .copied()
        .filter(|line| !titles.contains(&line.trim()) && !FAILED.is_match(line))
        .collect();
    general::lines(&below)
}
