//! Compilers, type checkers and linters that put the place before the message: tsc, gcc, clang, javac, mypy, `go build`.

use regex::Captures;

use super::draft::{Draft, dedented};
use super::source_line::SourceLine;
use crate::constants::ConstPattern;
use crate::diagnosis::is_handled;

/// `a.c:3:5: error: …`, `a.ts(3,5): error TS2322: …`, `a.ts:3:5 - error TS2322: …`, `a.py:3: error: …`.
static FINDING: ConstPattern = ConstPattern::new(
    r"^\s*(?:\[(?:ERROR|error)\] )?([^\s:()][^:()]*?)(?::(\d+)(?::\d+)?(?:-\d+)?(?::| -)|\((\d+)(?:,\d+)*\):|:\[(\d+),\d+\]) +((?:fatal )?error\b.*)$",
);
/// What only the compilers of Go print without the word: `./shop.go:4:15: undefined: x`.
static GO: ConstPattern = ConstPattern::new(r"^(?:vet: )?([^\s:]+\.go):(\d+):\d+:() (\S.*)$");

/// Each error with its place.
pub(super) fn failures(lines: &[&str]) -> Vec<Draft> {
    (0..lines.len()).filter_map(|at| finding(lines, at)).collect()
}

fn finding(lines: &[&str], at: usize) -> Option<Draft> {
    if is_handled(lines[at]) {
        return None;
    }
    let parts = FINDING.captures(lines[at]).or_else(|| GO.captures(lines[at]))?;
    let place = SourceLine::new(&parts[1], line_of(&parts)?);
    let first = parts.get(parts.len() - 1)?.as_str();
    // tsc and go indent the lines with which a message goes on.
    let is_more = |line: &&&str| {
        line.starts_with("  ") && !FINDING.is_match(line) && !is_excerpt(line)
            || line.starts_with('\t')
    };
    let more = lines[at + 1..].iter().take(12).take_while(is_more).copied();
    let more: Vec<&str> = if first.starts_with("error TS") || parts[1].ends_with(".go") {
        more.collect()
    } else {
        Vec::new()
    };
    let end = at + 1 + more.len();
    let below = dedented(more);
    let message = match below.is_empty() {
        true => first.to_owned(),
        false => format!("{first}\n{below}"),
    };
    Some(Draft { place, message, ..Draft::of(at..end) })
}

fn line_of<'a>(parts: &'a Captures<'_>) -> Option<&'a str> {
    (2..parts.len() - 1)
        .filter_map(|at| parts.get(at))
        .map(|it| it.as_str())
        .find(|text| !text.is_empty())
}

/// Source code that a compiler shows, with or without its line number.
fn is_excerpt(line: &str) -> bool {
    let text = line.trim_start();
    text.starts_with(['^', '~', '|'])
        || text.split_once(' ').is_some_and(|(number, _)| number.parse::<u32>().is_ok())
}
