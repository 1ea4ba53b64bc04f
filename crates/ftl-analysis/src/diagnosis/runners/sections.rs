//! Headings of one line that say where, with what was wrong below: webpack, CMake
//! and tools that write like them.

use super::super::shape::{is_between, is_farewell};
use crate::constants::ConstPatterns;

static HEADING: ConstPatterns = ConstPatterns::new(&[
    r"^ERROR in \S",
    r"^CMake Error(?: at| in|:)?.*:$",
    r"^-- [A-Z ]+ ERROR -+ \S",
    r"^\s*Failed .*\[\d.*\]$",
    r"^[^\s:]+(?::\d+)+(?:-\d+)?: (?:fatal )?error:(?: \[[\w-]+\])?$",
    r"^(?:Error|error): .*:$",
]);

/// Lines below a heading that are looked at.
const MAX_LINES: usize = 60;

/// The first line below each heading that is neither blank, a rule, a label nor a place.
pub(super) fn messages(lines: &[&str]) -> Vec<String> {
    let is_heading = |line: &str| HEADING.is_match(line) && !is_farewell(line);
    let headings = (0..lines.len()).filter(|&at| is_heading(lines[at]));
    let below = headings.filter_map(|at| {
        let block = lines[at + 1..].iter().take(MAX_LINES).take_while(|line| !is_heading(line));
        let mut said = block.map(|line| line.trim_start_matches(['│', '├', '|', ' ']).trim());
        said.find(|line| !is_between(line))
    });
    below.map(str::to_owned).collect()
}
