//! The command line: commands, options and their help texts. What they do is in `commands/`.

mod agents;
mod build;
mod candidates;
mod change;
mod check;
mod clean;
mod config;
mod doctor;
mod drop;
mod edit;
mod help;
mod hook;
mod idioms;
mod init;
mod knowledge;
mod mcp;
mod new;
mod preflight;
mod reopen;
mod report;
mod show;
mod status;
mod take;
mod worker;
mod workspace;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint};
use clap_complete::Shell;

pub(crate) use agents::AgentsArgs;
pub(crate) use build::{
    BuildArgs, BuildOptions, CheckArg, CheckerArg, ColorArg, ContainArg, GoingOn, ReportFile,
    TrailingOptions,
};
pub(crate) use change::ChangeArgs;
pub(crate) use check::CheckArgs;
pub(crate) use clean::CleanArgs;
pub(crate) use config::ConfigArgs;
pub(crate) use doctor::DoctorArgs;
pub(crate) use drop::DropArgs;
pub(crate) use edit::EditArgs;
pub(crate) use help::{coloured, command, with_log};
pub(crate) use hook::{HookArgs, HookCommand};
pub(crate) use idioms::{IdiomsArgs, IdiomsCommand};
pub(crate) use init::{HookedAgent, InitArgs};
pub(crate) use knowledge::{
    AddArgs, KnowledgeCommand, ListArgs, ProjectArgs, RemedyArgs, TestArgs,
};
pub(crate) use mcp::McpArgs;
pub(crate) use new::NewArgs;
pub(crate) use preflight::{PreflightArgs, ScoutArgs};
pub(crate) use reopen::ReopenArgs;
pub(crate) use report::ReportArgs;
pub(crate) use show::ShowArgs;
pub(crate) use status::StatusArgs;
pub(crate) use take::TakeArgs;
pub(crate) use worker::{
    LocalArgs, PerformArgs, RequestArgs, ServerArgs, WorkerArgs, WorkerCommand, WorkersArgs,
};
pub(crate) use workspace::{
    BlockArgs, CompleteArgs, CreateArgs, ParseArgs, ValidateArgs, WorkspaceCommand,
};

use crate::failure::Failure;
use crate::{CommandResult, output};

/// Run coding tasks and verify the result: each ends as complete, or as blocked with the reason.
#[derive(Debug, Parser)]
#[command(name = "ftl", version, propagate_version = false)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: GlobalArgs,
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

// The options of every command.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Options of every command")]
pub(crate) struct GlobalArgs {
    /// Run in DIR
    #[arg(short = 'C', global = true, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) directory: Option<PathBuf>,
    /// Project root [default: the nearest directory with a `.ftl` or an `ftl.toml`, else the current one]
    #[arg(long, global = true, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) root: Option<PathBuf>,
    /// Configuration file [default: `ftl.toml` in the project root]
    #[arg(long, global = true, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) config: Option<PathBuf>,
    /// Print no progress: only warnings, errors and the result
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Print more: every state and command, and all that is known of a result
    #[arg(short, long, global = true)]
    pub(crate) verbose: bool,
    /// When to use colours [default: auto, which NO_COLOR and CLICOLOR_FORCE override]
    #[arg(long, global = true, value_enum, value_name = "WHEN")]
    pub(crate) color: Option<ColorArg>,
}

