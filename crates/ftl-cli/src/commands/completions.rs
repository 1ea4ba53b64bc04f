//! `ftl completions`.

use clap::CommandFactory;

use crate::args::{Cli, CompletionsArgs};
use crate::{Done, output};

/// Prints the completion script of a shell.
pub(crate) fn run(args: &CompletionsArgs) -> Done {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "ftl", &mut script);
    output::result(&String::from_utf8_lossy(&script)).map(|()| 0)
}
