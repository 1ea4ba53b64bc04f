//! `ftl workspace …`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::Format;

#[derive(Debug, Subcommand)]
pub(crate) enum WorkspaceCommand {
    /// Write the task files of a plan
    Create(CreateArgs),
    /// Print what a task file says, as JSON
    Parse(ParseArgs),
    /// List everything that is wrong with task files, each problem at its place
    Validate(ValidateArgs),
    /// Seal an active task as complete, by hand
    Complete(CompleteArgs),
    /// Seal an active task as blocked, by hand
    Block(BlockArgs),
}

#[derive(Debug, Args)]
pub(crate) struct CreateArgs {
    /// The plan, a JSON file; `-` is standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) plan: PathBuf,
    /// Only the tasks of this sequence number
    #[arg(long, value_name = "SEQ")]
    pub(crate) task: Option<String>,
    /// Project directory [default: the nearest with a `.ftl`, else the current directory]
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct ParseArgs {
    /// The task file
    pub(crate) path: PathBuf,
    /// Also what only ftl writes: dependencies, rules, tags, runs
    #[arg(long)]
    pub(crate) full: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "Exit codes: 0 nothing found, 1 an error or a warning, 2 usage.")]
pub(crate) struct ValidateArgs {
    /// The task files
    #[arg(value_name = "PATH", required = true)]
    pub(crate) paths: Vec<PathBuf>,
    /// Whom the result is for
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
    /// Project directory [default: the one whose `.ftl` holds the file, else the current directory]
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct CompleteArgs {
    /// The task file
    pub(crate) path: PathBuf,
    /// What was delivered
    #[arg(long, value_name = "TEXT")]
    pub(crate) delivered: String,
    /// Knowledge that turned out useful: `[{"name": …, "type": "failure" or "pattern"}]`
    #[arg(long, value_name = "JSON")]
    pub(crate) utilized: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct BlockArgs {
    /// The task file
    pub(crate) path: PathBuf,
    /// Why it cannot go on
    #[arg(long, value_name = "TEXT")]
    pub(crate) reason: String,
}
