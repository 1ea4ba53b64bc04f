//! Failures that are numbered, `1) name`, with the message below: mocha, jasmine, PHPUnit, minitest,
//! RSpec, ExUnit, JUnit 4 and others.

use super::message;
use crate::constants::ConstPattern;

static HEADING: ConstPattern = ConstPattern::new(r"^\s*\d+\) \S");
/// What shows that the numbers count failures.
static SECTION: ConstPattern = ConstPattern::new(concat!(
    r"(?i)^\s*\d+ failing\b|^There (?:was|were) \d+ |^failures?:|^failed examples:|^failures!|^errors!",
    r"|\b\d+ (?:runs|tests|examples|specs)?,.*\b(?:failures?|errors?)\b|^\s*\d+\) (?:Failure|Error):?$",
));
/// Mocha counts its failures before it lists them; above are only their names.
static FAILING: ConstPattern = ConstPattern::new(r"^\s*\d+ failing\b");
/// Names of the test, below the number.
static NAME: ConstPattern = ConstPattern::new(r"^\s*(?:[\w:]+#.*:|\S+\(\w+\) \[.*\]:|test .*:)$");
/// RSpec quotes the code that failed, up to a blank line.
static CODE: ConstPattern = ConstPattern::new(r"^\s*Failure/Error: ");
static END: ConstPattern =
    ConstPattern::new(r"^(?:Failed examples:|Finished in |FAILURES!|ERRORS!|\d+ \w+, \d+ )");

/// PHPUnit draws a frame around the message in `--testdox`.
static FRAMED: ConstPattern = ConstPattern::new(r"^\s+├ (\S.*)$");

/// The text in the frames of `--testdox`.
fn framed(lines: &[&str]) -> Vec<String> {
    let tops = (1..lines.len()).filter(|&at| lines[at - 1].trim() == "┐");
    let messages = tops.filter_map(|at| FRAMED.captures(lines[at]));
    messages.map(|parts| parts[1].to_owned()).collect()
}

/// The message of each numbered failure.
pub(super) fn messages(lines: &[&str]) -> Vec<String> {
    let framed = framed(lines);
    if !framed.is_empty() || !lines.iter().any(|line| SECTION.is_match(line)) {
        return framed;
    }
    let failing = lines.iter().position(|line| FAILING.is_match(line));
    let listed = &lines[failing.map_or(0, |at| at + 1)..];
    let headings = (0..listed.len()).filter(|&at| HEADING.is_match(listed[at]));
    headings.filter_map(|at| message_at(listed, at, failing.is_some())).collect()
}

fn message_at(lines: &[&str], heading: usize, is_mocha: bool) -> Option<String> {
    let mut at = heading + 1;
    if is_mocha {
        let title = lines[heading..].iter().take(8);
        at = heading + 1 + title.into_iter().position(|line| line.ends_with(':'))?;
    }
    while lines.get(at).is_some_and(|line| NAME.is_match(line) || line.trim().is_empty()) {
        at += 1;
    }
    if lines.get(at).is_some_and(|line| CODE.is_match(line)) {
        let code = lines[at..].iter().take_while(|line| !line.trim().is_empty());
        at += code.count();
    }
    message::below(lines.get(at..)?, |line| HEADING.is_match(line) || END.is_match(line))
}
