//! What to check: bytes, the path they belong to, and the language if the path does not tell.

use std::path::Path;

use crate::Language;

/// Bytes to check, and the path that they are, or will be, stored under.
///
/// The path decides the language unless one is given, and names the directory in which the
/// search for `package.json` and `Cargo.toml` begins; nothing is read from it.
///
/// ```
/// let source = ftl_preflight::Source::new("web/app.mjs", b"export {};");
/// assert_eq!(source.bytes.len(), 10);
/// ```
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Source<'a> {
    /// Where the bytes belong.
    pub path: &'a Path,
    /// The file's content, in any encoding that its language allows.
    pub bytes: &'a [u8],
    /// The language, if it is not to be taken from the path.
    pub language: Option<Language>,
}

impl<'a> Source<'a> {
    /// A file in memory.
    ///
    /// ```
    /// use ftl_preflight::{Language, Source};
    ///
    /// let source = Source::new("bin/tool", "print('hello')\n").with_language(Language::Python);
    /// ```
    pub fn new<P, B>(path: &'a P, bytes: &'a B) -> Self
    where
        P: AsRef<Path> + ?Sized,
        B: AsRef<[u8]> + ?Sized,
    {
        Self { path: path.as_ref(), bytes: bytes.as_ref(), language: None }
    }

    /// The same bytes, read as `language` whatever the path says.
    ///
    /// ```
    /// use ftl_preflight::{Checker, Language, Options, Source};
    ///
    /// let source = Source::new("-", "{}").with_language(Language::Json);
    /// let report = Checker::new(Options::default()).check_source(source);
    /// assert_eq!(report.status.as_str(), "valid");
    /// ```
    #[must_use]
    pub fn with_language(mut self, language: Language) -> Self {
        self.language = Some(language);
        self
    }
}
