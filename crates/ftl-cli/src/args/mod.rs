//! The command line: commands, options and their help texts. What they do is in `commands/`.

mod agents;
mod build;
mod candidates;
mod clean;
mod doctor;
mod drop;
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

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use ftl_model::Finding;

pub(crate) use agents::AgentsArgs;
pub(crate) use build::{
    BuildArgs, BuildOptions, CheckArg, CheckerArg, ColorArg, ContainArg, GoingOn, TrailingOptions,
};
pub(crate) use clean::CleanArgs;
pub(crate) use doctor::DoctorArgs;
pub(crate) use drop::DropArgs;
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
pub(crate) use worker::{PerformArgs, RequestArgs, ServerArgs, WorkerArgs, WorkersArgs};
pub(crate) use workspace::{
    BlockArgs, CompleteArgs, CreateArgs, ParseArgs, ValidateArgs, WorkspaceCommand,
};

use crate::failure::Failure;
use crate::{CommandResult, output};

/// Run coding tasks and verify the result: each ends as complete, or as blocked with the reason.
#[derive(Debug, Parser)]
#[command(name = "ftl", version, propagate_version = false)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(crate) enum Command {
    /// Build tasks: each ends as complete, or as blocked with the reason
    Build(Box<BuildArgs>),
    /// Create a task file with the next number
    New(NewArgs),
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
    Status(StatusArgs),
    /// Run agents for builds on other machines, by a NATS server
    Worker(WorkerArgs),
    /// List the workers that are alive
    Workers(WorkersArgs),
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
    /// Print the diagram of a build's states
    Graph(GraphArgs),
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
    /// JUnit XML: a test for each file, or for each failed test
    Junit,
}

#[derive(Debug, Args)]
pub(crate) struct GraphArgs {
    /// Format of the diagram
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: GraphFormat,
}

/// A diagram format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum GraphFormat {
    #[default]
    Mermaid,
    Dot,
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

/// In printed commands, a placeholder for text that only a person can write.
pub(crate) const FIX_TEMPLATE: &str = "WHAT FIXES IT";

/// A finding, by its name.
pub(crate) fn finding() -> impl TypedValueParser<Value = Finding> {
    let words = PossibleValuesParser::new(Finding::ALL.map(Finding::as_str));
    words.try_map(|word| word.parse().map_err(|()| "no such finding"))
}

/// A fix, but not the template of a printed command: an implementer would be asked to do what it says.
pub(crate) fn fix_text(text: &str) -> Result<String, String> {
    match text.trim() == FIX_TEMPLATE {
        true => Err(format!("write what fixes the error in place of {FIX_TEMPLATE}")),
        false => Ok(text.to_owned()),
    }
}

/// Prints help and version as results. Everything else that clap refuses is a usage error.
pub(crate) fn refuse(error: &clap::Error) -> CommandResult {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            output::result(&error.to_string()).map(|()| 0)
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
            let help = meant(error).into_iter().chain(help.lines().filter(own).map(str::to_owned));
            (message, help.collect::<Vec<String>>().join("\n"))
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
    Failure::usage("usage::arguments", message).help(help)
}

/// The command that a mistyped one may mean: one of this name below another, or one that clap finds similar.
fn meant(error: &clap::Error) -> Option<String> {
    let typed = |kind| match error.get(kind) {
        Some(ContextValue::String(word)) => vec![word.clone()],
        Some(ContextValue::Strings(words)) => words.clone(),
        _ => Vec::new(),
    };
    let mut ftl = Cli::command();
    ftl.build();
    let visible = |command: &&clap::Command| !command.is_hide_set();
    let below = |word: &String| {
        let groups = ftl.get_subcommands().filter(visible);
        let of = |group: &clap::Command| {
            group.find_subcommand(word).map(|_| format!("{} {word}", group.get_name()))
        };
        groups.filter_map(of).collect::<Vec<String>>()
    };
    let named = typed(ContextKind::InvalidSubcommand).iter().flat_map(below).collect::<Vec<_>>();
    let similar = typed(ContextKind::SuggestedSubcommand).into_iter();
    let is_visible = |name: &String| ftl.find_subcommand(name).as_ref().is_none_or(visible);
    let all = named.into_iter().map(|name| format!("`ftl {name}`"));
    let all: Vec<String> =
        all.chain(similar.filter(is_visible).map(|name| format!("`{name}`"))).collect();
    (!all.is_empty()).then(|| format!("a similar subcommand exists: {}", all.join(", ")))
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
    use clap::{CommandFactory as _, Parser};

    use super::{Cli, Format, usage};

    #[test]
    fn the_definition_of_the_command_line_is_sound() {
        Cli::command().debug_assert();
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
