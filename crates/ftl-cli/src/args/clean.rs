//! `ftl clean`.

use clap::Args;

use super::OutputArgs;

#[derive(Debug, Args)]
pub(crate) struct CleanArgs {
    /// Of all your projects, also those that are gone
    #[arg(long)]
    pub(crate) all: bool,
    /// Only list what would be removed
    #[arg(short = 'n', long)]
    pub(crate) dry_run: bool,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}
