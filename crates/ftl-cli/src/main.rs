//! The `ftl` command: arguments, configuration, rendering.
//!
//! Here is where everything starts and ends; what a task goes through is `ftl-engine`'s business.

mod advice;
mod args;
mod commands;
mod config;
mod failure;
mod implementer;
mod output;
mod render;
mod workspace_file;

use std::ffi::OsString;
use std::process::ExitCode;
use std::{panic, thread};

use args::{Cli, Command, Format, WorkspaceCommand};
use clap::Parser;
use failure::Failure;

/// What a command that went through exits with.
type Done = Result<u8, Failure>;

fn main() -> ExitCode {
    silence_parser_panics();
    let words: Vec<OsString> = std::env::args_os().collect();
    let format = Format::of_words(&words);
    let done = match Cli::try_parse_from(words) {
        Ok(cli) => supervise().and_then(|()| run(cli.command)),
        Err(error) => args::refuse(&error),
    };
    ExitCode::from(done.unwrap_or_else(|failure| failure.report(format)))
}

fn run(command: Command) -> Done {
    match command {
        Command::Build(args) => commands::build::run(&args.workspaces, &args.options),
        Command::New(args) => commands::new::run(&args),
        Command::Status(args) => commands::status::run(&args),
        Command::Preflight(args) => commands::preflight::run(&args),
        Command::Workspace { command } => match command {
            WorkspaceCommand::Create(args) => commands::create::run(&args),
            WorkspaceCommand::Parse(args) => commands::workspace::parse(&args),
            WorkspaceCommand::Validate(args) => commands::validate::run(&args),
            WorkspaceCommand::Complete(args) => commands::workspace::complete(&args),
            WorkspaceCommand::Block(args) => commands::workspace::block(&args),
        },
        Command::Graph(args) => commands::graph::run(&args),
        Command::Completions(args) => commands::completions::run(&args),
        Command::Scout(args) => commands::scout::run(&args),
    }
}

/// A parser that gives up is told of in its file's report, and nowhere else.
fn silence_parser_panics() {
    let told = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        if thread::current().name() != Some(ftl_preflight::THREAD) {
            told(panic);
        }
    }));
}

/// Interrupts end a build in order, and what its children leave running becomes ours to end.
fn supervise() -> Result<(), Failure> {
    // Where orphans can't be adopted, a build goes on and knows only those in a child's group.
    drop(ftl_process::adopt_orphans());
    ftl_process::catch_interrupts().map_err(|error| {
        Failure::failed(
            "process::signals",
            format!("cannot watch for signals: {error}"),
        )
    })
}
