//! How to check: the version of Python, who gives the verdicts, bounds, and commands. Everything
//! has a default.

#[cfg(feature = "toolchain")]
use std::collections::BTreeMap;
#[cfg(feature = "toolchain")]
use std::ffi::{OsStr, OsString};
#[cfg(feature = "toolchain")]
use std::path::{Path, PathBuf};
#[cfg(feature = "toolchain")]
use std::time::Duration;

use crate::CheckerName;
use crate::nesting::LIMIT;

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
    pub const NEWEST: Self = Self { major: 3, minor: 15 };
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
    /// Which checker gives the verdicts.
    pub checker: CheckerName,
    /// How deeply a file may be nested, in tokens, before it is left unchecked.
    pub nesting: usize,
    /// How long a tool may take over one file.
    #[cfg(feature = "toolchain")]
    pub timeout: Duration,
    /// Commands that judge files by suffix (lower case, with the dot), before everything else.
    #[cfg(feature = "toolchain")]
    pub(crate) commands: BTreeMap<String, Vec<String>>,
    /// Where they run; `None` for the current directory.
    #[cfg(feature = "toolchain")]
    pub(crate) directory: Option<PathBuf>,
    /// Where programs are found by their names; `None` for a search in `path`.
    #[cfg(feature = "toolchain")]
    pub(crate) find_program: Option<fn(&OsStr) -> Option<PathBuf>>,
    /// The `PATH` that programs are given.
    #[cfg(feature = "toolchain")]
    pub(crate) path: fn() -> OsString,
    /// Whether running programs are to be ended.
    #[cfg(feature = "toolchain")]
    pub(crate) is_interrupted: fn() -> bool,
    /// The program of the disposable process, and its first arguments.
    #[cfg(feature = "toolchain")]
    pub(crate) scout: Option<(PathBuf, Vec<String>)>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            python: PythonVersion::NEWEST,
            checker: CheckerName::default(),
            nesting: LIMIT,
            #[cfg(feature = "toolchain")]
            timeout: Duration::from_secs(30),
            #[cfg(feature = "toolchain")]
            commands: BTreeMap::new(),
            #[cfg(feature = "toolchain")]
            directory: None,
            #[cfg(feature = "toolchain")]
            find_program: None,
            #[cfg(feature = "toolchain")]
            path: crate::toolchain::process::absolute_path,
            #[cfg(feature = "toolchain")]
            is_interrupted: || false,
            #[cfg(feature = "toolchain")]
            scout: None,
        }
    }
}

impl Options {
    /// The stack, in bytes, of a thread on which any parser of these languages can read a file that is
    /// not [too deep](crate::Reason::TooDeep) under these options. Mostly address space: only what a
    /// parse touches becomes memory.
    pub fn stack(&self) -> usize {
        crate::worker::stack(self.nesting)
    }

    /// Parses Python files under this version.
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

    /// Takes verdicts from this checker.
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

    /// Leaves files unchecked that are nested more deeply than this, in tokens. The default is 20,000.
    ///
    /// Parsers get 26 KiB of stack for each, which is address space and becomes memory only as
    /// far as a file makes them use it. Where address space is scarce, less will do: source that
    /// people write is seldom nested more deeply than a few hundred.
    ///
    /// ```
    /// use ftl_preflight::{Checker, CheckerName, Options, Reason, Source, Status};
    ///
    /// let options = Options::default().with_checker(CheckerName::Embedded);
    /// let small = Checker::new(options.with_nesting(1_000));
    /// let deep = format!("package a\nvar b = {}c", "(".repeat(2_000));
    /// let report = small.check_source(Source::new("a.go", &deep));
    /// assert_eq!(report.status, Status::Unchecked { reason: Reason::TooDeep });
    /// ```
    #[must_use]
    pub fn with_nesting(mut self, tokens: usize) -> Self {
        self.nesting = tokens;
        self
    }

    /// Ends a tool that takes longer than this over one file. The default is 30 seconds.
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

    /// Judges files whose names end in this suffix by the exit code of a command, whatever their
    /// language. The longest suffix that fits decides; [`CheckerName::Embedded`] runs no command.
    ///
    /// `{file}` in a word is replaced by the path; a command without it gets the path as its last word. Lines
    /// of output such as `PATH:LINE:COLUMN: MESSAGE` become diagnostics. Bytes that are not stored under
    /// their path are checked as a temporary copy.
    ///
    /// ```
    /// use ftl_preflight::Options;
    ///
    /// let options = Options::default().with_command(".kt", ["ktlint", "{file}"]);
    /// assert!(options.has_command("src/Main.kt".as_ref()));
    /// ```
    #[cfg(feature = "toolchain")]
    #[must_use]
    pub fn with_command<W: Into<String>>(
        mut self,
        suffix: &str,
        words: impl IntoIterator<Item = W>,
    ) -> Self {
        let suffix = suffix.strip_prefix('.').unwrap_or(suffix).to_ascii_lowercase();
        self.commands.insert(format!(".{suffix}"), words.into_iter().map(Into::into).collect());
        self
    }

