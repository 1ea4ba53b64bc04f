//! `ftl hook`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(crate) enum HookCommand {
    /// Allow or forbid a tool call, by scope and budget
    PreToolUse(HookArgs),
    /// Keep the agent working while a check of the task fails
    Stop(HookArgs),
}

#[derive(Debug, Args)]
#[command(
    after_help = "Reads the agent's JSON on standard input. Exit codes are those of its hook protocol: 0 allows, 2 \
                  forbids, with the reason on standard error. Any error forbids."
)]
pub(crate) struct HookArgs {
    /// Active task: path, ID (`001-slug`) or number (`001`) [default: every active task]
    #[arg(value_name = "WORKSPACE")]
    pub(crate) workspace: Option<PathBuf>,
}
