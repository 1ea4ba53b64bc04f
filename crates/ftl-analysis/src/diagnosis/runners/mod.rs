//! One file for each runner. Each function takes the plain lines of an output and gives those that
//! carry the error, the one to quote first; none when the output is not of its runner.
//!
//! A runner is recognised by the marks that it alone writes, and not by the command, which may be a
//! script that runs several. Real outputs of each are in `tests/cases/errors`.

mod cargo;
mod compiler;
mod exception;
mod go;
mod jest;
mod pytest;
mod tap;
mod traceback;
mod tsc;
mod words;

type Runner = fn(&[&str]) -> Vec<String>;

/// Every runner, the most specific marks first: a later one is asked only when all before it found
/// nothing, so that what a failing test printed is not taken for the failure. That is why pytest is
/// there twice: its `E` lines before all others, its summary, which shortens messages, after a
/// traceback.
const RUNNERS: [Runner; 11] = [
    pytest::marked_lines,
    jest::messages,
    go::messages,
    cargo::panics,
    tsc::errors,
    compiler::errors,
    tap::messages,
    traceback::last_lines,
    pytest::summary,
    exception::lines,
    words::lines,
];

/// The error lines of the first runner that recognises `lines`, else the last line not blank.
pub(super) fn lines_of(lines: &[&str]) -> Vec<String> {
    RUNNERS
        .iter()
        .map(|runner| runner(lines))
        .find(|found| !found.is_empty())
        .unwrap_or_else(|| words::last_line(lines))
}

/// Compiles a constant pattern.
fn pattern(source: &str) -> regex::Regex {
    regex::Regex::new(source).expect("because the pattern is a constant")
}
