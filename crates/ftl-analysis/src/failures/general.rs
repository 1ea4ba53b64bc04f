//! An output that no reader knows: its error line alone, with the place that this line itself names.

use super::draft::Draft;
use crate::diagnosis::error_lines;

/// One failure: the line that a person would quote.
pub(super) fn failures(lines: &[&str]) -> Vec<Draft> {
    let Some(message) = error_lines(&lines.join("\n")).into_iter().next() else {
        return Vec::new();
    };
    let at = lines.iter().position(|line| line.contains(message.as_str()));
    let excerpt = at.map_or(0..0, |at| at.saturating_sub(2)..(at + 4).min(lines.len()));
    vec![Draft { message, ..Draft::of(excerpt) }]
}
