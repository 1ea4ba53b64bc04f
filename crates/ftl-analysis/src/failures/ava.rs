//! ava: after the list of tests a part for each that failed, headed by its name, between lines of one dash.

use super::draft::{Draft, dedented};
use super::source_line::SourceLine;
use crate::constants::ConstPattern;

static FAILED: ConstPattern = ConstPattern::new(r"^\s*✘ \[fail\]: (\S.*)$");
static RULE: ConstPattern = ConstPattern::new(r"^\s*─\s*$");
static EXCERPT: ConstPattern = ConstPattern::new(r"^\s*\d+: ");
static WHERE: ConstPattern = ConstPattern::new(r"^\s*(?:(?:› |at ).*|\S+\.\w+:\d+)$");

/// Each failed test.
pub(super) fn failures(lines: &[&str]) -> Vec<Draft> {
    let names: Vec<&str> =
        lines.iter().filter_map(|line| Some(FAILED.captures(line)?.get(1)?.as_str())).collect();
    let rules: Vec<usize> = (0..lines.len()).filter(|&at| RULE.is_match(lines[at])).collect();
    let parts = rules.windows(2).filter_map(|pair| part(lines, pair[0] + 1, pair[1], &names));
    parts.collect()
}

fn part(lines: &[&str], start: usize, end: usize, names: &[&str]) -> Option<Draft> {
    let heading = start + lines[start..end].iter().position(|line| !line.is_empty())?;
    let name = lines[heading].trim();
    // The list may have a word on the failure behind the name.
    names.iter().find(|listed| listed.starts_with(name))?;
    let body = &lines[heading + 1..end];
    let is_said = |line: &&&str| !WHERE.is_match(line) && !EXCERPT.is_match(line);
    let said = body.iter().skip_while(|line| line.is_empty() || !is_said(line)).take_while(is_said);
    let message = dedented(said.copied());
    let frames = || {
        body.iter().filter(|line| {
            line.trim_start().starts_with("at ") || line.trim_start().starts_with('›')
        })
    };
    let place = frames()
        .find_map(|line| SourceLine::within(line))
        .or_else(|| body.iter().find_map(|line| SourceLine::within(line)));
    Some(Draft { test: Some(name.to_owned()), place, message, ..Draft::of(heading..end) })
}
