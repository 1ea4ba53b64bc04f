//! The `ftl` command: arguments, configuration, rendering.
//!
//! Only this crate knows options, exit codes and the terminal. What becomes of a task, `ftl-engine`
//! decides and does: a command calls it once, and renders what it returns.

mod advice;
mod args;
mod commands;
mod config;
mod exit;
mod failure;
mod globals;
mod implementer;
mod limits;
mod output;
mod paths;
mod render;
mod workspace_file;

use std::ffi::OsString;
use std::process::ExitCode;
use std::{panic, thread};

use args::{Cli, Command, Format, HookCommand, KnowledgeCommand, StatusArgs, WorkspaceCommand};
use clap::FromArgMatches;
use failure::Failure;

/// The exit code of a command that could do its work, whatever it found.
type CommandResult = Result<u8, Failure>;

fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    // Before anything else is set up: this process is to start an isolated implementer.
    if arguments.get(1).is_some_and(|word| word == "view") {
        return ExitCode::from(ftl_process::View::enter(arguments[2..].to_vec()));
    }
    silence_parser_panics();
    let format = Format::of_args(&arguments);
    let parsed = args::command().try_get_matches_from(args::with_log(arguments));
    let done = match parsed.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => {
            if format == Format::Json {
                output::collect();
            }
            start(cli).and_then(|code| output::finish().map(|()| code))
        }
        Err(error) => args::refuse(&error),
    };
    ExitCode::from(done.unwrap_or_else(|failure| report(&failure, format)))
}

/// Prints the diagnostic and, for programs, the object; returns the exit code.
fn report(failure: &Failure, format: Format) -> u8 {
    output::diagnose(failure);
    if format == Format::Json {
        // Where standard output fails as well, the diagnostic is all that can be done.
        drop(output::json(&failure.result()));
    }
    failure.exit()
}

/// Applies the options of every command, and runs one; without any, `status` in a project, else the help.
fn start(cli: Cli) -> CommandResult {
    globals::set(cli.global)?;
    supervise()?;
    let Some(command) = cli.command else {
        if globals::is_in_project() {
            return commands::status::run(&StatusArgs::default());
        }
        let help = args::command().render_help().to_string();
        let is_coloured = output::colour(&std::io::stdout());
        let help = if is_coloured { args::coloured(&help) } else { help };
        return output::result(&help).map(|()| 0);
    };
    run(command)
}

fn run(command: Command) -> CommandResult {
    match command {
        Command::Build(args) => commands::build::run(*args),
        Command::New(args) => commands::new::run(&args),
        Command::Plan(args) => commands::plan::run(&args),
        Command::Edit(args) => commands::edit::run(&args),
        Command::Check(args) => commands::check::run(&args),
        Command::Config(args) => commands::config::run(&args),
        Command::Reopen(args) => commands::reopen::run(&args),
        Command::Take(args) => commands::take::run(&args),
        Command::Drop(args) => commands::drop::run(&args),
        Command::Clean(args) => commands::clean::run(&args),
        Command::Show(args) => commands::show::run(&args),
        Command::Report(args) => commands::report::run(&args),
        Command::Status(args) => commands::status::run(&args),
        Command::Preflight(args) => commands::preflight::run(&args),
        Command::Workspace { command } => match command {
            WorkspaceCommand::Create(args) => commands::create::run(&args),
            WorkspaceCommand::Parse(args) => commands::workspace::parse(&args),
            WorkspaceCommand::Validate(args) => commands::validate::run(&args),
            WorkspaceCommand::Complete(args) => commands::workspace::complete(&args),
            WorkspaceCommand::Block(args) => commands::workspace::block(&args),
        },
        Command::Idioms { command } => commands::idioms::run(&command),
        Command::Knowledge { command } => match command {
            KnowledgeCommand::Add(args) => commands::knowledge::add(&args),
            KnowledgeCommand::List(args) => commands::knowledge::list(&args),
            KnowledgeCommand::Test(args) => commands::knowledge::test(&args),
        },
        Command::Hook { command } => match command {
            HookCommand::PreToolUse(args) => commands::hook::pre_tool_use(&args),
            HookCommand::Stop(args) => commands::hook::stop(&args),
        },
        Command::Init(args) => commands::init::run(&args),
        Command::Mcp(args) => commands::mcp::run(&args),
        Command::Agents(args) => commands::agents::run(&args),
        Command::Doctor(args) => commands::doctor::run(&args),
        Command::Completions(args) => commands::completions::run(&args),
        Command::Candidates(args) => commands::completions::answer(&args),
        Command::Man(args) => commands::man::run(&args),
        Command::Commit(args) => commands::commit::run(&args),
        Command::Worker { command } => commands::worker::run(&command),
        Command::Request(args) => commands::worker::request(&args),
        Command::Perform(args) => commands::worker::perform(&args),
        Command::Scout(args) => commands::scout::run(&args),
    }
}

/// A parser that panics is reported as the reason why its file is unchecked, so its message is not
/// printed as well.
fn silence_parser_panics() {
    let default = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        if thread::current().name() != Some(ftl_preflight::THREAD) {
            default(panic);
        }
    }));
}

/// From here on an interrupt ends a build in order, and processes that children leave behind become
/// ours to end.
fn supervise() -> Result<(), Failure> {
    // Best effort: where orphans can't be adopted, a build ends only those in a child's process group.
    drop(ftl_process::adopt_orphans());
    ftl_process::catch_interrupts().map_err(|error| {
        Failure::failed("process::signals", format!("cannot watch for signals: {error}"))
    })
}
