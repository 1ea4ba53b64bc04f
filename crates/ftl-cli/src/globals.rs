//! The options of every command: what they set holds for the whole process.

use std::env;
use std::path::Path;
use std::sync::OnceLock;

use ftl_engine::project::find;

use crate::args::{ColorArg, GlobalArgs};
use crate::failure::Failure;
use crate::output;

static GLOBALS: OnceLock<GlobalArgs> = OnceLock::new();

/// Uses colours, or none, as `--color` says.
pub(crate) fn set_colour(args: &GlobalArgs) {
    match args.color {
        Some(ColorArg::Always) => output::set_colour(true),
        Some(ColorArg::Never) => output::set_colour(false),
        Some(ColorArg::Auto) | None => {}
    }
}

/// Changes the directory, chooses colours, and keeps the rest.
pub(crate) fn set(args: GlobalArgs) -> Result<(), Failure> {
    set_colour(&args);
    if let Some(directory) = &args.directory {
        env::set_current_dir(directory).map_err(|error| {
            let message = format!("cannot run in `{}`: {error}", directory.display());
            Failure::usage("usage::directory", message).help("name a directory with `-C`")
        })?;
    }
    let _ = GLOBALS.set(args);
    Ok(())
}

/// What was given.
pub(crate) fn all() -> &'static GlobalArgs {
    GLOBALS.get_or_init(GlobalArgs::default)
}

/// `--root`.
pub(crate) fn root() -> Option<&'static Path> {
    all().root.as_deref()
}

/// `--config`.
pub(crate) fn config() -> Option<&'static Path> {
    all().config.as_deref()
}

/// `--quiet`.
pub(crate) fn is_quiet() -> bool {
    all().quiet
}

/// `--verbose`.
pub(crate) fn is_verbose() -> bool {
    all().verbose
}

/// The words with which a command finds this project from the directory of the user: `-C DIR`.
pub(crate) fn directory() -> Vec<String> {
    let directory = all().directory.as_ref();
    let words = directory.map(|dir| ["-C".to_owned(), dir.to_string_lossy().into_owned()]);
    words.into_iter().flatten().collect()
}

/// Whether there is a project here, or above.
pub(crate) fn is_in_project() -> bool {
    find(root(), None).is_ok_and(|layout| layout.ftl_dir().exists())
}
