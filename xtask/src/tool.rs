//! Chores that are packages of their own below tools/: built when they are asked for.

use std::path::Path;

use ftl_testkit::program::Program;
use ftl_testkit::{Result, root};

/// Runs a tool in the current directory, and ends with its exit code when that is not 0.
///
/// # Errors
///
/// It could not be started, or a signal ended it.
pub(crate) fn run(package: &str, words: &[&str]) -> Result {
    let code = Program::cargo_in(Path::new("."))
        .args(["run", "--quiet", "--package", package])
        .args(["--manifest-path"])
        .args([root().join("Cargo.toml")])
        .args(["--"])
        .args(words)
        .code()?;
    match code {
        0 => Ok(()),
        // The tool has said why.
        code => std::process::exit(code),
    }
}
