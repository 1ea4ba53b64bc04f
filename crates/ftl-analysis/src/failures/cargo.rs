//! Rust's test harness: a section for each failed test, doctests too; and cargo-nextest, which heads each test's output
//! with its result.

use std::ops::Range;

use super::draft::{Draft, dedented};
use super::rustc;
use super::source_line::SourceLine;
use crate::constants::ConstPattern;

static SECTION: ConstPattern = ConstPattern::new(r"^---- (.+?) (?:stdout|stderr) ----$");
static SECTIONS_END: ConstPattern =
    ConstPattern::new(r"^(?:failures:|test result: |error: (?:doc)?test failed)");
static RESULT: ConstPattern = ConstPattern::new(r"^(?:test .* \.\.\. )?(?:ok|FAILED)$");
/// `FAIL [   0.010s] (2/2) shop::it tests::pings`, with the binary's name before the test's.
static NEXTEST: ConstPattern = ConstPattern::new(
    r"^\s*(?:TRY \d+ )?([A-Z][A-Z+-]*) \[[> ]*[\d.]+s\] (?:\([^)]*\) )?(\S+)(?: (\S.*))?$",
);
static NEXTEST_END: ConstPattern =
    ConstPattern::new(r"^(?:\s+(?:Cancelling|Summary|Canceling|Starting|SETUP)\b.*|─+|error: .*)$");
static PANIC: ConstPattern =
    ConstPattern::new(r"^\s*thread '(.*?)' (?:\(\d+\) )?panicked at (\S[^']*?):(\d+):\d+:\s*(.*)$");
/// As compilers before 1.73 wrote it.
static OLD_PANIC: ConstPattern =
    ConstPattern::new(r"^\s*thread '(.*?)' panicked at '(.*)', ([^']+?):(\d+):\d+$");
static OVERFLOW: ConstPattern =
    ConstPattern::new(r"^thread '(.*?)' (?:\(\d+\) )?has overflowed its stack");
static DOCTEST: ConstPattern = ConstPattern::new(r"^(\S+) - .*\(line (\d+)\)");
static VERDICT: ConstPattern = ConstPattern::new(
    r"^\s*(?:(Error: .*)|(note: test did not panic as expected.*)|\((test (?:aborted|timed out|failed with|exited|leaked).*)\))$",
);

/// Lines of one panic's message that are kept.
const MAX_MESSAGE: usize = 80;

/// Each failed test once.
pub(super) fn failures(lines: &[&str]) -> Vec<Draft> {
    let nextest = of_nextest(lines);
    if !nextest.is_empty() {
        return nextest;
    }
    // Each binary ends with the list of what failed in it: other marks may be printed by a test.
    let mut found = Vec::new();
    let mut start = 0;
    for end in (0..lines.len()).filter(|&at| lines[at].starts_with("test result: ")) {
        let names = listed(&lines[start..end]);
        found.extend(names.iter().map(|name| of_listed(lines, name, &names, start..end)));
        start = end + 1;
    }
    found.extend(
        aborted(&lines[start..]).into_iter().map(|draft| Draft {
            lines: draft.lines.start + start..draft.lines.end + start,
            ..draft
        }),
    );
    found
}

/// The names below the last `failures:`.
fn listed<'a>(lines: &[&'a str]) -> Vec<&'a str> {
    let from = lines.iter().rposition(|line| *line == "failures:").map_or(lines.len(), |at| at + 1);
    lines[from..].iter().map_while(|line| line.strip_prefix("    ")).collect()
}

/// The section of a test; with `--nocapture` its panic is somewhere above.
fn of_listed(lines: &[&str], name: &str, names: &[&str], within: Range<usize>) -> Draft {
    let section = |at: usize| {
        let of = SECTION.captures(lines[at])?.get(1)?.as_str();
        names.contains(&of).then_some(of)
    };
    let is_end = |at: &usize| section(*at).is_some() || SECTIONS_END.is_match(lines[*at]);
    let start = within.clone().find(|&at| section(at) == Some(name));
    let start = start.or_else(|| within.clone().rev().find(|&at| thread(lines[at]) == Some(name)));
    let Some(start) = start else {
        let at = within.end.saturating_sub(1);
        return Draft {
            test: Some(name.to_owned()),
            message: name.to_owned(),
            ..Draft::of(at..at + 1)
        };
    };
    let end = (start + 1..within.end).find(is_end).unwrap_or(within.end);
    draft(lines, name, start..end)
}

/// A process that ended within a test, which has then no result.
fn aborted(lines: &[&str]) -> Vec<Draft> {
    let ends =
        lines.iter().any(|line| line.trim_start().starts_with("process didn't exit successfully"));
    let runs = lines.iter().any(|line| line.starts_with("running "));
    let of = |at: usize| {
        let overflowed = OVERFLOW.captures(lines[at]).and_then(|parts| parts.get(1));
        thread(lines[at]).or(overflowed.map(|name| name.as_str()))
    };
    let panic = (0..lines.len()).find(|&at| of(at).is_some_and(|name| name != "main"));
    let Some(panic) = panic.filter(|_| ends && runs) else { return Vec::new() };
    let length = lines[panic..].iter().take_while(|line| !line.starts_with("error: ")).count();
    vec![draft(lines, of(panic).unwrap_or_default(), panic..panic + length)]
}

