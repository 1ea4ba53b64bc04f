//! `ftl mcp`.

use std::path::PathBuf;

use clap::Args;

#[derive(Debug, Args)]
#[command(
    after_help = "In a build, the agent's `ftl mcp` serves the task of the build without arguments."
)]
pub(crate) struct McpArgs {
    /// Active task: path, ID (`001-slug`) or number (`001`)
    /// [default: the only active task; with none or several, only the tools of the project]
    #[arg(value_name = "WORKSPACE")]
    pub(crate) workspace: Option<PathBuf>,
    /// Request of the build to serve, for agents that do not pass their environment on [default: `FTL_REQUEST`]
    #[arg(long, value_name = "FILE")]
    pub(crate) request: Option<PathBuf>,
}
