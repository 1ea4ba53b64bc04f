//! JSON, strict and with comments.
//!
//! Two parsers, since neither reads both: serde_json keeps to RFC 8259, jsonc-parser takes what
//! TypeScript and editors take in their settings.

use jsonc_parser::errors::ParseErrorKind;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use serde::de::IgnoredAny;

use crate::Reason;
use crate::finding::{Finding, Outcome, Setting};

/// JSON as RFC 8259 has it. A byte order mark is allowed, repeated keys are too.
pub(crate) fn check(text: &str, _: &Setting<'_>) -> Outcome {
    // serde_json recurses, with a bound of 128, when it builds values, but skips one that is
    // ignored in a loop: no nesting is too deep.
    match serde_json::from_str::<IgnoredAny>(text) {
        Ok(_) => Outcome::Valid,
        Err(error) => Outcome::Invalid(vec![finding(text, &error)]),
    }
}

fn finding(text: &str, error: &serde_json::Error) -> Finding {
    let message = error.to_string();
    let message = message.rsplit_once(" at line ").map_or(&*message, |(message, _)| message);
    if error.is_eof() {
        return Finding::syntax(message, text.len()..text.len());
    }
    // The column counts the bytes read, of which the offender is the last, unless it is a
    // control character in a string; and a line ends at a line feed alone.
    let is_read = !message.starts_with("control character");
    let lines = text.split_inclusive('\n').take(error.line().saturating_sub(1));
    let column = error.column().saturating_sub(usize::from(is_read));
    let start = lines.map(str::len).sum::<usize>() + column;
    let start = text.floor_char_boundary(start);
    let width = text[start..].chars().next().map_or(0, char::len_utf8);
    Finding::syntax(message, start..start + width)
}

/// JSON with comments and trailing commas.
pub(crate) fn check_with_comments(text: &str, _: &Setting<'_>) -> Outcome {
    let options = ParseOptions {
        allow_comments: true,
        allow_trailing_commas: true,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    };
    match parse_to_ast(text, &CollectOptions::default(), &options) {
        Ok(_) => Outcome::Valid,
        Err(error) if matches!(error.kind(), ParseErrorKind::NestingDepthExceeded) => {
            Outcome::Unchecked(Reason::TooDeep)
        }
        Err(error) => {
            let range = error.range();
            Outcome::syntax(error.kind().to_string(), range.start..range.end)
        }
    }
}
