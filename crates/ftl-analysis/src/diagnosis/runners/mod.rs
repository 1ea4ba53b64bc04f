//! One file for each runner, or for a form that several share. Each function takes the plain lines
//! of an output and gives those that carry the error, the one to quote first; none when the output
//! is not of its runner.
//!
//! A runner is recognised by the marks that it alone writes, and not by the command, which may be a
//! script that runs several. Real outputs of each are in `tests/cases/errors`. What no runner here
//! knows is read by the general rules of `general`.

mod compiler;
mod general;
mod sections;
mod tests;
mod traceback;
mod whole;

use crate::failures;

type Runner = fn(&[&str]) -> Vec<String>;

/// Every runner, the most specific marks first: a later one is asked only when all before it found
/// nothing, so that what a failing test printed is not taken for the failure. What is known of failed tests comes before
/// all others.
const RUNNERS: &[Runner] = &[
    tests::messages,
    whole::marked,
    compiler::errors,
    whole::run,
    whole::usage,
    sections::messages,
    whole::django,
    failures::exception_group,
    traceback::last_lines,
    general::lines,
];

/// The error lines of the first runner that recognises `lines`.
pub(super) fn lines_of(lines: &[&str]) -> Vec<String> {
    RUNNERS.iter().map(|runner| runner(lines)).find(|found| !found.is_empty()).unwrap_or_default()
}
