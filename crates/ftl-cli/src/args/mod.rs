//! The command line: commands, options and their help texts. What they do is in `commands/`.

mod agents;
mod build;
mod candidates;
mod change;
mod check;
mod clean;
mod commit;
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
mod plan;
mod preflight;
mod refusal;
mod reopen;
mod report;
mod show;
mod status;
mod take;
mod worker;
mod workspace;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint};
use clap_complete::Shell;
use ftl_model::Finding;

pub(crate) use agents::AgentsArgs;
pub(crate) use build::{
    BuildArgs, BuildOptions, CheckArg, CheckerArg, ColorArg, ContainArg, GoingOn, ReportFile,
    TrailingOptions,
};
pub(crate) use change::ChangeArgs;
pub(crate) use check::CheckArgs;
pub(crate) use clean::CleanArgs;
pub(crate) use commit::CommitArgs;
pub(crate) use config::ConfigArgs;
pub(crate) use doctor::DoctorArgs;
pub(crate) use drop::DropArgs;
pub(crate) use edit::EditArgs;
pub(crate) use help::{coloured, command, with_log};
pub(crate) use hook::{HookArgs, HookCommand};
pub(crate) use idioms::{IdiomsArgs, IdiomsCommand};
pub(crate) use init::{HookedAgent, InitArgs};
pub(crate) use knowledge::{AddArgs, KnowledgeCommand, ListArgs, RemedyArgs, TestArgs};
pub(crate) use mcp::McpArgs;
pub(crate) use new::NewArgs;
pub(crate) use plan::PlanArgs;
pub(crate) use preflight::{PreflightArgs, ScoutArgs};
pub(crate) use refusal::{refuse, usage};
pub(crate) use reopen::ReopenArgs;
pub(crate) use report::ReportArgs;
pub(crate) use show::ShowArgs;
pub(crate) use status::StatusArgs;
pub(crate) use take::TakeArgs;
#[cfg(feature = "workers")]
pub(crate) use worker::{LocalArgs, ServerArgs, WorkerArgs, WorkersArgs};
pub(crate) use worker::{PerformArgs, RequestArgs, WorkerCommand};
pub(crate) use workspace::{
    BlockArgs, CompleteArgs, CreateArgs, ParseArgs, ValidateArgs, WorkspaceCommand,
};

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
    /// Have an agent cut a goal into tasks, and write their files
    Plan(Box<PlanArgs>),
    /// Change an active task
    Edit(EditArgs),
    /// Make a finished task active again, with changes
    Reopen(ReopenArgs),
    /// Lay the work of a blocked run, or its strays, into the project
    Take(TakeArgs),
    /// Make the commits of complete tasks that a hook or a kill prevented
    Commit(CommitArgs),
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
    /// Write a commented `ftl.toml`; or the hooks, tools and instructions of an agent
    Init(InitArgs),
    /// Check this machine and project, and say how to fix what is wrong
    Doctor(DoctorArgs),
    /// Print a shell completion script
    Completions(CompletionsArgs),
    /// Print what may follow on a command line, for completion scripts
    #[command(hide = true)]
    Candidates(CandidatesArgs),
    /// Print a page of the manual
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

// Of a command that makes, changes or removes something. A doc comment here would appear in the help text.
#[derive(Debug, Args)]
pub(crate) struct OutputArgs {
    /// Output format
    // `Format::of_args` reads it, before anything is parsed.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
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

/// A finding, by its name.
pub(crate) fn finding() -> impl TypedValueParser<Value = Finding> {
    let words = PossibleValuesParser::new(Finding::ALL.map(Finding::as_str));
    words.try_map(|word| word.parse().map_err(|()| "no such finding"))
}

#[cfg(test)]
mod tests {
    use super::{Format, command};

    #[test]
    fn the_definition_of_the_command_line_is_sound() {
        command().debug_assert();
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
