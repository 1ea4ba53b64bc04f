//! What the tests and the tools share: starting programs, temporary directories, builds of `ftl`
//! and files that are generated.
//!
//! It uses nothing of the shipped crates, so that a fault of theirs cannot hide itself in a test.

#![expect(clippy::print_stderr, clippy::print_stdout, reason = "tools talk to the terminal")]

pub mod build;
pub mod build_tools;
pub mod fetched;
pub mod fleet;
pub mod page;
pub mod parallel;
pub mod peak;
pub mod program;
pub mod random;
pub mod scratch;
pub mod sweep;
pub mod tree;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// What a tool returns: nothing, or a sentence for the person who called it.
pub type Result<T = ()> = std::result::Result<T, Box<dyn std::error::Error>>;

/// The `main` of a tool: gives `run` the words of the command line, and prints its error.
pub fn main(run: impl FnOnce(&[&str]) -> Result) -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match run(&words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The repository's top directory.
///
/// # Panics
///
/// Never in practice: this package is two directories below the top.
#[must_use]
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .expect("because this package is two directories below the top")
        .to_path_buf()
}
