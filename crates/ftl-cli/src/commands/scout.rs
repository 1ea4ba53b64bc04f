//! `ftl scout`: the process that a checker sends ahead into what might end it.

use std::env;
use std::io::{self, Read};
use std::path::PathBuf;

use ftl_preflight::{Checker, CheckerName, Options, Source};

use crate::CommandResult;
use crate::args::ScoutArgs;
use crate::failure::Failure;

/// This program, if it can be found.
pub(crate) fn program() -> Option<PathBuf> {
    env::current_exe().ok()
}

/// Parses standard input. To come back is all that is asked.
pub(crate) fn run(args: &ScoutArgs) -> CommandResult {
    // A core dump of a scout is of no use.
    drop(ftl_process::forgo_core_dump());
    let mut text = Vec::new();
    io::stdin()
        .lock()
        .read_to_end(&mut text)
        .map_err(|error| Failure::failed("scout::unreadable", error.to_string()))?;
    let source = Source::new(&args.path, &text).with_language(args.language);
    let options = Options::default().with_checker(CheckerName::Embedded);
    drop(Checker::new(options).check_source(source));
    Ok(0)
}
