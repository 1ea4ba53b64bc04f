//! An output that no reader knows: its error line, with the first place in the project's own code that the frames below
//! it or the lines right above it name.

use super::draft::Draft;
use super::source_line::{SourceLine, is_frame};
use crate::constants::ConstPattern;
use crate::diagnosis::error_lines_of;

static AT_END: ConstPattern = ConstPattern::new(r" (?:in|at) ([^\s:]+\.[A-Za-z]\w*):(\d+)\.?$");

/// Lines of frames that are looked at.
const FRAMES: usize = 20;

/// One failure: the line that a person would quote.
pub(super) fn failures(lines: &[&str]) -> Vec<Draft> {
    let Some(message) = error_lines_of(lines).into_iter().next() else {
        return Vec::new();
    };
    let at = lines.iter().position(|line| line.contains(message.as_str()));
    let excerpt = at.map_or(0..0, |at| at.saturating_sub(5)..(at + 8).min(lines.len()));
    let place = at.and_then(|at| framed(&lines[at + 1..]).or_else(|| shown(&lines[..at])));
    // `unknown directive "listn" in /srv/nginx.conf:4`
    let place = place.or_else(|| SourceLine::captured(&AT_END, &message));
    vec![Draft { place, message, ..Draft::of(excerpt) }]
}

/// The first own frame of a stack below a message.
fn framed(below: &[&str]) -> Option<SourceLine> {
    let is_of_stack = |line: &&&str| {
        line.starts_with('\t') || is_frame(line) || line.trim_start().starts_with("from ")
    };
    below.iter().take(FRAMES).filter(is_of_stack).find_map(|line| SourceLine::within(line))
}

/// node shows the place, the source and a caret above the message.
fn shown(above: &[&str]) -> Option<SourceLine> {
    let caret = above.iter().rposition(|line| !line.is_empty())?;
    let is_caret =
        |line: &str| !line.is_empty() && line.chars().all(|c| matches!(c, ' ' | '\t' | '^' | '~'));
    let head = caret.checked_sub(2).map(|at| above[at])?;
    let is_place = is_caret(above[caret]) && !head.starts_with(' ');
    is_place.then(|| SourceLine::within(head)).flatten()
}