#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(crate) enum Command {
    /// Build tasks: each ends as complete, or as blocked with the reason
    #[command(visible_alias = "run")]
    Build(Box<BuildArgs>),
    /// Create a task file with the next number
    New(NewArgs),
    /// Change an active task
    Edit(EditArgs),
    /// Make a finished task active again, with changes
    Reopen(ReopenArgs),
    /// Lay the work of a blocked run, or its strays, into the project
    Take(TakeArgs),
    /// Give up a task: its file stays as dropped, and its number is not used again
    Drop(DropArgs),
    /// Remove workplaces, which hold copies of projects, from the state directory
    Clean(CleanArgs),
    /// Check only the syntax of files
    Preflight(PreflightArgs),
    /// Show a run of a task: states with times, files, checks, strays, outputs
    Show(ShowArgs),
    /// Write the tasks and their runs as one HTML page
    Report(ReportArgs),
    /// List all tasks with their state, and what they wait for
    #[command(visible_alias = "ls")]
    Status(StatusArgs),
    /// Run the verify commands of complete tasks once more
    Check(CheckArgs),
    /// Print the configuration in force, and where each value comes from
    Config(ConfigArgs),
    /// Run agents for builds on other machines, by a NATS server
    Worker {
        #[command(subcommand)]
        command: WorkerCommand,
    },
    /// Create, print, validate or seal task files
    Workspace {
        #[command(subcommand)]
        command: WorkspaceCommand,
    },
    /// Add, list or test known failures, which a project's tasks share
    Knowledge {
        #[command(subcommand)]
        command: KnowledgeCommand,
    },
    /// Find the framework; list, explain or test the rules of idioms
    Idioms {
        #[command(subcommand)]
        command: IdiomsCommand,
    },
    /// Serve a task's tools to an agent: Model Context Protocol on standard input and output
    Mcp(McpArgs),
    /// List the known agents, what they support and which are installed
    Agents(AgentsArgs),
    /// Restrict an agent that you start yourself to a task, by its hooks
    Hook {
        #[command(subcommand)]
        command: HookCommand,
    },
    /// Write a commented `ftl.toml`, or print what to add to an agent's configuration
    Init(InitArgs),
    /// Check this machine and project, and say how to fix what is wrong
    Doctor(DoctorArgs),
    /// Print a shell completion script
    Completions(CompletionsArgs),
    /// Print what may follow on a command line, for completion scripts
    #[command(hide = true)]
    Candidates(CandidatesArgs),
    /// Print a page of the manual
    #[command(hide = true)]
    Man(ManArgs),
    /// Send a request of a build to a worker, and wait for its result
    #[command(hide = true)]
    Request(RequestArgs),
    /// Perform a request that a worker took
    #[command(hide = true)]
    Perform(PerformArgs),
    /// Parse standard input in a disposable process
    #[command(hide = true)]
    Scout(ScoutArgs),
}

/// The output format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    #[default]
    Human,
    Json,
}

/// The output format of a command that finds something at places of files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum FindingFormat {
    /// Text for people
    #[default]
    Human,
    /// One JSON object for programs
    Json,
    /// SARIF 2.1.0
    Sarif,
    /// Workflow commands of GitHub Actions
    Github,
    /// JUnit XML: a test for each file
    Junit,
    /// Code Quality report of GitLab
    Gitlab,
}

/// A format of results that other tools read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportFormat {
    /// JUnit XML: a suite for each task, and in it the task and what failed as tests
    Junit,
    /// SARIF 2.1.0
    Sarif,
    /// Workflow commands of GitHub Actions
    Github,
    /// Code Quality report of GitLab
    Gitlab,
    /// A summary for people
    Markdown,
    /// Unsigned statement of in-toto: the delivered files by digest, with the results
    InToto,
}

/// The output format of `ftl show`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ShowFormat {
    /// Text for people
    #[default]
    Human,
    /// One JSON object for programs
    Json,
    /// JUnit XML: the task and what failed in it as tests
    Junit,
    /// SARIF 2.1.0
    Sarif,
    /// Workflow commands of GitHub Actions
    Github,
    /// Code Quality report of GitLab
    Gitlab,
    /// A summary for people
    Markdown,
    /// Unsigned statement of in-toto: the delivered files by digest, with the results
    InToto,
}

#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// The command, as in `ftl man workspace create`; none: the program's own page
    pub(crate) command: Vec<String>,
    /// Print the names of all pages
    #[arg(long, conflicts_with = "command")]
    pub(crate) list: bool,
}

#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// Shell that runs the script
    #[arg(value_enum)]
    pub(crate) shell: Shell,
}

#[derive(Debug, Args)]
pub(crate) struct CandidatesArgs {
    /// The form of the answer
    #[arg(long, value_enum)]
    pub(crate) shell: AskedShell,
    /// Which of the words is being typed, from 0
    #[arg(long)]
    pub(crate) index: usize,
    /// The command line
    #[arg(last = true)]
    pub(crate) words: Vec<OsString>,
}

/// A shell whose script asks ftl.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum AskedShell {
    Bash,
    Zsh,
    Fish,
}

impl Format {
    /// The format that a command line requests, even if the rest of it is invalid.
    pub(crate) fn of_args(arguments: &[OsString]) -> Self {
        let json = arguments.windows(2).any(|pair| pair[0] == "--format" && pair[1] == "json");
        if json || arguments.iter().any(|argument| argument == "--format=json") {
            Self::Json
        } else {
            Self::Human
        }
    }
}

/// Prints help and version as results. Everything else that clap refuses is a usage error.
pub(crate) fn refuse(error: &clap::Error) -> CommandResult {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            let text = error.to_string();
            let is_coloured = output::colour(&std::io::stdout());
            let text = if is_coloured { coloured(&text) } else { text };
            output::result(&text).map(|()| 0)
        }
        _ => Err(usage(error)),
    }
}

