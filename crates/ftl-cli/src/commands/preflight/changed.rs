//! The files that `--changed` means.

use std::env;
use std::path::{Path, PathBuf};

use ftl_engine::project::{TreeError, changed_since};

use super::refuse_missing;
use crate::exit::{FAILED, USAGE};
use crate::failure::Failure;
use ftl_engine::project::relative;

/// Known files that differ from a revision, as they would be typed: those at and below what
/// was named, or of the whole repository. They are known as in a walk, since the user did not name the
/// files.
pub(super) fn files(
    named: &[PathBuf],
    revision: Option<&str>,
    is_known: &dyn Fn(&Path) -> bool,
) -> Result<Vec<PathBuf>, Failure> {
    refuse_missing(named)?;
    let here = env::current_dir().and_then(|here| here.canonicalize()).map_err(|error| {
        let message = format!("cannot find the current directory: {error}");
        Failure::failed("project::current_directory", message)
    })?;
    let changed = changed_since(&here, revision).map_err(|error| failure(&error))?;
    let known = changed.iter().filter(|path| is_known(path));
    if named.is_empty() {
        return Ok(known.map(|path| relative(&here, path)).collect());
    }
    let places: Vec<(&PathBuf, PathBuf)> =
        named.iter().filter_map(|path| Some((path, path.canonicalize().ok()?))).collect();
    let typed = |path: &PathBuf| {
        places.iter().find_map(|(typed, place)| {
            let below = path.strip_prefix(place).ok()?;
            Some(match below.as_os_str().is_empty() {
                true => (*typed).clone(),
                false => typed.join(below),
            })
        })
    };
    Ok(known.filter_map(typed).collect())
}

fn failure(error: &TreeError) -> Failure {
    let (exit, code, help) = match error {
        TreeError::NoGit { .. } => (
            USAGE,
            "usage::changed",
            "name the files or directories to check instead of `--changed`",
        ),
        TreeError::NoSuchRevision { .. } => (
            USAGE,
            "usage::changed",
            "name a revision that git knows; files and directories stand before `--changed`",
        ),
        _ => (FAILED, "preflight::changed", "see what git says of it: `git status`"),
    };
    Failure::new(exit, code, error.to_string()).help(help)
}
