//! Failed tests: what their runner's reader of failures took for their messages.

use super::super::shape::{is_between, is_hint};
use crate::constants::ConstPattern;
use crate::failures;

/// Lines of one message.
const MAX_LINES: usize = 8;
/// One side of a comparison: `Expected:`, `got: 1`.
static VALUE: ConstPattern =
    ConstPattern::new(r"(?i)^\s*(?:expected|actual|got|want(?:ed)?|found)\s*:");

/// The lines of each message, without labels above them.
pub(super) fn messages(lines: &[&str]) -> Vec<String> {
    failures::messages(lines).iter().flat_map(|message| of(message)).collect()
}

fn of(message: &str) -> Vec<String> {
    let is_value = |line: &str| VALUE.is_match(line);
    let is_heading = |line: &&str| is_hint(line) || is_between(line) && !is_value(line);
    let mut said: Vec<String> =
        message.lines().skip_while(is_heading).take(MAX_LINES).map(str::to_owned).collect();
    let labels =
        said.iter().take(3).take_while(|line| is_value(line) || line.ends_with(':')).count();
    if labels > 0 && said.len() > 1 {
        let joined: Vec<String> = said.drain(..(labels + 1).min(said.len())).collect();
        let joined: Vec<&str> = joined.iter().map(|line| line.trim()).collect();
        said.insert(0, joined.join(" "));
    }
    match said.is_empty() {
        true => message.lines().take(1).map(str::to_owned).collect(),
        false => said,
    }
}