/// A clap error in the form of ftl's own diagnostics.
pub(crate) fn usage(error: &clap::Error) -> Failure {
    let text = with_backticks(&error.to_string());
    let (message, help) = match error.kind() {
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            let usage = text.find("Usage:").unwrap_or_default();
            ("a command is missing".to_owned(), text[usage..].to_owned())
        }
        ErrorKind::InvalidSubcommand => {
            let (message, help) = message_and_help(&text);
            let own = |line: &&str| !line.contains("similar subcommand");
            let meant = help::meant(error);
            let help = meant.into_iter().chain(help.lines().filter(own).map(str::to_owned));
            (message, help.collect::<Vec<String>>().join("\n"))
        }
        ErrorKind::UnknownArgument => {
            let (message, help) = message_and_help(&text);
            let (to_value, others): (Vec<&str>, Vec<&str>) =
                help.lines().partition(|line| line.starts_with("to pass `"));
            let meant = help::meant_option(&message);
            // A value that begins with a dash is rare, and an option that is mistyped is not.
            let first = meant
                .as_deref()
                .or(to_value.first().copied())
                .filter(|_| meant.is_some() || !others.iter().any(|line| line.contains("similar")));
            (message, first.into_iter().chain(others).collect::<Vec<&str>>().join("\n"))
        }
        _ => message_and_help(&text),
    };
    // `ftl new --delta FILE OBJECTIVE` makes a file of the objective.
    let is_swallowed = message.contains("<OBJECTIVE>") && !message.contains("--delta");
    let help = match is_swallowed {
        true => format!(
            "put OBJECTIVE first: `--delta` takes every word up to the next option as a file\n{help}"
        ),
        false => help,
    };
    let failure = Failure::usage("usage::arguments", message);
    if help.trim().is_empty() { failure } else { failure.help(help) }
}

/// Quotes in backticks; an apostrophe within a word stays.
fn with_backticks(text: &str) -> String {
    let mut said = String::new();
    let mut before = ' ';
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let is_inner =
            before.is_alphanumeric() && chars.peek().is_some_and(|c| c.is_alphanumeric());
        said.push(if c == '\'' && !is_inner { '`' } else { c });
        before = c;
    }
    said
}

/// The first paragraph of a clap error as the message, and the others as the help.
fn message_and_help(text: &str) -> (String, String) {
    let text = text.strip_prefix("error: ").unwrap_or(text);
    let mut paragraphs = text.split("\n\n").map(str::trim);
    let message = paragraphs.next().unwrap_or_default();
    let message: Vec<&str> = message.lines().map(str::trim).collect();
    let help: Vec<&str> = paragraphs
        .map(|paragraph| paragraph.strip_prefix("tip: ").unwrap_or(paragraph))
        .filter(|paragraph| !paragraph.is_empty() && !paragraph.starts_with("For more"))
        .collect();
    (message.join(" "), help.join("\n"))
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::{Cli, Format, command, usage};

    #[test]
    fn the_definition_of_the_command_line_is_sound() {
        command().debug_assert();
    }

    #[test]
    fn a_refusal_names_the_word_and_what_was_perhaps_meant() {
        let error = Cli::try_parse_from(["ftl", "build", "--fromat", "json", "1"]).unwrap_err();
        let failure = usage(&error);
        assert_eq!(failure.to_string(), "unexpected argument `--fromat` found");
        let help = failure.result().error.help.unwrap();
        assert!(help.contains("`--format`") && help.contains("Usage: ftl build"), "{help}");
    }

    #[test]
    fn a_mistyped_command_is_answered_with_commands_that_help_shows() {
        for (words, meant) in [
            (&["ftl", "validate"][..], Some("`ftl workspace validate`")),
            (&["ftl", "candidate"], None),
            (&["ftl", "biuld"], Some("`build`")),
            (&["ftl", "list"], Some("`ftl status`")),
            (&["ftl", "diff"], Some("`ftl show --diff`")),
            (&["ftl", "build", "--json"], Some("`--format json`")),
            (&["ftl", "idioms", "detct"], Some("`detect`")),
        ] {
            let help = usage(&Cli::try_parse_from(words).unwrap_err()).result().error.help.unwrap();
            match meant {
                Some(meant) => assert!(help.contains(meant), "{help}"),
                None => assert!(!help.contains("similar"), "{help}"),
            }
        }
    }

    #[test]
    fn a_refusal_keeps_apostrophes() {
        assert_eq!(super::with_backticks("the project's 'own'"), "the project's `own`");
    }

    #[test]
    fn the_format_is_known_even_when_the_rest_is_not() {
        let of =
            |words: &[&str]| Format::of_args(&words.iter().map(Into::into).collect::<Vec<_>>());
        assert_eq!(of(&["ftl", "--format", "json"]), Format::Json);
        assert_eq!(of(&["ftl", "x", "--format=json", "--y"]), Format::Json);
        assert_eq!(of(&["ftl", "json", "--format"]), Format::Human);
    }
}
