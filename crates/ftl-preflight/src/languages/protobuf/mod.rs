//! Protocol Buffers, by protox's parser: `proto2` and `proto3`. Imports and types are not resolved.

#[cfg(feature = "toolchain")]
mod protoc;

#[cfg(feature = "toolchain")]
pub(crate) use self::protoc::FRONT_END;
use crate::Reason;
use crate::finding::{Outcome, Setting};
use crate::nesting::plain::Plain;

const MEASURE: Plain = Plain { comments: &["//"], openers: &[], by_line: false };

/// A file of definitions.
pub(crate) fn check(text: &str, setting: &Setting<'_>) -> Outcome {
    if MEASURE.exceeds(text, setting.options.nesting) {
        return Outcome::Unchecked(Reason::TooDeep);
    }
    match protox_parse::parse("file.proto", text) {
        Ok(_) => Outcome::Valid,
        Err(error) => {
            let range = error.span().unwrap_or(text.len()..text.len());
            Outcome::syntax(error.to_string(), range)
        }
    }
}
