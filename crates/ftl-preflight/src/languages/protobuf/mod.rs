//! Protocol Buffers, by protox's parser: `proto2` and `proto3`. Imports and types are not resolved.

#[cfg(feature = "toolchain")]
mod protoc;

use std::ops::RangeInclusive;

#[cfg(feature = "toolchain")]
pub(crate) use self::protoc::FRONT_END;
use crate::Reason;
use crate::finding::{Outcome, Setting};
use crate::nesting::plain::Plain;

const MEASURE: Plain = Plain { comments: &["//"], openers: &[], by_line: false };

/// Numbers of fields that only a message set may have. What is one, `protoc` looks for behind the syntax; so does the
/// parser, which refuses the number everywhere.
const OF_MESSAGE_SETS: RangeInclusive<u32> = 1 << 29..=i32::MAX as u32;

/// What a file of a newer version than `proto3` begins with.
const EDITION: &str = "edition";

/// Makes a range of a single number, after which alone the parser reads the options of extensions.
const TO_MAX: &str = " to max";

/// A file of definitions.
pub(crate) fn check(text: &str, setting: &Setting<'_>) -> Outcome {
    if MEASURE.exceeds(text, setting.options.nesting) {
        return Outcome::Unchecked(Reason::TooDeep);
    }
    if protox_parse::parse("file.proto", text).is_ok() {
        return Outcome::Valid;
    }
    if has_edition(text) {
        return Outcome::Unchecked(Reason::Newer(EDITION));
    }
    let (text, added) = with_ranges(text);
    let Err(error) = protox_parse::parse("file.proto", &text) else {
        return Outcome::Valid;
    };
    let range = error.span().unwrap_or(text.len()..text.len());
    let number = text[range.clone()].parse();
    if number.is_ok_and(|number| OF_MESSAGE_SETS.contains(&number)) {
        return Outcome::Valid;
    }
    let in_file = |at: usize| at - TO_MAX.len() * added.iter().filter(|&&added| added < at).count();
    Outcome::syntax(error.to_string(), in_file(range.start)..in_file(range.end))
}

/// Whether a file begins as one of an edition does, behind comments. The parser knows `syntax` alone.
fn has_edition(text: &str) -> bool {
    let mut rest = text.trim_start();
    while let Some((comment, end)) = [("//", "\n"), ("/*", "*/")]
        .into_iter()
        .find_map(|(start, end)| Some((rest.strip_prefix(start)?, end)))
    {
        rest = comment.split_once(end).map_or("", |(_, rest)| rest.trim_start());
    }
    rest.strip_prefix(EDITION).is_some_and(|rest| rest.trim_start().starts_with('='))
}

/// The text with [`TO_MAX`] before the options of extensions with a single number, and where it was added.
fn with_ranges(text: &str) -> (String, Vec<usize>) {
    let (mut longer, mut added) = (String::with_capacity(text.len()), Vec::new());
    for piece in text.split_inclusive(['[', ';', '{', '}']) {
        longer.push_str(piece);
        let Some((_, numbers)) =
            piece.strip_suffix('[').and_then(|it| it.rsplit_once("extensions"))
        else {
            continue;
        };
        let is_list =
            numbers.chars().all(|it| it == ',' || it.is_ascii_alphanumeric() || it.is_whitespace());
        if is_list && !numbers.rsplit(',').next().is_some_and(|last| last.contains("to")) {
            let at = longer.len() - 1;
            longer.insert_str(at, TO_MAX);
            added.push(at);
        }
    }
    (longer, added)
}
