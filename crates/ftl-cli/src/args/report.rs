//! `ftl report`.

use std::path::PathBuf;

use clap::Args;

use super::{OutputArgs, candidates};

#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    /// Tasks: IDs (`001-slug`), numbers or paths [default: all]
    #[arg(value_name = "ID", add = candidates::any())]
    pub(crate) tasks: Vec<PathBuf>,
    /// File to write [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) format: OutputArgs,
}
