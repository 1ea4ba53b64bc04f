//! `cargo xtask evaluate evidence`: what the experiments of a build say of real projects.

mod commands;
mod commits;
mod costs;
mod replay;
mod sly;

use ftl_testkit::Result;

/// Makes one of the measurements, on clones in `DIRECTORY/OWNER/NAME`.
///
/// # Errors
///
/// A repository or a list could not be read, or a program not be started.
pub(crate) fn run(words: &[&str]) -> Result {
    match words {
        ["commits", directory] => commits::run(directory, None),
        ["commits", directory, of] => commits::run(directory, Some(of)),
        ["commands", directory] => commands::run(directory),
        ["costs", directory] => costs::run(directory),
        ["sly", directory] => sly::run(directory),
        _ => Err(crate::HELP.into()),
    }
}
