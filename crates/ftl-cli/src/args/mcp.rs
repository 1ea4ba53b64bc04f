//! `ftl mcp`.

use std::path::PathBuf;

use clap::Args;

#[derive(Debug, Args)]
#[command(
    after_help = "Started by an agent that `ftl build` asked, it serves that task: nothing has to be named then."
)]
pub(crate) struct McpArgs {
    /// Active task: path of its task file, ID (`001-slug`) or number (`001`)
    /// [default: the only active task]
    #[arg(value_name = "WORKSPACE")]
    pub(crate) workspace: Option<PathBuf>,
    /// Request of a build that this serves, for agents that pass no environment on [default: `FTL_REQUEST`]
    #[arg(long, value_name = "FILE")]
    pub(crate) request: Option<PathBuf>,
    /// Project root [default: the nearest directory with a `.ftl`, else the current directory]
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Option<PathBuf>,
}
