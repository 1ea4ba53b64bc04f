//! `ftl drop`.

use std::path::PathBuf;

use clap::Args;

use super::{OutputArgs, candidates};

#[derive(Debug, Args)]
pub(crate) struct DropArgs {
    /// Active or blocked task: path, ID (`001-slug`) or number (`001`)
    #[arg(add = candidates::undone())]
    pub(crate) workspace: PathBuf,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}
