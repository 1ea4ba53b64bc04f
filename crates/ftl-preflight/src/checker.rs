//! From files to reports: one at a time on a thread that is kept, or many on every core.
//!
//! `judge.rs` is what runs on that thread; `worker.rs` says why it needs a separate one.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use crate::judge::{judge_bytes, judge_file, unchecked};
use crate::manifest::Manifests;
use crate::worker::{self, Worker};
use crate::{Options, Reason, Report, Source};

/// Checks one file's bytes with the default options; `path` decides the language.
///
/// To check more than one, keep a [`Checker`], which keeps its thread.
///
/// ```
/// let report = ftl_preflight::check("pyproject.toml", "[project]\nname = \"a\"\n");
/// assert_eq!(report.status, ftl_preflight::Status::Valid);
/// ```
#[must_use]
pub fn check(path: impl AsRef<Path>, bytes: impl AsRef<[u8]>) -> Report {
    Checker::new(Options::default()).check_source(Source::new(&path, &bytes))
}

/// Checks files. It is cheap to make, but keep it: it keeps its thread.
///
/// ```
/// use ftl_preflight::{Checker, Options, Source};
///
/// let checker = Checker::new(Options::default());
/// for (name, text) in [("a.py", "x = 1\n"), ("b.go", "package b\n")] {
///     assert_eq!(checker.check_source(Source::new(name, text)).status.as_str(), "valid");
/// }
/// ```
pub struct Checker {
    options: Arc<Options>,
    worker: Worker,
}

impl Checker {
    /// A checker that starts no thread before its first check.
    ///
    /// ```
    /// use ftl_preflight::{Checker, Options};
    ///
    /// let checker = Checker::new(Options::default());
    /// ```
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self { worker: Worker::new(options.nesting), options: Arc::new(options) }
    }

    /// Reads a file and checks it.
    ///
    /// A file that cannot be read is unchecked, and so is a path that names no file, such as a
    /// directory's.
    ///
    /// ```no_run
    /// # use ftl_preflight::{Checker, Options};
    /// # use std::path::Path;
    /// let report = Checker::new(Options::default()).check_path(Path::new("src/main.rs"));
    /// println!("{}: {}", report.path.display(), report.status.as_str());
    /// ```
    #[must_use]
    pub fn check_path(&self, path: &Path) -> Report {
        let (owned, options) = (path.to_owned(), Arc::clone(&self.options));
        let job = move || judge_file(&owned, &options, &Manifests::default());
        self.worker.run(job).unwrap_or_else(|why| self.failed(path, why))
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
        let (path, bytes) = (source.path.to_owned(), source.bytes.to_vec());
        let (language, options) = (source.language, Arc::clone(&self.options));
        let job = move || judge_bytes(&path, language, &bytes, &options, &Manifests::default());
        self.worker.run(job).unwrap_or_else(|why| self.failed(source.path, why))
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
        // The number of cores is read from files, which a single path needs not.
        let cores = || thread::available_parallelism().map_or(1, usize::from);
        let threads = if paths.len() < 2 { paths.len() } else { cores().min(paths.len()) };
        if threads < 2 {
            return paths.iter().map(|path| self.check_path(path.as_ref())).collect();
        }
        // The threads take the next path off one counter: files differ so much in size that equal
        // shares would leave cores idle.
        let (next, manifests) = (AtomicUsize::new(0), Manifests::default());
        let take = || {
            let at = next.fetch_add(1, Ordering::Relaxed);
            paths.get(at).map(|path| (at, path.as_ref()))
        };
        let done = Mutex::new(Vec::with_capacity(paths.len()));
        let add = |at: usize, report: Report| {
            done.lock().unwrap_or_else(PoisonError::into_inner).push((at, report));
        };
        let work = || {
            while let Some((at, path)) = take() {
                // A parser that panics costs its file a verdict, not the others.
                let judged = worker::guard(|| judge_file(path, &self.options, &manifests));
                add(at, judged.unwrap_or_else(|why| self.failed(path, why)));
            }
        };
        thread::scope(|scope| {
            for _ in 0..threads {
                // What a thread that cannot be started leaves over is done below.
                let _ = worker::deep(self.options.nesting).spawn_scoped(scope, work);
            }
        });
        while let Some((at, path)) = take() {
            add(at, self.check_path(path));
        }
        let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        done.sort_by_key(|&(at, _)| at);
        done.into_iter().map(|(_, report)| report).collect()
    }

    fn failed(&self, path: &Path, why: Reason) -> Report {
        unchecked(path, self.options.checker, why)
    }
}
