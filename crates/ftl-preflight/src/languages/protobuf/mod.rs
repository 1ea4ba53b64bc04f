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

/// A file of definitions.
pub(crate) fn check(text: &str, setting: &Setting<'_>) -> Outcome {
    if MEASURE.exceeds(text, setting.options.nesting) {
        return Outcome::Unchecked(Reason::TooDeep);
    }
    match protox_parse::parse("file.proto", text) {
        Ok(_) => Outcome::Valid,
        Err(error) => {
            let range = error.span().unwrap_or(text.len()..text.len());
            let number = text[range.clone()].parse();
            if number.is_ok_and(|number| OF_MESSAGE_SETS.contains(&number)) {
                return Outcome::Valid;
            }
            Outcome::syntax(error.to_string(), range)
        }
    }
}
