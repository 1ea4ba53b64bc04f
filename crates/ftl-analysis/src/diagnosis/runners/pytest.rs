//! pytest's report: the lines marked `E`, and the short summary that some options leave alone.

use super::message;
use crate::constants::ConstPattern;

static MARKED: ConstPattern = ConstPattern::new(r"^E([ \t]{2,}|\t)(\S.*)$");
/// A line of progress whose first test could not be set up, and advice.
static NO_ERROR: ConstPattern = ConstPattern::new(r"^\[ *\d+%\]$|^\d+ / \d+ \(|^Use -v+ to get ");
static SUMMARY: ConstPattern = ConstPattern::new(r"^(?:FAILED|ERROR) \S+\.py(?:::.*?)? - (.+)$");

/// The text behind the `E` of pytest's report.
///
/// The place and excerpt with which a syntax error begins are left out: the line that names the
/// error is the one to quote.
pub(super) fn marked_lines(lines: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    let mut excerpt_from: Option<usize> = None;
    for line in lines {
        let Some(parts) = MARKED.captures(line) else {
            excerpt_from = None;
            continue;
        };
        let (indent, text) = (parts[1].len(), &parts[2]);
        if NO_ERROR.is_match(text) {
            continue;
        }
        if text.starts_with("File \"") {
            excerpt_from = Some(indent);
        } else if excerpt_from.is_none_or(|from| indent < from) {
            excerpt_from = None;
            found.push(text.to_owned());
        }
    }
    found
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
