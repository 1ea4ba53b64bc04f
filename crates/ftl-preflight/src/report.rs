//! Reports: who checked a file, and with which verdict.
//!
//! A missing checker is never "valid": whatever keeps a file from being looked at is a [`Reason`].

use std::fmt;
use std::path::PathBuf;

use crate::{CheckerName, Diagnostic, Language};

/// The verdict on one file.
///
/// ```
/// use ftl_preflight::{Checker, Language, Options, Source, Status};
///
/// let checker = Checker::new(Options::default());
/// let report = checker.check_source(Source::new("lib.rs", "pub fn two() -> u8 { 2 }\n"));
/// assert_eq!((report.language, report.status), (Some(Language::Rust), Status::Valid));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// The path as it was given.
    pub path: PathBuf,
    /// The language that the file was read as; `None` when no row of the table fits.
    pub language: Option<Language>,
    /// Who gave the verdict.
    pub checker: CheckerName,
    /// The verdict.
    pub status: Status,
    /// What the parser had found in a file that the language's front end then accepted.
    pub overruled: Option<Vec<Diagnostic>>,
}

impl Report {
    /// The findings; empty unless the file is invalid.
    ///
    /// ```
    /// use ftl_preflight::{Checker, Options, Source};
    ///
    /// let checker = Checker::new(Options::default());
    /// let report = checker.check_source(Source::new("a.json", r#"{"a": }"#));
    /// assert_eq!(report.diagnostics()[0].column, 7);
    /// ```
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        match &self.status {
            Status::Invalid(diagnostics) => diagnostics,
            Status::Valid | Status::Unchecked { .. } => &[],
        }
    }
}

/// A status, the checker that gave it, and the findings that it overruled.
pub(crate) struct Verdict {
    pub(crate) checker: CheckerName,
    pub(crate) status: Status,
    pub(crate) overruled: Option<Vec<Diagnostic>>,
}

impl Verdict {
    /// A verdict that overrules no other.
    pub(crate) fn of(checker: CheckerName, status: Status) -> Self {
        Self { checker, status, overruled: None }
    }
}

/// Whether the syntax is accepted.
///
/// ```
/// use ftl_preflight::{Report, Status};
///
/// fn line(report: &Report) -> String {
///     match &report.status {
///         Status::Valid => "fine".to_owned(),
///         Status::Invalid(found) => format!("{} on line {}", found[0].message, found[0].line),
///         Status::Unchecked { reason } => reason.to_string(),
///         other => other.as_str().to_owned(),
///     }
/// }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Status {
    /// The syntax is accepted.
    Valid,
    /// The syntax is refused; at least one finding, in the order of the file.
    Invalid(Vec<Diagnostic>),
    /// Neither could be established.
    Unchecked {
        /// Why not.
        reason: Reason,
    },
}

impl Status {
    /// `valid`, `invalid` or `unchecked`.
    ///
    /// ```
    /// assert_eq!(ftl_preflight::Status::Valid.as_str(), "valid");
    /// ```
    #[must_use]
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Valid => "valid",
            Self::Invalid(_) => "invalid",
            Self::Unchecked { .. } => "unchecked",
        }
    }
}

/// Why a file was not checked. Its `Display` is a sentence part for people.
///
/// ```
/// use ftl_preflight::Reason;
///
/// assert_eq!(Reason::UnknownLanguage.to_string(), "no checker for this kind of file");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// Neither the name nor the extension is in the table.
    UnknownLanguage,
    /// The language is known, but its cargo feature was off when this was built.
    NotBuilt(Language),
    /// The file could not be read.
    Unreadable(String),
    /// The file is larger than a parser's offsets reach, in bytes.
    TooLarge(u64),
    /// Nested or chained more deeply than the parser follows safely.
    TooDeep,
    /// The text is in an encoding that the language allows and that is not known here.
    Encoding(String),
    /// The file uses what the language got after the parser was written.
    Newer(&'static str),
    /// The file does not parse, but looks like a template (`{{`, `{%`, `<%`) that is rendered first.
    Template,
    /// The file does not parse, and is in another format or language than its name says.
    OtherFormat(&'static str),
    /// What is checked of such a file has no error, and the rest, such as its template, was not read.
    InPart,
    /// The tool that was to be asked is not installed.
    MissingTool(String),
    /// The language has no front end that could be asked.
    NoFrontEnd(Language),
    /// The parser panicked, or the front end crashed, timed out or answered in an unknown form.
    CheckerFailed(String),
    /// No thread could be started to run the parser. This says nothing about the file: trying again
    /// may succeed.
    NoThread(String),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownLanguage => f.write_str("no checker for this kind of file"),
            Self::NotBuilt(language) => write!(f, "built without the checker for `{language}`"),
            Self::Unreadable(why) => write!(f, "cannot be read: {why}"),
            Self::TooLarge(bytes) => write!(f, "{bytes} bytes are too many to check"),
            Self::TooDeep => f.write_str("nested more deeply than the parser follows safely"),
            Self::Encoding(name) => write!(f, "the encoding `{name}` is not known"),
            Self::Newer(name) => write!(f, "the parser does not know `{name}`"),
            Self::Template => f.write_str("looks like a template of such a file"),
            Self::OtherFormat(name) => write!(f, "looks like {name}"),
            Self::InPart => f.write_str("its scripts parse; the rest is not checked"),
            Self::MissingTool(tool) => write!(f, "`{tool}` is not installed"),
            Self::NoFrontEnd(language) => write!(f, "`{language}` has no front end to ask"),
            Self::CheckerFailed(why) => write!(f, "the checker failed: {why}"),
            Self::NoThread(why) => write!(f, "no thread to check it on: {why}"),
        }
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Report {
    /// `{"path", "language", "checker", "status", "reason"?, "diagnostics",
    /// "overruled"?}`; a path that is not UTF-8 has its strange bytes replaced.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;

        let reason = match &self.status {
            Status::Unchecked { reason } => Some(reason.to_string()),
            Status::Valid | Status::Invalid(_) => None,
        };
        let fields = 5 + usize::from(reason.is_some()) + usize::from(self.overruled.is_some());
        let mut out = serializer.serialize_struct("Report", fields)?;
        out.serialize_field("path", &self.path.to_string_lossy())?;
        out.serialize_field("language", &self.language.map(Language::name))?;
        out.serialize_field("checker", &self.checker)?;
        out.serialize_field("status", self.status.as_str())?;
        match &reason {
            Some(reason) => out.serialize_field("reason", reason)?,
            None => out.skip_field("reason")?,
        }
        out.serialize_field("diagnostics", self.diagnostics())?;
        match &self.overruled {
            Some(overruled) => out.serialize_field("overruled", overruled)?,
            None => out.skip_field("overruled")?,
        }
        out.end()
    }
}
