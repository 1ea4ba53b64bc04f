//! The input and the result of a language's checker.
//!
//! A checker sees decoded text and returns byte ranges in it. `embedded.rs` turns them into lines,
//! columns and bytes of the file.

use std::borrow::Cow;
use std::ops::Range;
use std::path::Path;

use crate::manifest::Manifests;
use crate::{Language, Options, Reason};

/// The most findings that are reported of one file. A parser that recovers may find one a token,
/// and the first ones say what is wrong.
pub(crate) const MOST_FINDINGS: usize = 100;

/// A language's checker: decoded text, without a byte order mark, to an outcome.
pub(crate) type Check = fn(&str, &Setting<'_>) -> Outcome;

/// The context of the text.
pub(crate) struct Setting<'a> {
    pub(crate) language: Language,
    pub(crate) path: &'a Path,
    pub(crate) options: &'a Options,
    pub(crate) manifests: &'a Manifests,
}

/// The result of a language's checker.
pub(crate) enum Outcome {
    Valid,
    /// Errors, at least one, in any order.
    Invalid(Vec<Finding>),
    Unchecked(Reason),
}

impl Outcome {
    /// Valid without findings.
    pub(crate) fn of(findings: Vec<Finding>) -> Self {
        if findings.is_empty() { Self::Valid } else { Self::Invalid(findings) }
    }

    /// Invalid for one violation of the grammar.
    pub(crate) fn syntax(message: impl Into<String>, range: Range<usize>) -> Self {
        Self::Invalid(vec![Finding::syntax(message, range)])
    }
}

/// An error and its byte range in the text.
#[derive(Debug, Clone)]
pub(crate) struct Finding {
    pub(crate) message: String,
    pub(crate) range: Range<usize>,
    pub(crate) code: Cow<'static, str>,
}

impl Finding {
    /// A violation of the grammar.
    pub(crate) fn syntax(message: impl Into<String>, range: Range<usize>) -> Self {
        Self { message: message.into(), range, code: Cow::Borrowed("syntax") }
    }

    /// A violation of the grammar at the character that begins at an offset.
    #[allow(dead_code, reason = "only some languages' front ends report a single position")]
    pub(crate) fn at(text: &str, start: usize, message: impl Into<String>) -> Self {
        let width = text[start..].chars().next().map_or(0, char::len_utf8);
        Self::syntax(message, start..start + width)
    }

    /// A violation of a rule that the language checks on the parsed file before it runs.
    pub(crate) fn early(message: impl Into<String>, range: Range<usize>) -> Self {
        Self { message: message.into(), range, code: Cow::Borrowed("early") }
    }
}
