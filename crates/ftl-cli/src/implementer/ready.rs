//! What an agent that ftl knows needs before it starts, read from files and the environment. No model is asked.

use std::path::PathBuf;

use ftl_agents::{Preset, VersionDifference};
use ftl_process::Environment;
use rustix::fs::{Access, access};
use rustix::io::Errno;

use crate::commands::agents::difference;
use crate::failure::Failure;
use crate::{globals, output};

/// Refuses an agent that could not work, before anything is begun.
pub(super) fn check(name: &str, preset: &Preset, env: &Environment) -> Result<(), Failure> {
    if let Err((dir, why)) = home(preset, env) {
        let message = format!(
            "the agent `{name}` cannot write its own directory: `{}`: {why}",
            dir.display()
        );
        return Err(Failure::failed("agent::home", message));
    }
    Ok(())
}

/// Says that the installed version is not the tested one: one that is older may refuse an option.
pub(super) fn compare(preset: &Preset, env: &Environment) {
    match difference(preset, env) {
        Some((VersionDifference::Older, said)) => output::warn(&said),
        Some((VersionDifference::Newer, said)) if !globals::is_quiet() => {
            output::message(&format!("note: {said}"));
        }
        Some(_) | None => {}
    }
}

/// The directory that the agent keeps its own in, where one is known.
///
/// # Errors
///
/// The directory that can't be written, or where it could not be made, and why.
pub(crate) fn home(
    preset: &Preset,
    env: &Environment,
) -> Result<Option<PathBuf>, (PathBuf, String)> {
    let Some(home) = preset.home_in(&env.resolve()) else {
        return Ok(None);
    };
    for dir in home.ancestors() {
        match access(dir, Access::WRITE_OK | Access::EXEC_OK) {
            Ok(()) if dir.is_dir() => return Ok(Some(home)),
            Ok(()) => return Err((dir.to_owned(), Errno::NOTDIR.to_string())),
            // It is made then, where its parent can be written.
            Err(Errno::NOENT) => {}
            Err(why) => return Err((dir.to_owned(), why.to_string())),
        }
    }
    Ok(Some(home))
}
