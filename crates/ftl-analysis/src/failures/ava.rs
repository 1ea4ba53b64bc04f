//! ava: after the list of tests a part for each that failed, headed by its name, between lines of one dash.

use super::draft::{Draft, dedented, spans};
use super::source_line::{SourceLine, is_frame};
use crate::constants::ConstPattern;

static FAILED: ConstPattern = ConstPattern::new(r"^\s*✘ \[fail\]: (\S.*)$");
static RULE: ConstPattern = ConstPattern::new(r"^\s*─\s*$");
static EXCERPT: ConstPattern = ConstPattern::new(r"^\s*\d+:(?: |$)");
static NAMED: ConstPattern = ConstPattern::new(r"^ {0,2}\w*(?:Error|Exception): ");
static WHERE: ConstPattern = ConstPattern::new(r"^\s*(?:(?:› |at ).*|\S+\.\w+:\d+)$");

/// Each failed test.
pub(super) fn failures(lines: &[&str]) -> Vec<Draft> {
    let names: Vec<&str> =
        lines.iter().filter_map(|line| Some(FAILED.captures(line)?.get(1)?.as_str())).collect();
    let Some(report) = lines.iter().position(|line| RULE.is_match(line)) else { return Vec::new() };
    // The list may have a word on the failure behind the name.
    let is_heading = |line: &str| {
        let name = line.trim_start();
        let is_name = !name.is_empty() && line.len() - name.len() <= 2;
        is_name && names.iter().any(|listed| listed.starts_with(name))
    };
    let starts: Vec<usize> = (report..lines.len()).filter(|&at| is_heading(lines[at])).collect();
    spans(&starts, lines.len()).map(|within| part(lines, within.start, within.end)).collect()
}

fn part(lines: &[&str], heading: usize, end: usize) -> Draft {
    let end = heading + lines[heading..end].iter().take_while(|line| !RULE.is_match(line)).count();
    let name = lines[heading].trim();
    let body = &lines[heading + 1..end];
    let is_said = |line: &&&str| !WHERE.is_match(line) && !EXCERPT.is_match(line);
    let is_heading = |line: &str| {
        line.is_empty() || [" in test:", "Reason:", "{"].iter().any(|it| line.ends_with(it))
    };
    // An error is shown as an object, then as a line.
    let named = body.iter().position(|line| NAMED.is_match(line)).unwrap_or(0);
    let said = body[named..].iter();
    let said = said.skip_while(|line| is_heading(line) || !is_said(line)).take_while(is_said);
    let message = dedented(said.copied());
    let mut frames =
        body.iter().filter(|line| is_frame(line) || line.trim_start().starts_with('›'));
    let place = frames
        .find_map(|line| SourceLine::within(line))
        .or_else(|| body.iter().find_map(|line| SourceLine::within(line)));
    Draft { test: Some(name.to_owned()), place, message, ..Draft::of(heading..end) }
}
