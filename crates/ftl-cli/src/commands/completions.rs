//! `ftl completions`.

use clap::CommandFactory;

use crate::args::{Cli, CompletionsArgs};
use crate::{CommandResult, output};

/// Prints the completion script of a shell.
pub(crate) fn run(args: &CompletionsArgs) -> CommandResult {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "ftl", &mut script);
    output::result(&String::from_utf8_lossy(&script)).map(|()| 0)
}
