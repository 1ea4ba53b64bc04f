//! One file for each runner, or for a form that several share. Each function takes the plain lines
//! of an output and gives those that carry the error, the one to quote first; none when the output
//! is not of its runner.
//!
//! A runner is recognised by the marks that it alone writes, and not by the command, which may be a
//! script that runs several. Real outputs of each are in `tests/cases/errors`. What no runner here
//! knows is read by the general rules of `general`.

mod ava;
mod behave;
mod biome;
mod bun;
mod cargo;
mod compiler;
mod django;
mod general;
mod go;
mod googletest;
mod jest;
mod junit;
mod listing;
mod message;
mod numbered;
mod pytest;
mod sections;
mod tap;
mod test_unit;
mod traceback;
mod tsc;
mod unittest;
mod vitest;

type Runner = fn(&[&str]) -> Vec<String>;

/// Every runner, the most specific marks first: a later one is asked only when all before it found
/// nothing, so that what a failing test printed is not taken for the failure. That is why pytest is
/// there three times: its `E` lines before all others, what it says of files that it can't collect
/// after them, and its summary, which shortens messages, after a traceback.
const RUNNERS: &[Runner] = &[
    pytest::marked_lines,
    vitest::messages,
    jest::messages,
    googletest::messages,
    go::messages,
    cargo::panics,
    junit::messages,
    numbered::messages,
    test_unit::messages,
    unittest::messages,
    ava::messages,
    bun::messages,
    tsc::errors,
    compiler::errors,
    compiler::above_places,
    tap::messages,
    pytest::collection,
    listing::findings,
    biome::findings,
    sections::messages,
    behave::messages,
    django::messages,
    traceback::groups,
    traceback::last_lines,
    pytest::summary,
    general::lines,
];

/// The error lines of the first runner that recognises `lines`.
pub(super) fn lines_of(lines: &[&str]) -> Vec<String> {
    RUNNERS.iter().map(|runner| runner(lines)).find(|found| !found.is_empty()).unwrap_or_default()
}
