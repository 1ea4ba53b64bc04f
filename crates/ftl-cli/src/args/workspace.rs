//! `ftl workspace …`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

#[derive(Debug, Subcommand)]
pub(crate) enum WorkspaceCommand {
    /// Print what a task file says, as JSON
    Parse(ParseArgs),
    /// Seal an active task as complete, by hand
    Complete(CompleteArgs),
    /// Seal an active task as blocked, by hand
    Block(BlockArgs),
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
