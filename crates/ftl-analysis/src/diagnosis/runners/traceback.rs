//! Python's tracebacks: the exception is at the end, behind the frames.

use super::super::plain::indent;
use super::super::shape::is_handled;

/// Between two tracebacks, that the exception above led to the one below.
const CHAINED: [&str; 2] = [
    "The above exception was the direct cause of the following exception:",
    "During handling of the above exception, another exception occurred:",
];

/// A traceback, with those that led to it.
struct Chain<'a> {
    exceptions: Vec<&'a str>,
    /// Whether Python only reports that nothing handled it.
    is_ignored: bool,
}

/// The last line of each Python traceback. Of a chain, the exception that ended it comes first; of
/// several, the last one, since a program goes on after those that it logs.
pub(super) fn last_lines(lines: &[&str]) -> Vec<String> {
    let mut chains: Vec<Chain<'_>> = Vec::new();
    let mut is_chained = false;
    let mut at = 0;
    while at < lines.len() {
        let (line, below) = (lines[at], &lines[at + 1..]);
        at += 1;
        if CHAINED.contains(&line.trim_start()) {
            is_chained = true;
        } else if line.trim_start() == "Traceback (most recent call last):" {
            let Some(last) = below.iter().position(|other| ends_frames(other, line)) else {
                break;
            };
            let before = at.checked_sub(2).map_or("", |before| lines[before]);
            match chains.last_mut() {
                Some(chain) if is_chained => chain.exceptions.push(below[last]),
                _ => chains.push(Chain {
                    exceptions: vec![below[last]],
                    is_ignored: before.starts_with("Exception ignored") || is_handled(before),
                }),
            }
            is_chained = false;
            at += last + 1;
        }
    }
    let mut order: Vec<&Chain<'_>> = chains.iter().rev().collect();
    order.sort_by_key(|chain| chain.is_ignored);
    let latest_first = order.iter().flat_map(|chain| chain.exceptions.iter().rev());
    latest_first.map(|line| (*line).to_owned()).collect()
}

/// Frames are indented deeper than the heading; the exception is not.
fn ends_frames(line: &str, heading: &str) -> bool {
    !line.is_empty() && indent(line) <= indent(heading)
}
