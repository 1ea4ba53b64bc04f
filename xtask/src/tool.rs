//! Chores that are separate packages below tools/: built when they are asked for.
//!
//! What a tool does and which words it takes is its own business.

use std::path::Path;

use ftl_testkit::Result;
use ftl_testkit::build;
use ftl_testkit::program::Program;

/// Runs a tool in the current directory, and ends with its exit code when that is not 0.
///
/// # Errors
///
/// It could not be built or started, or a signal ended it.
pub(crate) fn run(package: &str, words: &[&str]) -> Result {
    let tool = build::program(package, "dev")?;
    match Program::new(tool, Path::new(".")).args(words).code()? {
        0 => Ok(()),
        // The tool has said why.
        code => std::process::exit(code),
    }
}
