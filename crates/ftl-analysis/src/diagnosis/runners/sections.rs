//! Headings of one line that say where, with what was wrong below: webpack, busted, CMake, robot, ctest
//! and tools that write like them.

use super::super::shape::is_farewell;
use super::message;
use crate::constants::ConstPatterns;

static HEADING: ConstPatterns = ConstPatterns::new(&[
    r"^ERROR in \S",
    r"^(?:Failure|Error) → \S",
    r"^CMake Error(?: at| in|:)?.*:$",
    r".*\| FAIL \|$",
    r"^-- [A-Z ]+ ERROR -+ \S",
    r"^\s*Failed .*\[\d.*\]$",
    r"^[^\s:]+(?::\d+)+(?:-\d+)?: (?:fatal )?error:(?: \[[\w-]+\])?$",
    r"^(?:Error|error): .*:$",
]);

/// Lines that name the test between the heading and the message.
static NAME: ConstPatterns = ConstPatterns::new(&[r"^suite \S", r"^(?:Failure|Error) → "]);

/// The message below each heading.
pub(super) fn messages(lines: &[&str]) -> Vec<String> {
    let is_heading = |line: &str| HEADING.is_match(line) && !is_farewell(line);
    let headings = (0..lines.len()).filter(|&at| is_heading(lines[at]));
    headings
        .filter_map(|at| {
            // busted puts the name of the test on a separate line.
            let named =
                lines[at].contains(" → ") || lines.get(at + 1).is_some_and(|l| NAME.is_match(l));
            message::below(lines.get(at + 1 + usize::from(named)..)?, is_heading)
        })
        .collect()
}