    /// Runs the commands in this directory. The default is the current directory.
    ///
    /// ```
    /// let options = ftl_preflight::Options::default().with_command_directory("/srv/project");
    /// ```
    #[cfg(feature = "toolchain")]
    #[must_use]
    pub fn with_command_directory(mut self, directory: impl Into<PathBuf>) -> Self {
        self.directory = Some(directory.into());
        self
    }

    /// Finds programs by `find`, and gives them `path` as their `PATH`. The default is the `PATH` of this
    /// process without its relative entries: a caller that checks files of people it does not trust leaves
    /// out what they may write.
    ///
    /// ```
    /// let options = ftl_preflight::Options::default().with_programs(|_| None, || "/usr/bin".into());
    /// ```
    #[cfg(feature = "toolchain")]
    #[must_use]
    pub fn with_programs(
        mut self,
        find: fn(&OsStr) -> Option<PathBuf>,
        path: fn() -> OsString,
    ) -> Self {
        (self.find_program, self.path) = (Some(find), path);
        self
    }

    /// Ends a running program, and leaves its file unchecked, as soon as this is true: for a caller that
    /// handles SIGINT, since each program has a separate process group.
    ///
    /// ```
    /// let options = ftl_preflight::Options::default().with_interrupt(|| false);
    /// ```
    #[cfg(feature = "toolchain")]
    #[must_use]
    pub fn with_interrupt(mut self, is_interrupted: fn() -> bool) -> Self {
        self.is_interrupted = is_interrupted;
        self
    }

    /// Whether a command decides about a file of this name.
    ///
    /// ```
    /// assert!(!ftl_preflight::Options::default().has_command("src/Main.kt".as_ref()));
    /// ```
    #[cfg(feature = "toolchain")]
    #[must_use]
    pub fn has_command(&self, path: &Path) -> bool {
        self.command(path).is_some()
    }

    /// The command for a file.
    #[cfg(feature = "toolchain")]
    pub(crate) fn command(&self, path: &Path) -> Option<&[String]> {
        if self.commands.is_empty() || self.checker == CheckerName::Embedded {
            return None;
        }
        let name = path.file_name()?.to_str()?.to_ascii_lowercase();
        let fits = self.commands.iter().filter(|(suffix, _)| name.ends_with(suffix.as_str()));
        fits.max_by_key(|(suffix, _)| suffix.len()).map(|(_, words)| words.as_slice())
    }

    /// Parses a file whose nesting cannot be measured for certain in a disposable process first, and
    /// leaves it unchecked if that process crashes.
    ///
    /// The program is started as `PROGRAM WORDS… LANGUAGE PATH` with the text on standard input.
    /// It has to be built from the same version of this crate, with the same options; most
    /// simply it is the caller's own executable, with an argument that it is started with:
    ///
    /// ```no_run
    /// use ftl_preflight::{Checker, CheckerName, Options, Source};
    /// use std::io::Read;
    ///
    /// let words: Vec<String> = std::env::args().collect();
    /// if let ["scout", language, path] = words[1..].iter().map(String::as_str).collect::<Vec<_>>()[..] {
    ///     let mut text = Vec::new();
    ///     std::io::stdin().read_to_end(&mut text)?;
    ///     let source = Source::new(path, &text).with_language(language.parse()?);
    ///     let options = Options::default().with_checker(CheckerName::Embedded);
    ///     Checker::new(options).check_source(source);
    ///     return Ok(()); // It has survived, which is all that was asked.
    /// }
    /// let options = Options::default().with_scout(std::env::current_exe()?, ["scout"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Only JavaScript and TypeScript of more than 20,000 tokens (in optimised builds 120,000)
    /// ever need it.
    #[cfg(feature = "toolchain")]
    #[must_use]
    pub fn with_scout<W: Into<String>>(
        mut self,
        program: impl Into<PathBuf>,
        words: impl IntoIterator<Item = W>,
    ) -> Self {
        let words = words.into_iter().map(Into::into).collect();
        self.scout = Some((program.into(), words));
        self
    }
}
