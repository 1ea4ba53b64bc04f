//! `ftl reopen`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;

use ftl_model::Finding;

use super::{ChangeArgs, OutputArgs, candidates};

#[derive(Debug, Args)]
#[command(
    override_usage = "ftl reopen [OPTIONS] <WORKSPACE> [--build <OPTIONS>...]",
    after_help = "Examples:\n  ftl reopen 3 --build --agent claude     ask again; the request says what failed\n  \
                  ftl reopen 3 --budget 9 --build --tree  judge the project as it is"
)]
pub(crate) struct ReopenArgs {
    /// Blocked, complete or dropped task: path, ID (`001-slug`) or number (`001`)
    #[arg(add = candidates::finished())]
    pub(crate) workspace: PathBuf,
    #[command(flatten)]
    pub(crate) change: ChangeArgs,
    /// Findings to take for what they are; `--build` then goes on with the last run's work, and asks no agent first
    #[arg(long, value_name = "FINDING", num_args = 1.., value_parser = super::finding())]
    pub(crate) accept: Vec<Finding>,
    /// With `--build`: begin without the work of the run that blocked the task
    #[arg(long, requires = "build")]
    pub(crate) fresh: bool,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    /// Build the task too; all following options are options of `ftl build`
    #[arg(long, value_name = "OPTIONS", num_args = 0.., allow_hyphen_values = true)]
    pub(crate) build: Option<Vec<OsString>>,
}
