//! `ftl show`.

use std::path::PathBuf;

use clap::Args;

use super::{ShowFormat, candidates};

#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// Task: its ID (`001-slug`), number or path [default: the task that was built last]
    #[arg(value_name = "ID", add = candidates::any())]
    pub(crate) task: Option<PathBuf>,
    /// Number of the run to show [default: the last]
    #[arg(long, value_name = "N")]
    pub(crate) run: Option<u64>,
    /// Show what the run changed in the delta, as a unified diff
    #[arg(long)]
    pub(crate) diff: bool,
    /// Show what the agent and the commands printed
    #[arg(long)]
    pub(crate) log: bool,
    /// Output format; all but the first two report what failed, in the form of other tools
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: ShowFormat,
}
