//! The options of every command: what they set holds for the whole process.

use std::env;
use std::path::PathBuf;
use std::sync::OnceLock;

use ftl_engine::project::find;

use crate::args::{ColorArg, GlobalArgs};
use crate::failure::Failure;
use crate::output;

static GLOBALS: OnceLock<GlobalArgs> = OnceLock::new();

/// Changes the directory, chooses colours, and keeps the rest.
pub(crate) fn set(args: GlobalArgs) -> Result<(), Failure> {
    match args.color {
        Some(ColorArg::Always) => output::set_colour(true),
        Some(ColorArg::Never) => output::set_colour(false),
        Some(ColorArg::Auto) | None => {}
    }
    if let Some(directory) = &args.directory {
        env::set_current_dir(directory).map_err(|error| {
            let message = format!("cannot run in `{}`: {error}", directory.display());
            Failure::usage("usage::directory", message).help("name a directory with `-C`")
        })?;
    }
    let _ = GLOBALS.set(args);
    Ok(())
}

fn globals() -> Option<&'static GlobalArgs> {
    GLOBALS.get()
}

/// `--config`.
pub(crate) fn config() -> Option<PathBuf> {
    globals()?.config.clone()
}

/// `--quiet`.
pub(crate) fn is_quiet() -> bool {
    globals().is_some_and(|args| args.quiet)
}

/// `--verbose`.
pub(crate) fn is_verbose() -> bool {
    globals().is_some_and(|args| args.verbose)
}

/// The words with which a command finds this project from where the user stands: `-C DIR`.
pub(crate) fn directory() -> Vec<String> {
    let directory = globals().and_then(|args| args.directory.as_ref());
    let words = directory.map(|dir| ["-C".to_owned(), dir.to_string_lossy().into_owned()]);
    words.into_iter().flatten().collect()
}

/// Whether there is a project here, or above.
pub(crate) fn is_in_project() -> bool {
    let root = globals().and_then(|args| args.root.as_deref());
    find(root, None).is_ok_and(|layout| layout.ftl_dir().exists())
}
