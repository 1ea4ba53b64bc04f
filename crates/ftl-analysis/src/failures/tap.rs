//! The Test Anything Protocol: `not ok 1 - name`, with a block of data or comments below it. node, bats, tape, QUnit and
//! Perl's tests write it; a subtest is indented below the name of its parent.

use super::draft::{Draft, dedented};
use super::general;
use super::source_line::SourceLine;
use crate::constants::ConstPattern;
use crate::diagnosis::{error_lines_of, indent};

static POINT: ConstPattern =
    ConstPattern::new(r"^(\s*)(not ok|ok)\b(?: (\d+))?(?: -)?(?: (\S.*))?$");
static PLAN: ConstPattern = ConstPattern::new(r"^(?:\s*1\.\.\d+|TAP version \d+)");
static SUBTEST: ConstPattern = ConstPattern::new(r"^(\s*)# Subtest: (\S.*)$");
/// tape's test, of which the points are assertions.
static TAPE: ConstPattern = ConstPattern::new(r"^# ([^\s#].*)$");
static DATUM: ConstPattern =
    ConstPattern::new(r#"^\s+(error|message|expected|actual|got|found|wanted)\s*:\s*(.*)$"#);
static LOCATION: ConstPattern = ConstPattern::new(r#"^\s+(?:location|at):\s*['"]?(.*?)['"]?$"#);
static PERL_PLACE: ConstPattern = ConstPattern::new(r"^\s*#\s+at (\S+) line (\d+)\.?$");
static BATS_PLACE: ConstPattern = ConstPattern::new(r"in test file (\S+), line (\d+)\)?");
static COMMAND: ConstPattern = ConstPattern::new(r"^\s*`.*' failed(?: with status \d+)?$");
/// bats for people.
static CROSS: ConstPattern = ConstPattern::new(r"^ ✗ (\S.*)$");

/// The failed points that are not only the sum of failed subtests.
pub(super) fn failures(lines: &[&str]) -> Vec<Draft> {
    let has_plan = lines.iter().any(|line| PLAN.is_match(line));
    let mut drafts = Vec::new();
    for at in 0..lines.len() {
        if let Some(parts) = CROSS.captures(lines[at]) {
            let is_its = |line: &&&str| line.starts_with("   ");
            let length = lines[at + 1..].iter().take_while(is_its).count();
            if length > 0 {
                drafts.push(draft(lines, at, parts[1].to_owned(), length));
            }
        } else if let Some(name) = failed_point(lines, at).filter(|_| has_plan) {
            let is_its = |line: &&&str| {
                !POINT.is_match(line) && !SUBTEST.is_match(line) && !line.starts_with("1..")
            };
            let length = lines[at + 1..].iter().take_while(is_its).count();
            let length = block_length(&lines[at + 1..at + 1 + length]);
            drafts.push(draft(lines, at, name, length));
        }
    }
    if drafts.is_empty() && lines.iter().any(|line| line.contains("tape/lib/test.js:")) {
        drafts.extend(ended(lines));
    }
    // What a test printed in this form explains nothing, where failures have explanations.
    if drafts.iter().any(|draft| draft.lines.len() > 1) {
        drafts.retain(|draft| draft.lines.len() > 1);
    }
    drafts
}

/// tape ends with the exception of a test, whose heading is the last.
fn ended(lines: &[&str]) -> Vec<Draft> {
    let at = lines.iter().rposition(|line| TAPE.is_match(line)).unwrap_or(lines.len());
    let below = general::failures(lines.get(at + 1..).unwrap_or_default());
    let test = lines.get(at).map(|line| line[2..].to_owned());
    below
        .into_iter()
        .take(1)
        .map(|it| Draft { test: test.clone(), lines: at..it.lines.end + at + 1, ..it })
        .collect()
}

/// The name of a point that failed, with those of the subtests that it is in.
fn failed_point(lines: &[&str], at: usize) -> Option<String> {
    let parts = POINT.captures(lines[at]).filter(|parts| &parts[2] == "not ok")?;
    let name = parts.get(4).map_or("", |name| name.as_str());
    if !is_in_order(lines, at) {
        return None;
    }
    let indent = parts[1].len();
    let is_hook =
        || lines[at..].iter().take(6).any(|line| line.contains("failureType: 'hookFailed'"));
    let is_sum = has_failed_part(lines, at, indent) && !is_hook();
    if name.contains("# TODO") || name.contains("# SKIP") || is_sum {
        return None;
    }
    let name = name.split(" # ").next().unwrap_or(name);
    let mut names = Vec::new();
    let mut depth = indent;
    for line in lines[..at].iter().rev() {
        let Some(parts) = SUBTEST.captures(line) else { continue };
        if parts[1].len() < depth {
            depth = parts[1].len();
            names.push(parts[2].to_owned());
        }
    }
    if indent == 0 && names.is_empty() {
        names.extend(tape_test(lines, at));
    }
    names.reverse();
    names.push(name.to_owned());
    Some(names.join(" > ").trim_end_matches(" > ").to_owned())
}

/// Points are numbered from 1: one that a test printed has a number that no point precedes.
fn is_in_order(lines: &[&str], at: usize) -> bool {
    let number = |line: &str| {
        let parts = POINT.captures(line)?;
        Some((parts[1].len(), parts.get(3)?.as_str().parse::<u64>().ok()?))
    };
    let Some((indent, own)) = number(lines[at]) else { return true };
    own == 1 || lines[..at].iter().rev().any(|line| number(line) == Some((indent, own - 1)))
}

/// The last heading of tape, where the report is tape's: no subtests, and `operator:` in its data.
fn tape_test(lines: &[&str], at: usize) -> Option<String> {
    let is_tape = lines[at..].iter().take(4).any(|line| line.trim_start().starts_with("operator:"));
    let heading = lines[..at].iter().rev().find_map(|line| TAPE.captures(line));
    heading.filter(|_| is_tape).map(|parts| parts[1].to_owned())
}

/// A parent's point comes below those of its subtests, which are indented deeper.
fn has_failed_part(lines: &[&str], at: usize, indent: usize) -> bool {
    let mut above = lines[..at].iter().rev().filter_map(|line| POINT.captures(line));
    let within = above.by_ref().take_while(|parts| parts[1].len() > indent);
    let mut within = within.peekable();
    within.any(|parts| &parts[2] == "not ok")
}

/// Data end at `...`, comments with the last one.
fn block_length(below: &[&str]) -> usize {
    match below.first().map(|line| line.trim()) {
        Some("---") => {
            below.iter().position(|line| line.trim() == "...").map_or(below.len(), |end| end + 1)
        }
        // Mocha's reporter indents the message and the frames.
        Some(_) if below[0].starts_with("  ") => {
            below.iter().take_while(|line| line.is_empty() || line.starts_with("  ")).count()
        }
        _ => below
            .iter()
            .take_while(|line| {
                line.trim_start().starts_with('#')
                    && !line.starts_with("# Subtest")
                    && !line.starts_with("# Looks like")
            })
            .count(),
    }
}

fn draft(lines: &[&str], at: usize, name: String, length: usize) -> Draft {
    let body = &lines[at + 1..at + 1 + length];
    let is_data = body.first().is_some_and(|line| line.trim() == "---");
    let (message, place) = if is_data { of_data(body) } else { of_comments(body) };
    let message = match message.is_empty() {
        true => said_before(&lines[..at]).unwrap_or_else(|| lines[at].trim().to_owned()),
        false => message,
    };
    let test = (!name.is_empty()).then_some(name);
    let located = body.iter().find_map(|line| SourceLine::within(&LOCATION.captures(line)?[1]));
    let origin = located.map(|it| it.path);
    Draft { test, place, message, origin, ..Draft::of(at..at + 1 + length) }
}

/// What a file said that failed as a whole, in comments above its point.
fn said_before(above: &[&str]) -> Option<String> {
    let comments = above.iter().rev().take_while(|line| !POINT.is_match(line));
    let said: Vec<&str> =
        comments.filter_map(|line| line.trim_start().strip_prefix("# ")).collect();
    let said: Vec<&str> = said.into_iter().rev().collect();
    error_lines_of(&said).into_iter().next().filter(|line| line.contains(':'))
}

/// `error`, `expected` and `actual`; a place of the stack before that of the test.
fn of_data(body: &[&str]) -> (String, Option<SourceLine>) {
    let mut said = Vec::new();
    for (at, line) in body.iter().enumerate() {
        let Some(parts) = DATUM.captures(line) else { continue };
        let value = parts[2].trim_matches(['\'', '"']);
        let text = match value {
            "|-" | "|" | ">" | ">-" | "|+" => {
                let is_more = |more: &&&str| indent(more) > indent(line) || more.trim().is_empty();
                let more = body[at + 1..].iter().take_while(is_more);
                dedented(more.copied())
            }
            value => value.to_owned(),
        };
        match &parts[1] {
            "error" | "message"
                if matches!(text.as_str(), "failed" | "fail" | "test failed" | "") => {}
            "error" | "message" => said.insert(0, text),
            _ if text.contains('\n') => said.push(format!("{}: {text}", &parts[1])),
            _ => said.push(line.trim().to_owned()),
        }
    }
    let stack = body.iter().position(|line| line.trim_start().starts_with("stack:"));
    let of_stack = stack.and_then(|at| body[at..].iter().find_map(|line| SourceLine::within(line)));
    let of_test = || body.iter().find_map(|line| SourceLine::within(&LOCATION.captures(line)?[1]));
    (said.join("\n"), of_stack.or_else(of_test))
}

/// Perl's diagnostics and bats' report.
fn of_comments(body: &[&str]) -> (String, Option<SourceLine>) {
    let place = body.iter().find_map(|line| {
        SourceLine::captured(&PERL_PLACE, line).or_else(|| SourceLine::captured(&BATS_PLACE, line))
    });
    let place = place.or_else(|| body.iter().find_map(|line| SourceLine::within(line)));
    let is_place = |line: &&str| {
        PERL_PLACE.is_match(line) || BATS_PLACE.is_match(line) || line.contains("(from function")
    };
    let is_heading = |line: &&str| line.trim_start_matches([' ', '#']).starts_with("Failed test");
    let is_frame = |line: &&&str| {
        line.trim_start().starts_with("at ")
            && line.ends_with([')', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9'])
    };
    let said = body.iter().take_while(|line| !is_frame(line));
    let said = said.filter(|line| !is_place(line) && !is_heading(line));
    let said: Vec<&str> =
        said.map(|line| line.trim_start().strip_prefix('#').unwrap_or(line)).collect();
    // bats quotes the command that failed above what it printed.
    let printed = said.iter().filter(|line| !COMMAND.is_match(line)).copied();
    let message = dedented(printed);
    (if message.is_empty() { dedented(said) } else { message }, place)
}