fn thread(line: &str) -> Option<&str> {
    let parts = PANIC.captures(line).or_else(|| OLD_PANIC.captures(line))?;
    Some(parts.get(1)?.as_str())
}

fn of_nextest(lines: &[&str]) -> Vec<Draft> {
    let results: Vec<usize> = (0..lines.len()).filter(|&at| NEXTEST.is_match(lines[at])).collect();
    let mut drafts: Vec<Draft> = Vec::new();
    for &start in &results {
        let Some((binary, name)) = nextest_failure(lines[start]) else { continue };
        let is_end = |line: &&str| NEXTEST.is_match(line) || NEXTEST_END.is_match(line);
        let length = lines[start + 1..].iter().take_while(|line| !is_end(line)).count();
        let origin = Some(binary.to_owned());
        let known =
            drafts.iter_mut().find(|it| it.test.as_deref() == Some(name) && it.origin == origin);
        match known {
            Some(known) if known.lines.len() > length => {}
            Some(known) => {
                *known = Draft { origin, ..draft(lines, name, start..start + 1 + length) }
            }
            None => drafts.push(Draft { origin, ..draft(lines, name, start..start + 1 + length) }),
        }
    }
    drafts
}

/// The binary and the test of a line that says that the test failed at last.
fn nextest_failure(line: &str) -> Option<(&str, &str)> {
    let parts = NEXTEST.captures(line)?;
    let result = parts.get(1)?.as_str();
    let failed = matches!(result, "FAIL" | "TIMEOUT" | "ABORT" | "LEAK-FAIL" | "XFAIL")
        || result.starts_with("SIG");
    failed.then(|| Some((parts.get(2)?.as_str(), parts.get(3)?.as_str())))?
}

/// The failure of the test `name` that `within` speaks of.
fn draft(lines: &[&str], name: &str, within: Range<usize>) -> Draft {
    let body = &lines[within.clone()];
    let draft = Draft { test: Some(name.to_owned()), ..Draft::of(within) };
    let panic = body.iter().position(|line| thread(line) == Some(name));
    let is_raised = |line: &&str| thread(line).is_some() && panicked(&[line]).0.is_some();
    if let Some(panic) = panic.or_else(|| body.iter().position(is_raised)) {
        let (place, message) = panicked(&body[panic..]);
        return Draft { place: of_doctest(name, place), message, ..draft };
    }
    if let Some(error) = rustc::failures(body).into_iter().next() {
        let place = of_doctest(name, error.place);
        return Draft { place, message: error.message, detail: error.detail, ..draft };
    }
    let verdict = body.iter().find_map(|line| {
        let parts = VERDICT.captures(line)?;
        parts.iter().skip(1).flatten().next().map(|it| it.as_str())
    });
    let overflow = body.iter().position(|line| OVERFLOW.is_match(line));
    let said = body.iter().skip(overflow.unwrap_or(1)).find(|line| !line.trim().is_empty());
    let message = verdict.or_else(|| said.copied()).unwrap_or(body[0]).trim().to_owned();
    let place = SourceLine::within(&message).filter(|_| verdict.is_some());
    Draft { place: of_doctest(name, place), message, ..draft }
}

/// Where the panic on the first line was raised in the project's own code, and its message.
fn panicked(body: &[&str]) -> (Option<SourceLine>, String) {
    if let Some(parts) = OLD_PANIC.captures(body[0]) {
        return (SourceLine::new(&parts[3], &parts[4]), parts[2].to_owned());
    }
    let Some(parts) = PANIC.captures(body[0]) else { return (None, body[0].to_owned()) };
    let is_end = |line: &str| {
        let line = line.trim_start();
        line.starts_with("note: ")
            || line == "stack backtrace:"
            || PANIC.is_match(line)
            || RESULT.is_match(line)
    };
    let below = body[1..].iter().take(MAX_MESSAGE).take_while(|line| !is_end(line));
    let more = dedented(below.copied());
    let first = parts.get(4).map_or("", |it| it.as_str());
    let message = match (first.is_empty(), more.is_empty()) {
        (true, true) => body[0].trim().to_owned(),
        (true, false) => more,
        (false, _) => first.to_owned(),
    };
    let place = SourceLine::new(&parts[2], &parts[3]);
    (place.or_else(|| SourceLine::framed(body)), message)
}

/// A doctest runs in a file that is written for it: its own name has the place in the project.
fn of_doctest(name: &str, place: Option<SourceLine>) -> Option<SourceLine> {
    let Some(parts) = DOCTEST.captures(name) else { return place };
    let named = SourceLine::new(&parts[1], &parts[2]);
    let is_below = |place: &SourceLine| {
        named.as_ref().is_some_and(|named| place.path == named.path && place.line >= named.line)
    };
    place.filter(is_below).or(named)
}

/// A program that ended with a panic, outside of any test.
pub(super) fn panic(lines: &[&str]) -> Vec<Draft> {
    let Some(at) = lines.iter().position(|line| thread(line).is_some()) else { return Vec::new() };
    let (place, message) = panicked(&lines[at..]);
    let end = at
        + 1
        + lines[at + 1..].iter().take(MAX_MESSAGE).take_while(|line| !line.is_empty()).count();
    vec![Draft {
        place,
        message: message.lines().take(8).collect::<Vec<_>>().join("\n"),
        ..Draft::of(at..end)
    }]
}
