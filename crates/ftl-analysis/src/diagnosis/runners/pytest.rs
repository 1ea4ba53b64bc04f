//! pytest's report: the lines marked `E`, and the short summary that some options leave alone.

use std::sync::LazyLock;

use regex::Regex;

use super::pattern;

static MARKED: LazyLock<Regex> = LazyLock::new(|| pattern(r"^E( {2,}|\t)(\S.*)$"));
/// A line of progress whose first test could not be set up, and advice.
static NO_ERROR: LazyLock<Regex> = LazyLock::new(|| pattern(r"^\[ *\d+%\]$|^Use -v+ to get "));
static SUMMARY: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^(?:FAILED|ERROR) \S+\.py(?:::.*?)? - (.+)$"));

/// What stands behind the `E` of pytest's report.
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

/// The messages of the short summary, all that `--tb=no` leaves.
pub(super) fn summary(lines: &[&str]) -> Vec<String> {
    lines
        .iter()
        .filter_map(|line| SUMMARY.captures(line))
        .map(|parts| parts[1].to_owned())
        .collect()
}
