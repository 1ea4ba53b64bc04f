//! One file a language, and what they share: what a checker is given and what it answers.
//!
//! A checker sees decoded text and knows byte ranges in it. Lines, columns and the bytes of the
//! file are the business of `judge.rs`, which language it is that of `language/`.

use std::borrow::Cow;
use std::ops::Range;
use std::path::Path;

#[cfg(feature = "toolchain")]
use crate::Language;
use crate::manifest::Manifests;
use crate::{Options, Reason};

#[cfg(feature = "oxc")]
mod ecmascript;
#[cfg(feature = "go")]
pub(crate) mod go;
#[cfg(feature = "javascript")]
pub(crate) mod javascript;
#[cfg(feature = "json")]
pub(crate) mod json;
#[cfg(feature = "python")]
pub(crate) mod python;
#[cfg(feature = "rust")]
pub(crate) mod rust;
#[cfg(feature = "toml")]
pub(crate) mod toml;
#[cfg(feature = "typescript")]
pub(crate) mod typescript;
#[cfg(feature = "yaml")]
pub(crate) mod yaml;

/// The most findings that are reported of one file. A parser that recovers may find one a token,
/// and the first ones say what is wrong.
pub(crate) const MOST_FINDINGS: usize = 100;

/// A language's checker: decoded text, without a byte order mark, to an outcome.
pub(crate) type Check = fn(&str, &Setting<'_>) -> Outcome;

/// What surrounds the text.
pub(crate) struct Setting<'a> {
    #[cfg(feature = "toolchain")]
    pub(crate) language: Language,
    pub(crate) path: &'a Path,
    pub(crate) options: &'a Options,
    pub(crate) manifests: &'a Manifests,
}

/// What a language's checker found.
pub(crate) enum Outcome {
    Valid,
    /// Errors, at least one, in any order.
    Invalid(Vec<Finding>),
    Unchecked(Reason),
}

impl Outcome {
    /// Valid when there is nothing to say.
    pub(crate) fn of(findings: Vec<Finding>) -> Self {
        if findings.is_empty() { Self::Valid } else { Self::Invalid(findings) }
    }
}

/// An error and its byte range in the text.
#[derive(Debug)]
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

    /// A violation of a rule that the language checks on the parsed file before it runs.
    #[cfg(any(feature = "python", feature = "oxc"))]
    pub(crate) fn early(message: impl Into<String>, range: Range<usize>) -> Self {
        Self { message: message.into(), range, code: Cow::Borrowed("early") }
    }
}
