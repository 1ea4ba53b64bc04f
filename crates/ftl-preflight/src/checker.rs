//! From files to verdicts.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use crate::decode::{DecodeError, Text};
use crate::languages::{Finding, Outcome, Setting};
use crate::manifest::Manifests;
use crate::position::LineIndex;
use crate::worker::{self, Worker};
use crate::{CheckerName, Diagnostic, Language, Options, Reason, Report, Severity, Source, Status};

/// Largest file that is parsed, in bytes: offsets of the parsers have 32 bits.
const LARGEST: usize = 1 << 30;
/// Findings kept of one file: the first ones say what is wrong.
const MOST_FINDINGS: usize = 100;

/// Checks files. Cheap to make; keep one, for it keeps its thread.
pub struct Checker {
    options: Arc<Options>,
    worker: Worker,
}

impl Checker {
    /// A checker that starts nothing until it is asked.
    ///
    /// ```
    /// use ftl_preflight::{Checker, Options};
    ///
    /// let checker = Checker::new(Options::default());
    /// ```
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self {
            options: Arc::new(options),
            worker: Worker::new(),
        }
    }

    /// Reads a file and checks it.
    ///
    /// A file that cannot be read is unchecked. A path that is no file's, such as a
    /// directory's, is one of those.
    ///
    /// ```no_run
    /// # use ftl_preflight::{Checker, Options};
    /// # use std::path::Path;
    /// let report = Checker::new(Options::default()).check_path(Path::new("src/main.rs"));
    /// println!("{}: {}", report.path.display(), report.status.as_str());
    /// ```
    #[must_use]
    pub fn check_path(&self, path: &Path) -> Report {
        let language = Language::of_path(path);
        if let Some(reason) = refusal(language) {
            return report(path, language, Status::Unchecked { reason });
        }
        let (owned, options) = (path.to_owned(), Arc::clone(&self.options));
        let checked = self
            .worker
            .run(move || read_and_check(&owned, &options, &Manifests::default()));
        report(path, language, checked.unwrap_or_else(failed))
    }

    /// Checks bytes in memory.
    ///
    /// ```
    /// use ftl_preflight::{Checker, Options, Source, Status};
    ///
    /// let checker = Checker::new(Options::default());
    /// let report = checker.check_source(Source::new("main.go", "package main\n\nfunc main() {}\n"));
    /// assert_eq!(report.status, Status::Valid);
    /// ```
    #[must_use]
    pub fn check_source(&self, source: Source<'_>) -> Report {
        let language = source.language.or_else(|| Language::of_path(source.path));
        let status = match (refusal(language), language) {
            (Some(reason), _) => Status::Unchecked { reason },
            (None, None) => Status::Unchecked {
                reason: Reason::UnknownLanguage,
            },
            (None, Some(language)) => {
                let (path, bytes) = (source.path.to_owned(), source.bytes.to_vec());
                let options = Arc::clone(&self.options);
                let job = move || check(language, &path, &bytes, &options, &Manifests::default());
                self.worker.run(job).unwrap_or_else(failed)
            }
        };
        report(source.path, language, status)
    }

    /// Checks files on every core; the reports are in the order of the paths.
    ///
    /// ```no_run
    /// # use ftl_preflight::{Checker, Options, Status};
    /// let reports = Checker::new(Options::default()).check_many(&["a.py", "b.ts"]);
    /// let broken = reports.iter().filter(|it| matches!(it.status, Status::Invalid(_))).count();
    /// ```
    #[must_use]
    pub fn check_many<P: AsRef<Path> + Sync>(&self, paths: &[P]) -> Vec<Report> {
        let threads = thread::available_parallelism()
            .map_or(1, usize::from)
            .min(paths.len());
        if threads < 2 {
            return paths
                .iter()
                .map(|path| self.check_path(path.as_ref()))
                .collect();
        }
        let (next, manifests) = (AtomicUsize::new(0), Manifests::default());
        let take = || {
            let at = next.fetch_add(1, Ordering::Relaxed);
            paths.get(at).map(|path| (at, path.as_ref()))
        };
        let done = Mutex::new(Vec::with_capacity(paths.len()));
        let add = |at: usize, report: Report| {
            done.lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push((at, report));
        };
        let work = || {
            while let Some((at, path)) = take() {
                let checked = worker::guard(|| read_and_check(path, &self.options, &manifests));
                add(
                    at,
                    report(
                        path,
                        Language::of_path(path),
                        checked.unwrap_or_else(failed),
                    ),
                );
            }
        };
        thread::scope(|scope| {
            for _ in 0..threads {
                // What a thread that cannot be started leaves over is done below.
                let _ = worker::deep().spawn_scoped(scope, work);
            }
        });
        while let Some((at, path)) = take() {
            add(at, self.check_path(path));
        }
        let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        done.sort_by_key(|&(at, _)| at);
        done.into_iter().map(|(_, report)| report).collect()
    }
}

