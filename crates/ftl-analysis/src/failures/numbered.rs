//! Reports that number their failures: `1) name` and what was wrong below it. Mocha, Jasmine, RSpec, minitest, PHPUnit
//! and ExUnit write so, each with names of its form.

use std::ops::Range;

use super::draft::{Draft, dedented};
use super::source_line::SourceLine;
use crate::constants::ConstPattern;

static HEADING: ConstPattern = ConstPattern::new(r"^( *)(\d+)\) (\S.*)$");
/// What begins a report, so that a list that a test printed is none.
static REPORT: ConstPattern = ConstPattern::new(
    r"^(?:\s*\d+ failing\b|Failures:|Failed examples:|There (?:was|were) \d+ (?:failures?|errors?|warnings?)|\d+ (?:specs?|examples?|runs|tests)\b.*\b[1-9]\d* (?:failures?|errors?)\b|Finished in [\d.]+)",
);
static END: ConstPattern = ConstPattern::new(
    r"^(?:\d+ (?:specs?|examples?|runs|tests|scenarios)\b.*|FAILURES!|ERRORS!|Finished in .*|Failed examples:|Top \d+ slowest|Randomized with .*|Tests: \d+, .*|--|Incomplete:|Pending:.*|There (?:was|were) \d+ .*|Suite error:.*)$",
);
static FRAME: ConstPattern = ConstPattern::new(
    r"^\s*(?:at (?:\S.* )?\(?\S+:\d+(?::\d+)?\)?|at <.*>|# \S+:\d+:?.*|\S+:\d+:in .*|/\S+\.\w+:\d+|(?:\S+ )?\S+\.exs?:\d+(?:: .*)?|\(\S+ \S+\) \S+:\d+.*)$",
);
static LABEL: ConstPattern =
    ConstPattern::new(r"^\s*(?:Message|Stack|Stacktrace|stacktrace|code|Failure/Error):\s*");
/// minitest: the kind as the heading, the test below it with its place.
static MINITEST: ConstPattern = ConstPattern::new(r"^(\S+#\S.*?)(?: \[(\S+):(\d+)\])?:$");
static EXUNIT: ConstPattern = ConstPattern::new(r"^((?:test|property|doctest) .*) \((\S+)\)$");
static DATA_SET: ConstPattern =
    ConstPattern::new(r#"^(\S+::\S+)(?: with data set (#\d+|".*?"))?(?: \(.*\))?$"#);

/// Each numbered failure.
pub(super) fn failures(lines: &[&str]) -> Vec<Draft> {
    if !lines.iter().any(|line| REPORT.is_match(line)) {
        return Vec::new();
    }
    let starts: Vec<usize> = (0..lines.len()).filter(|&at| HEADING.is_match(lines[at])).collect();
    let drafts = starts.iter().enumerate().filter_map(|(index, &start)| {
        let next = starts.get(index + 1).copied().unwrap_or(lines.len());
        let length = lines[start + 1..next].iter().take_while(|line| !END.is_match(line)).count();
        failure(lines, start..start + 1 + length)
    });
    drafts.collect()
}

fn failure(lines: &[&str], within: Range<usize>) -> Option<Draft> {
    let heading = HEADING.captures(lines[within.start])?.get(3)?.as_str();
    let body = &lines[within.start + 1..within.end];
    if matches!(heading, "Failure:" | "Error:") {
        return minitest(body, within);
    }
    if let Some(parts) = DATA_SET.captures(heading) {
        let set =
            parts.get(2).map_or(String::new(), |set| format!(" with data set {}", set.as_str()));
        return of(format!("{}{set}", &parts[1]), body, within);
    }
    if let Some(parts) = EXUNIT.captures(heading) {
        return of(format!("{} {}", &parts[2], &parts[1]), body, within);
    }
    // Mocha spreads the name over lines, of which the last ends with a colon.
    let is_mocha = lines[..within.start].iter().any(|line| line.trim_end().ends_with(" failing"));
    if is_mocha && !heading.ends_with(':') {
        let last = body.iter().take(12).position(|line| line.ends_with(':'))?;
        let titles = body[..=last].iter().map(|line| line.trim());
        let titles: Vec<&str> = std::iter::once(heading).chain(titles).collect();
        return of(titles.join(" > ").trim_end_matches(':').to_owned(), &body[last + 1..], within);
    }
    let heading = if is_mocha { heading.trim_end_matches(':') } else { heading };
    of(heading.to_owned(), body, within)
}

fn minitest(body: &[&str], within: Range<usize>) -> Option<Draft> {
    let parts = MINITEST.captures(body.first()?)?;
    let test = parts[1].to_owned();
    let named = parts.get(2).zip(parts.get(3));
    let place = named.and_then(|(path, line)| SourceLine::new(path.as_str(), line.as_str()));
    let draft = of(test, &body[1..], within)?;
    Some(Draft { place: place.or(draft.place), ..draft })
}

/// The message is what is above the frames; without one, the heading was of no failure.
fn of(test: String, body: &[&str], within: Range<usize>) -> Option<Draft> {
    let said: Vec<&str> = body
        .iter()
        .copied()
        .skip_while(|line| FRAME.is_match(line) || line.is_empty())
        .take_while(|line| !FRAME.is_match(line))
        .collect();
    let without_labels = said.iter().map(|line| match LABEL.find(line) {
        Some(label) if line.trim().len() == label.as_str().trim().len() => "",
        _ => line,
    });
    let message = dedented(without_labels).trim_start().to_owned();
    let place = body.iter().filter(|line| FRAME.is_match(line)).find_map(|line| {
        let line = line.trim_start().trim_start_matches("# ");
        SourceLine::within(line)
    });
    (!message.is_empty()).then_some(Draft { test: Some(test), place, message, ..Draft::of(within) })
}
