//! `ftl edit`.

use std::path::PathBuf;

use clap::Args;

use super::{ChangeArgs, OutputArgs, candidates};

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  ftl edit 2 --budget 9\n  ftl edit 2 --delta src/new.py --verify 'pytest -q tests/test_new.py'"
)]
pub(crate) struct EditArgs {
    /// Active task: path, ID (`001-slug`) or number (`001`)
    #[arg(add = candidates::active())]
    pub(crate) workspace: PathBuf,
    #[command(flatten)]
    pub(crate) change: ChangeArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}
