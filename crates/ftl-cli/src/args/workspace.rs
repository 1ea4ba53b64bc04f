//! The commands of `ftl workspace` and their options.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::{FindingFormat, OutputArgs, candidates};

#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(crate) enum WorkspaceCommand {
    /// Create the task files of a plan
    Create(CreateArgs),
    /// Print a task file as JSON
    Parse(ParseArgs),
    /// Report all problems of task files, each at its place
    Validate(ValidateArgs),
    /// Seal an active task as complete, without building it
    Complete(CompleteArgs),
    /// Seal an active task as blocked, without building it
    Block(BlockArgs),
}

#[derive(Debug, Args)]
pub(crate) struct CreateArgs {
    /// JSON file with the plan; `-` for standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) plan: PathBuf,
    /// Create only the tasks with this sequence number
    #[arg(long, value_name = "SEQ")]
    pub(crate) task: Option<String>,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

#[derive(Debug, Args)]
pub(crate) struct ParseArgs {
    /// Task: path, ID (`001-slug`) or number (`001`)
    #[arg(add = candidates::any())]
    pub(crate) path: PathBuf,
    /// Include ftl's own extensions of the format: dependencies, rules, tags, runs
    #[arg(long)]
    pub(crate) full: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "Exit codes: 0 no problems, 1 an error or a warning, 2 usage error.")]
pub(crate) struct ValidateArgs {
    /// Tasks to validate: paths of task files, IDs (`001-slug`) or numbers (`001`) [default: every active task]
    #[arg(value_name = "PATH", add = candidates::any())]
    pub(crate) paths: Vec<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: FindingFormat,
}

#[derive(Debug, Args)]
pub(crate) struct CompleteArgs {
    /// Active task: path, ID (`001-slug`) or number (`001`)
    #[arg(add = candidates::active())]
    pub(crate) path: PathBuf,
    /// What was delivered
    #[arg(long, value_name = "TEXT")]
    pub(crate) delivered: String,
    /// Knowledge that the task used: `[{"name": …, "type": "failure" or "pattern"}]`
    #[arg(long, value_name = "JSON")]
    pub(crate) utilized: Option<String>,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

#[derive(Debug, Args)]
pub(crate) struct BlockArgs {
    /// Active task: path, ID (`001-slug`) or number (`001`)
    #[arg(add = candidates::active())]
    pub(crate) path: PathBuf,
    /// Why the task cannot continue
    #[arg(long, value_name = "TEXT")]
    pub(crate) reason: String,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}
