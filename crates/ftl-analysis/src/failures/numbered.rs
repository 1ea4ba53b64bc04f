//! Reports that number their failures: `1) name` and what was wrong below it. Mocha, Jasmine, RSpec, minitest, PHPUnit
//! and ExUnit write so, each with names of its form.

use std::ops::Range;

use super::draft::{Draft, dedented};
use super::source_line::SourceLine;
use crate::constants::ConstPattern;

static HEADING: ConstPattern = ConstPattern::new(r"^( *)(\d+)\) (\S.*)$");
/// What begins a report: numbers above it were printed by a test.
static REPORT: ConstPattern = ConstPattern::new(
    r"^(?:\s*\d+ failing\b|Failures:|Failed tests:|There (?:was|were) \d+ (?:failures?|errors?)\b|Finished in [\d.]+)",
);
/// Of tests that did not fail.
static ASIDE: ConstPattern = ConstPattern::new(
    r"^There (?:was|were) \d+ (?:risky|incomplete|skipped|warning|deprecat)|^Pending:",
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
static SCENARIO: ConstPattern =
    ConstPattern::new(r"^Scenario: .* # (\S+\.feature:\d+)(?: \(attempt .*)?$");
static DATA_SET: ConstPattern =
    ConstPattern::new(r#"^(\S+::\S+)(?: with data set (#\d+|".*?"))?(?: \(.*\))?$"#);

/// Each numbered failure. ExUnit numbers them while it runs, above their place.
pub(super) fn failures(lines: &[&str]) -> Vec<Draft> {
    let is_exunit = |at: usize| {
        let heading = HEADING.captures(lines[at]).and_then(|parts| parts.get(3));
        heading.is_some_and(|heading| EXUNIT.is_match(heading.as_str()))
            && lines.get(at + 1).is_some_and(|line| line.trim_start().contains(".exs:"))
    };
    let mut is_report = false;
    let mut starts = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        is_report = (is_report || REPORT.is_match(line)) && !ASIDE.is_match(line);
        if HEADING.is_match(line) && (is_report || is_exunit(at)) {
            starts.push(at);
        }
    }
    let drafts = starts.iter().enumerate().filter_map(|(index, &start)| {
        let next = starts.get(index + 1).copied().unwrap_or(lines.len());
        let length = lines[start + 1..next].iter().take_while(|line| !END.is_match(line)).count();
        failure(lines, start..start + 1 + length)
    });
    drafts.collect()
}

fn failure(lines: &[&str], within: Range<usize>) -> Option<Draft> {
    let start = within.start;
    let heading = HEADING.captures(lines[start])?.get(3)?.as_str();
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
        let stack = body.iter().position(|line| line.trim() == "stacktrace:").unwrap_or(0);
        let place = body[stack..].iter().find_map(|line| SourceLine::within(line));
        let draft = of(format!("{} {}", &parts[2], &parts[1]), body, within)?;
        let origin = body.first().map(|line| line.trim().to_owned());
        return Some(Draft { place: place.or(draft.place), origin, ..draft });
    }
    if let Some(parts) = SCENARIO.captures(heading) {
        let step = body.iter().position(|line| line.trim_start().starts_with('✖'));
        return of(parts[1].to_owned(), &body[step.map_or(0, |at| at + 1)..], within);
    }
    // Mocha spreads the name over lines, of which the last ends with a colon.
    let is_mocha = lines[..within.start].iter().any(|line| line.trim_end().ends_with(" failing"));
    if is_mocha && !heading.ends_with(':') {
        let last = body.iter().take(12).position(|line| line.ends_with(':'))?;
        let titles = body[..=last].iter().map(|line| line.trim());
        let titles: Vec<&str> = std::iter::once(heading).chain(titles).collect();
        return of(titles.join(" > ").trim_end_matches(':').to_owned(), &body[last + 1..], within);
    }
    let heading = heading.trim_end_matches(':').trim_end_matches(" FIXED");
    let draft = of(heading.to_owned(), body, within)?;
    // RSpec takes the places that it lists at its end, in the same order.
    let number: usize = HEADING.captures(lines[start])?[2].parse().ok()?;
    let from = lines.iter().rposition(|line| *line == "Failed examples:").unwrap_or(0);
    let listed = lines[from..].iter();
    let listed = listed.filter_map(|line| line.strip_prefix("rspec ")?.split_once(" # "));
    let origin = listed.map(|(place, _)| place.to_owned()).nth(number.checked_sub(1)?);
    Some(Draft { origin, ..draft })
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
