//! `ftl commit`.

use std::path::PathBuf;

use clap::Args;

use super::{OutputArgs, candidates};

#[derive(Debug, Args)]
pub(crate) struct CommitArgs {
    /// Complete tasks: paths, IDs (`001-slug`) or numbers (`001`) [default: all whose commit is due]
    #[arg(add = candidates::finished())]
    pub(crate) workspaces: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}
