//! The hidden `ftl man`: pages of the manual, from the definitions that `--help` is made from.

use clap::Command;

use crate::args::{ManArgs, command};
use crate::failure::Failure;
use crate::{CommandResult, output};

/// Prints the page of a command, or the names of all pages.
pub(crate) fn run(args: &ManArgs) -> CommandResult {
    let mut program = command().disable_help_subcommand(true);
    program.build();
    if args.list {
        let mut names = String::new();
        list(&program, "ftl", &mut names);
        return output::result(&names).map(|()| 0);
    }
    let mut page = &program;
    for word in &args.command {
        page = page.find_subcommand(word).ok_or_else(|| {
            Failure::usage("usage::page", format!("there is no command `{word}`"))
        })?;
    }
    let mut text = Vec::new();
    let version = concat!("ftl ", env!("CARGO_PKG_VERSION"));
    let man = clap_mangen::Man::new(page.clone()).source(version);
    let man = man.manual("ftl");
    man.render(&mut text).expect("because memory takes every byte");
    output::result(&String::from_utf8_lossy(&text)).map(|()| 0)
}

/// A command and all below it, as one types them, a line each.
fn list(command: &Command, words: &str, names: &mut String) {
    names.push_str(words);
    names.push('\n');
    for below in command.get_subcommands().filter(|it| !it.is_hide_set()) {
        list(below, &format!("{words} {}", below.get_name()), names);
    }
}