fn report(path: &Path, language: Option<Language>, status: Status) -> Report {
    Report {
        path: path.to_owned(),
        language,
        checker: CheckerName::Embedded,
        status,
    }
}

/// Why a file of this language need not even be read.
fn refusal(language: Option<Language>) -> Option<Reason> {
    match language {
        None => Some(Reason::UnknownLanguage),
        Some(language) if !language.is_built() => Some(Reason::NotBuilt(language)),
        Some(_) => None,
    }
}

fn failed(why: String) -> Status {
    Status::Unchecked {
        reason: Reason::CheckerFailed(why),
    }
}

fn read_and_check(path: &Path, options: &Options, manifests: &Manifests) -> Status {
    let Some(language) = Language::of_path(path) else {
        return Status::Unchecked {
            reason: Reason::UnknownLanguage,
        };
    };
    match fs::read(path) {
        Ok(bytes) => check(language, path, &bytes, options, manifests),
        Err(error) => Status::Unchecked {
            reason: Reason::Unreadable(error.to_string()),
        },
    }
}

/// Checks bytes; to be called on a deep stack.
fn check(
    language: Language,
    path: &Path,
    bytes: &[u8],
    options: &Options,
    manifests: &Manifests,
) -> Status {
    let Some(check) = language.check() else {
        return Status::Unchecked {
            reason: Reason::NotBuilt(language),
        };
    };
    if bytes.len() > LARGEST {
        return Status::Unchecked {
            reason: Reason::TooLarge(bytes.len() as u64),
        };
    }
    let text = match language.decode()(bytes) {
        Ok(text) => text,
        Err(DecodeError::Invalid(error)) => return Status::Invalid(vec![not_text(bytes, error)]),
        #[cfg(feature = "python")]
        Err(DecodeError::Unknown(name)) => {
            return Status::Unchecked {
                reason: Reason::Encoding(name),
            };
        }
    };
    match check(
        &text.content,
        &Setting {
            path,
            options,
            manifests,
        },
    ) {
        Outcome::Valid => Status::Valid,
        Outcome::Invalid(findings) => Status::Invalid(diagnostics(&text, findings)),
        Outcome::Unchecked(reason) => Status::Unchecked { reason },
    }
}

fn diagnostics(text: &Text<'_>, mut findings: Vec<Finding>) -> Vec<Diagnostic> {
    findings.sort_by_key(|finding| finding.range.start);
    findings.truncate(MOST_FINDINGS);
    let lines = LineIndex::new(&text.content);
    let place = |finding: Finding| {
        let (from, to) = (
            finding.range.start,
            finding.range.end.max(finding.range.start),
        );
        let (start, end) = (lines.position(from), lines.position(to));
        Diagnostic {
            severity: Severity::Error,
            message: finding.message,
            line: start.line,
            column: start.column,
            end_line: end.line,
            end_column: end.column,
            start: text.to_file(from),
            end: text.to_file(to),
            code: Some(finding.code.into_owned()),
            checker: CheckerName::Embedded,
        }
    };
    findings.into_iter().map(place).collect()
}

fn not_text(bytes: &[u8], error: crate::decode::NotText) -> Diagnostic {
    let before = String::from_utf8_lossy(&bytes[..error.at]);
    let before = before.strip_prefix('\u{FEFF}').unwrap_or(&before);
    let start = LineIndex::new(before).position(before.len());
    Diagnostic {
        severity: Severity::Error,
        message: error.message,
        line: start.line,
        column: start.column,
        end_line: start.line,
        end_column: start.column + 1,
        start: error.at,
        end: (error.at + 1).min(bytes.len()),
        code: Some("encoding".to_owned()),
        checker: CheckerName::Embedded,
    }
}
