//! The failed tests and compiler errors of an output: names, places, messages.
//!
//! A runner's reader knows the marks that this runner alone writes, and reads its names as they are to be
//! given back to it. Nothing is invented: a name is one that the output holds, a place is in the
//! project's own code, and an output that names neither gives its error line alone.

mod ava;
mod behave;
mod blocks;
mod bun;
mod cargo;
mod compiler;
mod draft;
mod general;
mod go;
mod go_lines;
mod googletest;
mod headed;
mod jest;
mod jvm;
mod listing;
mod locate;
mod node;
mod numbered;
mod pytest;
mod reports;
mod rerun;
mod rustc;
mod source_line;
mod tap;
mod text;
mod traceback;
mod unittest;

use std::collections::HashSet;
use std::ops::Range;

use ftl_model::RunFailure;

use draft::Draft;
use source_line::SourceLine;
use text::{PlainLines, Text};

pub use locate::{directory_of, locate};
pub use reports::{reported, with_reported};
pub use rerun::rerun;
pub(crate) use traceback::exception_group;

/// Failures that are kept of one output.
const MAX_FAILURES: usize = 500;

/// A failure and where the output speaks of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoundFailure {
    /// The failure.
    pub failure: RunFailure,
    /// Bytes of the output that belong to it, whole lines.
    pub excerpt: Range<usize>,
    /// The file or package that the runner names for the test, where it is not a part of its name.
    pub origin: Option<String>,
    /// The reader that found it, of a test runner's.
    pub(crate) runner: Option<&'static str>,
}

type Reader = fn(&[&str]) -> Vec<Draft>;

/// Readers of test runners' reports. All are asked, since a script may run several; of two that read the
/// same lines the first is right, so that a report that a test printed is not read.
const RUNNERS: &[(&str, Reader)] = &[
    ("pytest", pytest::failures),
    ("blocks", blocks::failures),
    ("jest", jest::failures),
    ("googletest", googletest::failures),
    ("cargo", cargo::failures),
    ("go", go::failures),
    ("jvm", jvm::failures),
    ("node", node::failures),
    ("numbered", numbered::failures),
    ("ava", ava::failures),
    ("bun", bun::failures),
    ("behave", behave::failures),
    ("headed", headed::failures),
    ("tap", tap::failures),
];

/// Asked one after the other until one finds something, when no test runner reported a failure.
const OTHERS: &[Reader] = &[
    traceback::ended,
    rustc::failures,
    compiler::failures,
    listing::failures,
    cargo::panic,
    traceback::failures,
    general::failures,
];
/// How many of them are of crashes, compilers, linters and panics.
const COMPILERS: usize = 5;

/// What failed, in the order of `output`, the output of `command` as it was captured. Blank output gives
/// nothing.
///
/// Paths are as the output has them, without a leading `./`: [`locate`] makes them paths of a tree.
#[must_use]
pub fn failures(output: &str, command: &str) -> Vec<FoundFailure> {
    // Most builds have no failed output, and the readers' patterns take longer to compile than such a build.
    if output.trim().is_empty() {
        return Vec::new();
    }
    let plain = PlainLines::new(output);
    let text = Text::new(&plain);
    let (first, lines) = text.failing_part();
    let drafts = of_runners(lines);
    let drafts = match drafts.is_empty() {
        false => drafts,
        true => OTHERS
            .iter()
            .map(|read| read(lines))
            .find(|found| !found.is_empty())
            .unwrap_or_default(),
    };
    let directory = locate::directory_of(command);
    let mut seen = HashSet::new();
    let mut found: Vec<FoundFailure> = Vec::new();
    for draft in drafts {
        let excerpt = text.bytes(first + draft.lines.start..first + draft.lines.end);
        let runner = draft.runner;
        // Equal tests of several files fail alike; of what has no name, one is enough.
        let place = draft.place.clone().filter(|_| draft.test.is_some());
        let (failure, origin) = draft.finish(directory.as_deref());
        if seen.insert((failure.test.clone(), failure.message.clone(), place)) {
            found.push(FoundFailure { failure, excerpt, origin, runner });
        }
    }
    found.truncate(MAX_FAILURES);
    found
}

/// What the tests of `lines` that failed said, each with the lines of its message; none where no runner reported.
pub(crate) fn messages(lines: &[&str]) -> Vec<String> {
    let of = |draft: Draft| {
        let first = draft.message.lines().next().unwrap_or_default().to_owned();
        // test-unit puts an exception behind the test, as one line.
        let is_in_heading = draft.runner == Some("test-unit");
        // What a compiler says is known by its place too.
        let is_whole = |line: &&&str| {
            line.contains(&first)
                && !line.starts_with('{')
                && !line.contains(" panicked at ")
                && (is_in_heading || SourceLine::within(line).is_some())
        };
        let mut whole = lines[draft.lines].iter().filter(is_whole);
        match whole.next().filter(|_| is_in_heading || draft.test.is_none()) {
            Some(line) => draft.message.replacen(&first, line, 1),
            None => draft.message,
        }
    };
    let mut found = of_runners(lines);
    for read in &OTHERS[..COMPILERS] {
        found = if found.is_empty() { read(lines) } else { found };
    }
    found.into_iter().map(of).collect()
}

fn of_runners(lines: &[&str]) -> Vec<Draft> {
    let mut drafts: Vec<Draft> = Vec::new();
    for (runner, read) in RUNNERS {
        let is_free = |draft: &Draft| drafts.iter().all(|other| !other.overlaps(draft));
        // A runner's summary may name again what it explained in another form.
        let is_new = |draft: &Draft| {
            draft.place.is_some() || drafts.iter().all(|other| other.test != draft.test)
        };
        let found = read(lines).into_iter().filter(|it| is_free(it) && is_new(it));
        let new: Vec<Draft> =
            found.map(|it| Draft { runner: it.runner.or(Some(runner)), ..it }).collect();
        drafts.extend(new);
    }
    drafts.sort_by_key(|draft| draft.lines.start);
    node::blame_hooks(&mut drafts);
    drafts
}
