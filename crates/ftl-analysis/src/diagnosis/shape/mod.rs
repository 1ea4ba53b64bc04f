//! What a single line of an output is, whichever program wrote it: noise that no report would quote, or
//! a statement about the error.
//!
//! The patterns name habits of writing (a frame begins with `at`, a count with a number), not
//! programs, so that they hold for runners that are not listed. Each list of `lines.tsv` is one automaton, so
//! that a line is read once for all of its patterns.

mod telling;

use std::sync::LazyLock;

use crate::constants::{ConstPattern, ConstPatterns};

pub(super) use telling::{Telling, telling};

/// Places, frames and excerpts of code: where something is, not what.
static PLACE: LazyLock<ConstPatterns> = LazyLock::new(|| of("place"));

/// Rules, banners and dots.
static RULE: LazyLock<ConstPatterns> = LazyLock::new(|| of("rule"));

/// Labels without text behind them.
static LABEL: LazyLock<ConstPatterns> = LazyLock::new(|| of("label"));

/// Counts, times, what passed and what is only under way.
static PROGRESS: LazyLock<ConstPatterns> = LazyLock::new(|| of("progress"));

/// What a program says when it gives up for reasons that it or another program printed before.
static FAREWELL: LazyLock<ConstPatterns> = LazyLock::new(|| of("farewell"));

/// Advice, and where to read more.
static HINT: LazyLock<ConstPatterns> = LazyLock::new(|| of("hint"));

/// An error of which the program itself says that it went on.
static HANDLED: ConstPattern = ConstPattern::new(concat!(
    r"(?i)\((?:handled|ignored|retried|non-fatal|simulated)\)|\b(?:handled|retrying|retried",
    r"|will retry|ignoring|ignored|falling back|fall back|continuing|recovered|skipping|simulated|known failure",
    r"|as expected|gracefully|attempt \d+ (?:of|/) ?\d+ failed)\b",
));

/// The patterns of one kind.
fn of(kind: &str) -> ConstPatterns {
    ConstPatterns::of_rows(include_str!("lines.tsv"), kind)
}

/// What a line says without the box that it is drawn in, and the mark of the process.
fn unmarked(line: &str) -> &str {
    static MARK: ConstPattern = ConstPattern::new(r"^(?:\s*│ +|==\d+== ?)");
    MARK.find(line).map_or(line, |mark| &line[mark.end()..])
}

/// Whether a line says where something is, and not what: a frame, a place, an excerpt of code.
pub(super) fn is_place(line: &str) -> bool {
    PLACE.is_match(line)
}

/// Whether no report would quote the line: it counts, heads, says goodbye, advises or points.
pub(crate) fn is_noise(line: &str) -> bool {
    let line = match unmarked(line) {
        said if said.len() < line.len() && telling(said) == Telling::Error => said,
        _ => line,
    };
    RULE.is_match(line)
        || LABEL.is_match(line)
        || PROGRESS.is_match(line)
        || FAREWELL.is_match(line)
        || HINT.is_match(line)
        || is_place(line)
}

/// Whether the line is blank, a rule, a label without a message, or a place: what may stand between a
/// heading and its message.
pub(crate) fn is_between(line: &str) -> bool {
    RULE.is_match(line) || LABEL.is_match(line) || is_place(line)
}

/// Whether a wrapper, or the tool itself, says only that it gives up.
pub(super) fn is_farewell(line: &str) -> bool {
    FAREWELL.is_match(line)
}

/// Whether the line advises.
pub(super) fn is_hint(line: &str) -> bool {
    HINT.is_match(line)
}

/// Whether a program reports an error that it handled.
pub(crate) fn is_handled(line: &str) -> bool {
    HANDLED.is_match(line)
}
