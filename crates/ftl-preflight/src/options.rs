//! What may be chosen.

#[cfg(feature = "toolchain")]
use std::collections::BTreeMap;
#[cfg(feature = "toolchain")]
use std::time::Duration;

use crate::CheckerName;

/// A version of Python, such as 3.12.
///
/// ```
/// use ftl_preflight::PythonVersion;
///
/// assert!(PythonVersion { major: 3, minor: 12 } < PythonVersion::NEWEST);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PythonVersion {
    /// The part before the point.
    pub major: u8,
    /// The part after it.
    pub minor: u8,
}

impl PythonVersion {
    /// The newest version whose grammar the embedded parser knows.
    pub const NEWEST: Self = Self {
        major: 3,
        minor: 15,
    };
}

/// How to check. The default is what most callers want.
///
/// ```
/// use ftl_preflight::{Checker, Options, PythonVersion, Source, Status};
///
/// let old = Options::default().with_python(PythonVersion { major: 3, minor: 8 });
/// let report = Checker::new(old).check_source(Source::new("a.py", "match x:\n  case 1: pass\n"));
/// assert!(matches!(report.status, Status::Invalid(_)));
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Options {
    /// The version that Python files are written for.
    pub python: PythonVersion,
    /// Who is to give the verdicts.
    pub checker: CheckerName,
    /// How long a tool may take over one file.
    #[cfg(feature = "toolchain")]
    pub timeout: Duration,
    /// Commands that judge files by extension (lower case, no dot), before everything else.
    #[cfg(feature = "toolchain")]
    pub(crate) commands: BTreeMap<String, Vec<String>>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            python: PythonVersion::NEWEST,
            checker: CheckerName::default(),
            #[cfg(feature = "toolchain")]
            timeout: Duration::from_secs(30),
            #[cfg(feature = "toolchain")]
            commands: BTreeMap::new(),
        }
    }
}

impl Options {
    /// Python files are to parse under this version.
    ///
    /// ```
    /// use ftl_preflight::{Options, PythonVersion};
    ///
    /// let options = Options::default().with_python(PythonVersion { major: 3, minor: 11 });
    /// assert_eq!(options.python.minor, 11);
    /// ```
    #[must_use]
    pub fn with_python(mut self, version: PythonVersion) -> Self {
        self.python = version;
        self
    }

    /// Verdicts are to come from this checker.
    ///
    /// ```
    /// use ftl_preflight::{CheckerName, Options};
    ///
    /// let options = Options::default().with_checker(CheckerName::Embedded);
    /// assert_eq!(options.checker, CheckerName::Embedded);
    /// ```
    #[must_use]
    pub fn with_checker(mut self, checker: CheckerName) -> Self {
        self.checker = checker;
        self
    }

    /// A tool that takes longer than this over one file is ended; 30 seconds otherwise.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// let options = ftl_preflight::Options::default().with_timeout(Duration::from_secs(5));
    /// ```
    #[cfg(feature = "toolchain")]
    #[must_use]
    pub fn with_timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// Files with this extension are to be judged by the exit code of a command. `{file}` as a
    /// whole word of it stands for the path; it runs in the current directory, and on files
    /// only, not on bytes in memory.
    ///
    /// ```
    /// use ftl_preflight::Options;
    ///
    /// let options = Options::default().with_command(".kt", ["ktlint", "{file}"]);
    /// ```
    #[cfg(feature = "toolchain")]
    #[must_use]
    pub fn with_command<W: Into<String>>(
        mut self,
        extension: &str,
        words: impl IntoIterator<Item = W>,
    ) -> Self {
        let extension = extension
            .strip_prefix('.')
            .unwrap_or(extension)
            .to_ascii_lowercase();
        self.commands
            .insert(extension, words.into_iter().map(Into::into).collect());
        self
    }
}
