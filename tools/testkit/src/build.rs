//! Building `ftl`, for tools that show, measure or test the program as a whole.
//!
//! Whole-system tests do not come here: cargo hands them the program that it built for them.

use std::path::PathBuf;

use crate::Result;
use crate::program::Program;

/// Names the `ftl` to use, where one is built already.
pub const FTL: &str = "FTL";

/// The `ftl` that the variable [`FTL`] names, else a release build.
///
/// # Errors
///
/// The variable names no file, or the build failed.
pub fn named_or_release() -> Result<PathBuf> {
    match std::env::var_os(FTL) {
        Some(path) => Ok(PathBuf::from(path).canonicalize()?),
        None => ftl("release"),
    }
}

/// Builds `ftl` in a profile and returns the program's path.
///
/// # Errors
///
/// The build failed.
pub fn ftl(profile: &str) -> Result<PathBuf> {
    program("ftl", profile)
}

/// What tests and tools ask for of `ftl` beyond its default: nothing is compiled for two sets of features.
pub const WORKERS: &str = "ftl-task/workers";

/// Builds a program of the workspace in a profile and returns its path. cargo shows its progress.
///
/// A development build selects the whole workspace and its examples, of which there are none: cargo then
/// turns on the features that all packages and their tests ask for, so the dependencies are those that
/// the tests use and are not compiled again. A release has no features for tests.
///
/// # Errors
///
/// The build failed.
pub fn program(name: &str, profile: &str) -> Result<PathBuf> {
    let build = Program::cargo().args(["build", "--bin", name, "--profile", profile]);
    let build = match profile {
        "dev" => build.args(["--workspace", "--examples", "--features", WORKERS]),
        _ if name == "ftl" => build.args(["--package", "ftl-task", "--features", WORKERS]),
        _ => build.args(["--package", name]),
    };
    build.run()?;
    Ok(directory_of(profile)?.join(name))
}

/// Where cargo puts the programs of a profile.
///
/// # Errors
///
/// The running program is in no target directory.
pub fn directory_of(profile: &str) -> Result<PathBuf> {
    let name = if profile == "dev" { "debug" } else { profile };
    Ok(target_directory()?.join(name))
}

/// Cargo's target directory. The profiles' directories are siblings in it, and the running tool is
/// in one of them: that holds wherever the configuration puts it.
///
/// # Errors
///
/// The running program is in no target directory.
pub fn target_directory() -> Result<PathBuf> {
    let running = std::env::current_exe()?;
    let target = running.ancestors().nth(2);
    Ok(target.ok_or("the running program is in no target directory")?.to_path_buf())
}
