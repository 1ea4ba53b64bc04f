//! The message below a heading: the first line that is neither blank, a rule, a label nor a place.
//!
//! Several runners put a value or a class on the first line and the rest on the next. These are
//! joined, since one alone says too little.

use super::super::shape::is_between;
use crate::constants::ConstPattern;

/// Lines below a heading that are looked at.
const MAX_LINES: usize = 60;

/// A line that begins a comparison of values, or names only a class of errors.
static PARTIAL: ConstPattern = ConstPattern::new(concat!(
    r"(?i)^\s*(?:(?:expected|actual|got|received|left|right|want|found|value of)\s*:\s",
    r"|<.*> expected but was$|[\w.:\\]+(?:error|exception|failure)(?: \[\w+\])?:?$)",
));
static VALUE: ConstPattern = ConstPattern::new(
    r"(?i)^\s*(?:(?:but )?(?:expected|actual|got|received|left|right|want|was|found|to equal|which is)\b\s*:?|<|[+-] ?)",
);

/// The message below a heading that ends before line 0 of `below`; `ends` recognises the next heading.
pub(super) fn below(below: &[&str], ends: impl Fn(&str) -> bool) -> Option<String> {
    let block = below.iter().take(MAX_LINES).take_while(|line| !ends(line));
    let content: Vec<&str> = block.map(|line| line.trim()).collect();
    let at = content.iter().position(|line| !is_between(line))?;
    Some(with_values(&content, at))
}

/// The line at `at`, with the next one where it says too little without it.
pub(super) fn with_values(lines: &[&str], at: usize) -> String {
    let first = strip(lines[at]);
    let Some(next) = lines.get(at + 1).map(|line| strip(line)) else {
        return first.to_owned();
    };
    let is_class = first.ends_with(':') || !first.contains(' ');
    let goes_on = !next.is_empty() && (is_class && !is_between(next) || VALUE.is_match(next));
    match PARTIAL.is_match(first) && goes_on {
        true => format!("{first} {next}"),
        false => first.to_owned(),
    }
}

/// Without the bars that frame a message.
fn strip(line: &str) -> &str {
    line.trim_start_matches(['│', '├', '┐', '┘', '┴', '|', ' ']).trim()
}
