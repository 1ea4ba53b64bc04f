//! Reading sources for their exports: on a stack that is deep enough, and only what is not too deep.
//!
//! The parsers recurse as deeply as a file nests. `ftl-preflight` measures that, for the languages whose
//! exports are read by such parsers.

use std::io;
use std::path::Path;
use std::thread;

use ftl_preflight::{Checker, CheckerName, Language, Options, Reason, Source, Status};

use crate::run::Settings;

/// How a build checks files.
pub(crate) fn options(settings: &Settings) -> Options {
    let options = with_scout(settings.syntax.checker, settings.syntax.scout.as_deref())
        .with_timeout(settings.syntax.limit)
        .with_command_directory(settings.layout.root());
    let add = |options: Options, (suffix, words): (&String, &Vec<String>)| {
        options.with_command(suffix, words.iter().cloned())
    };
    settings.syntax.commands.iter().fold(options, add)
}

/// How a checker checks, with a program that parses first what could deceive the measure.
fn with_scout(checker: CheckerName, scout: Option<&Path>) -> Options {
    let options = Options::default()
        .with_checker(checker)
        .with_programs(|name| ftl_process::find_program(name), ftl_process::trusted_path)
        .with_interrupt(|| ftl_process::interrupted().is_some());
    match scout {
        Some(program) => options.with_scout(program, ["scout"]),
        None => options,
    }
}

/// Measures sources, and runs what parses them.
pub(crate) struct Parsing {
    checker: Checker,
    stack: usize,
}

impl Parsing {
    /// With a program that parses first what could deceive the measure.
    pub(crate) fn new(scout: Option<&Path>) -> Self {
        let options = with_scout(CheckerName::Embedded, scout);
        Self { stack: options.stack(), checker: Checker::new(options) }
    }

    /// Whether a parser may read the text of a file.
    pub(crate) fn is_shallow(&self, path: &str, text: &str) -> bool {
        let recurses = match Language::of_path(Path::new(path)) {
            Some(
                Language::JavaScript
                | Language::Jsx
                | Language::TypeScript
                | Language::Tsx
                | Language::Rust,
            ) => true,
            Some(_) | None => false,
        };
        if !recurses {
            return true;
        }
        let report = self.checker.check_source(Source::new(path, text));
        !matches!(
            report.status,
            Status::Unchecked {
                reason: Reason::TooDeep
                    | Reason::TooLarge(_)
                    | Reason::CheckerFailed(_)
                    | Reason::NoThread(_)
            }
        )
    }

    /// Runs `job` on a stack for anything that is shallow.
    ///
    /// # Errors
    ///
    /// The thread cannot be started.
    pub(crate) fn run<T: Send>(&self, job: impl FnOnce() -> T + Send) -> io::Result<T> {
        thread::scope(|scope| {
            let thread = thread::Builder::new().stack_size(self.stack);
            let done = thread.spawn_scoped(scope, job)?.join();
            done.map_err(|_| io::Error::other("a parser gave way"))
        })
    }
}
