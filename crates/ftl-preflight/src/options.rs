//! What may be chosen.

/// A version of Python, such as 3.12.
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
}

impl Default for Options {
    fn default() -> Self {
        Self {
            python: PythonVersion::NEWEST,
        }
    }
}

impl Options {
    /// Python files are to parse under this version.
    #[must_use]
    pub fn with_python(mut self, version: PythonVersion) -> Self {
        self.python = version;
        self
    }
}
