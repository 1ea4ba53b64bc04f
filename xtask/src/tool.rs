//! Chores that are packages of their own below tools/: built when they are asked for.
//!
//! What a tool does and which words it takes is its own business.

use std::path::Path;

use ftl_testkit::build::directory_of;
use ftl_testkit::program::Program;
use ftl_testkit::{Result, root};

/// Runs a tool in the current directory, and ends with its exit code when that is not 0.
///
/// # Errors
///
/// It could not be started, or a signal ended it.
pub(crate) fn run(package: &str, words: &[&str]) -> Result {
    let tool = Program::cargo_in(Path::new("."))
        .args(["run", "--quiet", "--package", package])
        .args(["--manifest-path"])
        .args([root().join("Cargo.toml")])
        .args(["--"]);
    finish(tool.args(words))
}

/// As [`run`], for a tool that uses the engine. It is built together with `ftl`, as the tests are:
/// built alone, its dependencies have fewer features, and the engine is compiled once more.
///
/// # Errors
///
/// It could not be built or started, or a signal ended it.
pub(crate) fn run_with_engine(package: &str, words: &[&str]) -> Result {
    Program::cargo()
        .args(["build", "--quiet", "--examples"])
        .args(["--package", "ftl-cli", "--bin", "ftl"])
        .args(["--package", package, "--bin", package])
        .run()?;
    finish(Program::new(directory_of("dev")?.join(package), Path::new(".")).args(words))
}

fn finish(tool: Program) -> Result {
    match tool.code()? {
        0 => Ok(()),
        // The tool has said why.
        code => std::process::exit(code),
    }
}
