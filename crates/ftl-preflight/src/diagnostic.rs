//! What is wrong with a file, and where. How it is drawn is up to the caller.

use std::fmt;

use crate::CheckerName;

/// How bad a finding is. Only errors make a file invalid.
///
/// ```
/// use ftl_preflight::{Checker, Options, Severity, Source};
///
/// let report = Checker::new(Options::default()).check_source(Source::new("a.toml", "a ="));
/// assert_eq!(report.diagnostics()[0].severity, Severity::Error);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum Severity {
    /// The language's front end refuses the file for this.
    Error,
    /// Worth saying, but no reason to refuse the file.
    Warning,
}

/// One finding, with its place in the file.
///
/// Lines and columns count from 1, columns in characters (Unicode scalar values; a tab is one).
/// A line ends at `\n`, `\r\n` or a lone `\r`. `start` and `end` are byte offsets from 0 into
/// the file as it is stored, byte order mark included; `end` is exclusive, and equals `start`
/// for a place between two characters, such as the end of the file.
///
/// ```
/// use ftl_preflight::{Checker, Options, Source};
///
/// let text = "é = [1,\n     2\n";
/// let report = Checker::new(Options::default()).check_source(Source::new("a.jsonc", text));
/// let found = &report.diagnostics()[0];
/// println!("{}:{}: {}", found.line, found.column, found.message);
/// assert_eq!(&text[found.start..found.end], "é");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Diagnostic {
    /// Whether this alone makes the file invalid.
    pub severity: Severity,
    /// One line of text, as the parser words it.
    pub message: String,
    /// Line of the first character, from 1.
    pub line: usize,
    /// Column of the first character, from 1.
    pub column: usize,
    /// Line of the place just after the last character, from 1.
    pub end_line: usize,
    /// Column of the place just after the last character, from 1.
    pub end_column: usize,
    /// Byte offset of the first character.
    pub start: usize,
    /// Byte offset just after the last character.
    pub end: usize,
    /// What kind of error: `syntax` from a grammar, `early` from the checks a language makes on
    /// a parsed file before it runs, `encoding` from bytes that are not text, `TS1005` and the
    /// like where the front end numbers its errors.
    pub code: Option<String>,
    /// Which checker found it.
    pub checker: CheckerName,
}

impl fmt::Display for Diagnostic {
    /// `LINE:COLUMN: MESSAGE`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for Diagnostic {}

/// With the file's text as source code, miette draws the finding on it:
/// `miette::Report::new(diagnostic).with_source_code(text)`.
#[cfg(feature = "miette")]
impl miette::Diagnostic for Diagnostic {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        let code = self.code.as_ref()?;
        Some(Box::new(code))
    }

    fn severity(&self) -> Option<miette::Severity> {
        Some(match self.severity {
            Severity::Error => miette::Severity::Error,
            Severity::Warning => miette::Severity::Warning,
        })
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = miette::LabeledSpan> + '_>> {
        let label = miette::LabeledSpan::underline(self.start..self.end);
        Some(Box::new(std::iter::once(label)))
    }
}
