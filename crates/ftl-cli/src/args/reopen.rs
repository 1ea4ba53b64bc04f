//! `ftl reopen`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, ValueHint};

use super::candidates;
use ftl_model::Finding;

#[derive(Debug, Args)]
#[command(override_usage = "ftl reopen [OPTIONS] <WORKSPACE> [--build <OPTIONS>...]")]
pub(crate) struct ReopenArgs {
    /// Blocked, complete or dropped task: path, ID (`001-slug`) or number (`001`)
    #[arg(add = candidates::finished())]
    pub(crate) workspace: PathBuf,
    /// Files to add to the delta
    #[arg(long, value_name = "FILE", num_args = 1.., value_hint = ValueHint::FilePath)]
    pub(crate) delta: Vec<String>,
    /// Files or directories to take out of the quarantine of earlier runs, into the delta and the work
    #[arg(long, value_name = "PATH", num_args = 1..)]
    pub(crate) take: Vec<String>,
    /// New verify command
    #[arg(long, value_name = "CMD")]
    pub(crate) verify: Option<String>,
    /// New test file that the implementer receives before it starts
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) verify_source: Option<String>,
    /// New budget
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i64).range(1..))]
    pub(crate) budget: Option<i64>,
    /// Let the task change its tests
    #[arg(long)]
    pub(crate) tests_change: bool,
    /// Findings to take for what they are; `--build` then goes on with the last run's work, and asks no agent first
    #[arg(long, value_name = "FINDING", num_args = 1.., value_parser = super::finding())]
    pub(crate) accept: Vec<Finding>,
    /// Exports that the task may remove: `name`, `name()` or `path:name`, with `*`
    #[arg(long, value_name = "NAME", num_args = 1..)]
    pub(crate) allow_removed: Vec<String>,
    /// How to fix the error that blocked the task, as text for the implementer
    #[arg(long, value_name = "TEXT", group = "fixes", value_parser = super::fix_text)]
    pub(crate) fix: Option<String>,
    /// Shell command that fixes the error
    #[arg(long, value_name = "CMD", group = "fixes")]
    pub(crate) fix_command: Option<String>,
    /// Unified diff that fixes the error
    #[arg(long, value_name = "FILE", group = "fixes")]
    pub(crate) fix_patch: Option<PathBuf>,
    /// Regular expression that recognises the error [default: made from the error line]
    #[arg(long = "match", value_name = "RE", requires = "fixes")]
    pub(crate) pattern: Option<String>,
    /// Project root [default: the nearest directory with a `.ftl`, else the current directory]
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Option<PathBuf>,
    /// Build the task too; all following options are options of `ftl build`
    #[arg(long, value_name = "OPTIONS", num_args = 0.., allow_hyphen_values = true)]
    pub(crate) build: Option<Vec<OsString>>,
}
