//! Biome, and what miette prints for other tools: a cross before the message, below the place.

use super::super::shape::is_farewell;
use crate::constants::ConstPattern;

static FINDING: ConstPattern = ConstPattern::new(r"^\s+([×✖!])\s+(\S.*)$");
static FRAME: ConstPattern = ConstPattern::new(r"━{8,}|^\s*╭─|^\s*│");

/// The findings, errors before warnings.
pub(super) fn findings(lines: &[&str]) -> Vec<String> {
    if !lines.iter().any(|line| FRAME.is_match(line)) {
        return Vec::new();
    }
    let found = lines.iter().filter_map(|line| FINDING.captures(line));
    let found: Vec<_> = found.filter(|parts| !is_farewell(&parts[2])).collect();
    let marked = |mark: bool| {
        let of_mark = found.iter().filter(move |parts| (&parts[1] == "!") == mark);
        of_mark.map(|parts| parts[2].to_owned())
    };
    marked(false).chain(marked(true)).collect()
}
