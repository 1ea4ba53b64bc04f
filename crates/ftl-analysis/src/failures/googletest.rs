//! GoogleTest: what is between `[ RUN      ] Suite.Case` and `[  FAILED  ] Suite.Case`.

use super::draft::{Draft, dedented};
use super::source_line::SourceLine;
use crate::constants::ConstPattern;

static RUN: ConstPattern = ConstPattern::new(r"^\s*(?:\d+: )?\[ RUN      \] (\S+)");
static FAILED: ConstPattern =
    ConstPattern::new(r"^\s*(?:\d+: )?\[  FAILED  \] ([^\s,]+)(?:, where .*)? \(\d+ ms\)");
static PLACE: ConstPattern =
    ConstPattern::new(r"^\s*(?:\d+: )?(\S+?):(\d+): (?:Failure|error: .*)$");

/// Each failed test with all that its assertions said.
pub(super) fn failures(lines: &[&str]) -> Vec<Draft> {
    let ends = (0..lines.len()).filter(|&at| FAILED.is_match(lines[at]));
    // With `--gtest_brief` no test starts. Else one that did not was printed.
    let shows_starts = lines.iter().any(|line| RUN.is_match(line));
    ends.filter_map(|end| failure(lines, end, shows_starts)).collect()
}

fn failure(lines: &[&str], end: usize, shows_starts: bool) -> Option<Draft> {
    let test = FAILED.captures(lines[end])?[1].to_owned();
    let is_start = |line: &str| RUN.captures(line).is_some_and(|parts| parts[1] == test);
    let begins = |line: &str| match shows_starts {
        true => is_start(line),
        false => FAILED.is_match(line) || line.starts_with("Running main"),
    };
    let start = lines[..end].iter().rposition(|line| begins(line))?;
    let body = &lines[start + 1..end];
    let is_place = |at: usize| body.get(at).is_some_and(|line| PLACE.is_match(line));
    let first = (0..body.len()).find(|&at| is_place(at) && !is_place(at + 1));
    let place = first.and_then(|at| SourceLine::captured(&PLACE, body[at]));
    let unplaced = body.iter().position(|line| *line == "unknown file: Failure");
    let said = body[first.or(unplaced).map_or(0, |at| at + 1)..].iter().copied();
    let said = dedented(said);
    let message = if said.is_empty() { lines[end].trim().to_owned() } else { said };
    Some(Draft { test: Some(test), place, message, ..Draft::of(start..end + 1) })
}
