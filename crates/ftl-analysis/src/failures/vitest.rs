//! Vitest: a block below ` FAIL  file > suite > case`; tests that failed alike share one.

use super::draft::{Draft, dedented};
use super::source_line::SourceLine;
use crate::constants::ConstPattern;

static HEADING: ConstPattern =
    ConstPattern::new(r"^\s*FAIL\s+(?:\|[^|]*\|\s+|\S+ {2,})?(\S+\.\w+)(?: > (.*)| \[ .* \])?$");
static RULE: ConstPattern = ConstPattern::new(r"^⎯{3,}");
/// Where it was, and the source that Vitest shows.
static EXCERPT: ConstPattern = ConstPattern::new(r"^\s*❯ \S|^\s+\d+\|(?: |$)");
static FRAME: ConstPattern = ConstPattern::new(r"^\s*❯ \S");

/// Failed tests, and files that could not be run.
pub(super) fn failures(lines: &[&str]) -> Vec<Draft> {
    if !lines.iter().any(|line| line.contains("⎯⎯⎯⎯")) {
        return Vec::new();
    }
    let headings: Vec<usize> = (0..lines.len()).filter(|&at| HEADING.is_match(lines[at])).collect();
    headings.iter().filter_map(|&at| failure(lines, at)).collect()
}

fn failure(lines: &[&str], start: usize) -> Option<Draft> {
    let parts = HEADING.captures(lines[start])?;
    let file = &parts[1];
    let others = lines[start + 1..].iter().take_while(|line| HEADING.is_match(line)).count();
    let from = start + 1 + others;
    let is_end = |line: &&&str| HEADING.is_match(line) || RULE.is_match(line);
    let body: Vec<&str> = lines[from..].iter().take_while(|line| !is_end(line)).copied().collect();
    let said = body.iter().take_while(|line| !EXCERPT.is_match(line));
    let message = dedented(said.copied());
    let frames = body.iter().filter(|line| FRAME.is_match(line));
    let place = frames
        .filter_map(|line| SourceLine::within(line))
        .next()
        .or_else(|| SourceLine::file(file));
    let test = parts.get(2).map_or(file, |case| case.as_str()).to_owned();
    // Of tests with one message each has its heading; the last one the message's lines too.
    let end = if others == 0 { from + body.len() } else { start + 1 };
    let origin = Some(file.to_owned());
    let lines = start..end;
    (!message.is_empty()).then_some(Draft {
        test: Some(test),
        place,
        message,
        origin,
        ..Draft::of(lines)
    })
}
