//! What pytest says without a failed test: of its command line, and the short summary that some options leave alone.

use super::message;
use crate::constants::ConstPattern;

static SUMMARY: ConstPattern = ConstPattern::new(r"^(?:FAILED|ERROR) \S+\.py(?:::.*?)? - (.+)$");

static MARKED: ConstPattern = ConstPattern::new(r"^E(?:[ \t]{2,}|\t)(\S.*)$");

/// The marked lines of a report of which only these were kept.
pub(super) fn marked_lines(lines: &[&str]) -> Vec<String> {
    lines.iter().filter_map(|line| Some(MARKED.captures(line)?[1].to_owned())).collect()
}

static COLLECTING: ConstPattern = ConstPattern::new(r"^_+ ERROR (?:collecting|at) .* _+$");
static USAGE: ConstPattern = ConstPattern::new(r"^[\w.-]+(?: [\w.-]+)?: error: \S");
static SECTION: ConstPattern = ConstPattern::new(r"^[=_!]{3,} .* [=_!]{3,}$");

/// The text without a mark below a file that could not be collected, and what pytest says of its
/// own command line.
pub(super) fn collection(lines: &[&str]) -> Vec<String> {
    let headings = (0..lines.len()).filter(|&at| COLLECTING.is_match(lines[at]));
    let below = headings.filter_map(|at| {
        let is_end = |line: &str| SECTION.is_match(line) || line.starts_with("Traceback ");
        message::below(&lines[at + 1..], is_end)
    });
    let usage = lines.iter().filter(|line| USAGE.is_match(line));
    below.chain(usage.map(|line| (*line).to_owned())).collect()
}

/// The messages of the short summary, all that `--tb=no` leaves.
pub(super) fn summary(lines: &[&str]) -> Vec<String> {
    lines
        .iter()
        .filter_map(|line| SUMMARY.captures(line))
        .map(|parts| parts[1].to_owned())
        .collect()
}
