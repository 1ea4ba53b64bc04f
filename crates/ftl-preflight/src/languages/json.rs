//! JSON, strict, with comments, and JSON5.
//!
//! Two parsers, since neither reads all: serde_json keeps to RFC 8259, jsonc-parser takes what
//! TypeScript, editors and Babel take in their settings.

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
    check_loosely(text, false)
}

/// JSON5. ESLint reads its `.eslintrc` as YAML once comments are removed.
pub(crate) fn check_json5(text: &str, setting: &Setting<'_>) -> Outcome {
    match check_loosely(text, true) {
        Outcome::Invalid(_) if setting.path.ends_with(".eslintrc") && is_yaml(text, setting) => {
            Outcome::Valid
        }
        outcome => outcome,
    }
}

#[cfg(feature = "yaml")]
fn is_yaml(text: &str, setting: &Setting<'_>) -> bool {
    matches!(super::yaml::check(text, setting), Outcome::Valid)
}

#[cfg(not(feature = "yaml"))]
fn is_yaml(_: &str, _: &Setting<'_>) -> bool {
    false
}

fn check_loosely(text: &str, is_json5: bool) -> Outcome {
    let options = ParseOptions {
        allow_comments: true,
        allow_trailing_commas: true,
        allow_missing_commas: false,
        allow_loose_object_property_names: is_json5,
        allow_single_quoted_strings: is_json5,
        allow_hexadecimal_numbers: is_json5,
        allow_unary_plus_numbers: is_json5,
        allow_bare_decimal_point_numbers: is_json5,
        allow_non_finite_numbers: is_json5,
        allow_extended_string_escapes: is_json5,
    };
    let broken = open_string(text, is_json5);
    match parse_to_ast(text, &CollectOptions::default(), &options) {
        Err(error) if matches!(error.kind(), ParseErrorKind::NestingDepthExceeded) => {
            Outcome::Unchecked(Reason::TooDeep)
        }
        // The parser lets strings go on over lines, and so stumbles later.
        Err(error) if broken.as_ref().is_none_or(|it| error.range().start < it.range.start) => {
            let start = match error.kind() {
                // Where TypeScript and editors have it.
                ParseErrorKind::ExpectedComma => next_token(text, error.range().start),
                ParseErrorKind::UnterminatedArray | ParseErrorKind::UnterminatedObject => {
                    text.len()
                }
                _ => error.range().start,
            };
            Outcome::syntax(error.kind().to_string(), start..error.range().end.max(start))
        }
        _ => Outcome::of(broken.into_iter().collect()),
    }
}

/// The first string that its line does not end: in JSON5 a backslash may continue it.
fn open_string(text: &str, is_json5: bool) -> Option<Finding> {
    let mut at = 0;
    while let Some(start) = text[at..].find(['"', '\'', '/']).map(|it| at + it) {
        let quote = text.as_bytes()[start];
        at = if quote == b'/' {
            next_token(text, start).max(start + 1)
        } else if quote == b'\'' && !is_json5 {
            start + 1
        } else {
            let mut is_escaped = false;
            let end = text[start + 1..].bytes().position(|byte| {
                let ends = byte == quote || byte == b'\n';
                let is_kept = is_escaped && (byte == quote || is_json5);
                is_escaped = byte == b'\\' && !is_escaped;
                ends && !is_kept
            })?;
            let end = start + 1 + end;
            if text.as_bytes()[end] == b'\n' {
                return Some(Finding::syntax("Unterminated string literal", start..end));
            }
            end + 1
        };
    }
    None
}

/// The offset behind blanks and comments.
fn next_token(text: &str, mut at: usize) -> usize {
    loop {
        let rest = text[at..].trim_start();
        let start = text.len() - rest.len();
        let end = match rest.get(..2) {
            Some("//") => rest.find('\n'),
            Some("/*") => rest.find("*/").map(|end| end + 2),
            _ => return start,
        };
        at = end.map_or(text.len(), |end| start + end);
    }
}
