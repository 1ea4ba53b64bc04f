//! Cells of a notebook that ruff's parser gives way on.
//!
//! A line of magic is one only at the start of a statement. As the parser recovers from a bracket that is never
//! closed, it takes the next line for such a start, and then panics at a line of help inside that bracket. So a cell
//! with that panic has an error before it.

use crate::Reason;
use crate::finding::Outcome;
use crate::worker::guard;

/// A part of the message of that panic. Any other says nothing about the cell.
const PANIC: &str = "IPython escape command expression";

/// What `check` says of a cell or, if it panics in this way, of the lines before the one that it panics at.
pub(super) fn check(text: &str, check: impl Fn(&str) -> Outcome) -> Outcome {
    let guarded = |text: &str| guard(|| check(text));
    let reason = match guarded(text) {
        Ok(outcome) => return outcome,
        Err(reason) => reason,
    };
    match &reason {
        Reason::CheckerFailed(message) if message.contains(PANIC) => {}
        _ => return Outcome::Unchecked(reason),
    }
    let ends: Vec<usize> = text.match_indices('\n').map(|(at, end)| at + end.len()).collect();
    let kept = ends.partition_point(|&end| guarded(&text[..end]).is_ok());
    let before = kept.checked_sub(1).map_or("", |last| &text[..ends[last]]);
    match guarded(before) {
        // Those behind the first may come from the cut.
        Ok(Outcome::Invalid(found)) => Outcome::of(found.into_iter().take(1).collect()),
        _ => Outcome::Unchecked(reason),
    }
}
