//! `ftl mcp`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use ftl_engine::run::Price;

#[derive(Debug, Args)]
#[command(
    after_help = "Started by an agent that `ftl build` asked, it serves that task: nothing has to be named then."
)]
pub(crate) struct McpArgs {
    /// Active task: path of its task file, ID (`001-slug`) or number (`001`)
    /// [default: the only active task]
    #[arg(value_name = "WORKSPACE")]
    pub(crate) workspace: Option<PathBuf>,
    /// What costs a call of the budget
    #[arg(long, value_enum, value_name = "WHAT", default_value_t)]
    pub(crate) meter: MeterArg,
    /// Request of a build that this serves, for agents that pass no environment on [default: `FTL_REQUEST`]
    #[arg(long, value_name = "FILE", conflicts_with = "meter")]
    pub(crate) request: Option<PathBuf>,
    /// Project root [default: the nearest directory with a `.ftl`, else the current directory]
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Option<PathBuf>,
}

/// `--meter`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum MeterArg {
    /// Each file that is changed
    #[default]
    Files,
    /// Each call of a tool
    Calls,
}

impl From<MeterArg> for Price {
    fn from(meter: MeterArg) -> Self {
        match meter {
            MeterArg::Files => Self::Files,
            MeterArg::Calls => Self::Calls,
        }
    }
}
