//! What is left of pytest's report where nothing names a test: marked lines, and what it says of its command line.

use crate::constants::ConstPattern;

static MARKED: ConstPattern = ConstPattern::new(r"^E(?:[ \t]{2,}|\t)(\S.*)$");
static USAGE: ConstPattern = ConstPattern::new(r"^[\w.-]+(?: [\w.-]+)?: error: \S");

/// The marked lines of a report of which only these were kept.
pub(super) fn marked_lines(lines: &[&str]) -> Vec<String> {
    lines.iter().filter_map(|line| Some(MARKED.captures(line)?[1].to_owned())).collect()
}

/// What is wrong with the command line.
pub(super) fn usage(lines: &[&str]) -> Vec<String> {
    lines.iter().filter(|line| USAGE.is_match(line)).map(|line| (*line).to_owned()).collect()
}
