//! A row of the table of languages, and the macro that makes the table.

use std::path::Path;

use crate::Language;
use crate::decode::{self, Decode};
use crate::finding::Check;
#[cfg(feature = "toolchain")]
use crate::toolchain::front_end::FrontEnd;

/// Everything about a language that other code needs.
pub(crate) struct LanguageRow {
    pub(crate) language: Language,
    /// In JSON and on a command line.
    pub(crate) name: &'static str,
    /// The cargo feature that builds its checker.
    pub(crate) feature: &'static str,
    /// The embedded parser, for people.
    pub(crate) parser: &'static str,
    /// Lower case, without the dot.
    pub(crate) extensions: &'static [&'static str],
    /// Whole file names that decide before the extension does.
    pub(crate) file_names: &'static [&'static str],
    /// Programs in the `#!` line of a file without an extension; a version may follow the name.
    pub(crate) interpreters: &'static [&'static str],
    /// Paths recognised by a rule.
    pub(crate) claims: fn(&Path) -> bool,
    /// The usual command that checks one file, with the path for `{file}`; empty if there is none.
    pub(crate) usual_command: &'static [&'static str],
    pub(crate) decode: Decode,
    /// `None` when built without the feature.
    pub(crate) check: Option<Check>,
    #[cfg(feature = "toolchain")]
    pub(crate) front_end: Option<FrontEnd>,
}

impl LanguageRow {
    /// The values that a row leaves out.
    pub(crate) const DEFAULT: Self = Self {
        language: Language::Go,
        name: "",
        feature: "",
        parser: "",
        extensions: &[],
        file_names: &[],
        interpreters: &[],
        claims: |_| false,
        usual_command: &[],
        decode: decode::utf8,
        check: None,
        #[cfg(feature = "toolchain")]
        front_end: None,
    };
}

/// Makes [`Language`] and the rows from one list, so that neither can miss a language. The part
/// after `if` is there in builds with that feature.
macro_rules! languages {
    ($(
        $(#[$doc:meta])*
        $language:ident { $($field:ident: $value:expr),* $(,)? }
        if $feature:literal {
            check: $check:path
            $(, decode: $decode:path)?
            $(, front_end: $front_end:path)?
            $(,)?
        }
    )+) => {
        /// A language that can be recognised. Whether it can also be checked depends on cargo features.
        ///
        /// ```
        /// use ftl_preflight::Language;
        ///
        /// assert_eq!(Language::TypeScript.to_string(), "typescript");
        /// ```
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Language {
            $($(#[$doc])* $language,)+
        }

        /// In the order of the variants.
        pub(crate) static ROWS: &[LanguageRow] = &[$(
            LanguageRow {
                language: Language::$language,
                feature: $feature,
                $($field: $value,)*
                #[cfg(feature = $feature)]
                check: Some($check),
                $(#[cfg(feature = $feature)] decode: $decode,)?
                $(#[cfg(all(feature = $feature, feature = "toolchain"))] front_end: Some($front_end),)?
                ..LanguageRow::DEFAULT
            },
        )+];
    };
}
pub(super) use languages;
