//! `ftl take`.

use std::path::PathBuf;

use clap::Args;

use super::{OutputArgs, candidates};

#[derive(Debug, Args)]
pub(crate) struct TakeArgs {
    /// Task whose last run left work: path, ID (`001-slug`) or number (`001`)
    #[arg(add = candidates::finished())]
    pub(crate) workspace: PathBuf,
    /// Strays to take in place of the work: files or directories that a run left in quarantine
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<String>,
    /// Wait for a lock that a build holds, instead of failing
    #[arg(long)]
    pub(crate) wait: bool,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}
