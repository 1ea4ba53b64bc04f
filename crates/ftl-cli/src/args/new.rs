//! `ftl new`.

use clap::{Args, ValueHint};
use std::ffi::OsString;

use super::candidates;

#[derive(Debug, Args)]
#[command(
    override_usage = "ftl new [OPTIONS] <OBJECTIVE> --delta <FILE>... --verify <CMD> [--build <OPTIONS>...]",
    after_help = "Examples:\n  ftl new 'Take a discount' --delta prices.py --verify 'pytest -q tests/test_prices.py'\n  \
                  ftl new @goal.md --delta src/cart.ts --verify 'npx vitest run cart' --build --agent claude"
)]
pub(crate) struct NewArgs {
    /// Why the task exists; ftl derives the slug from it. `-` reads standard input, `@FILE` a file
    #[arg(required_unless_present = "editor", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    pub(crate) objective: Option<String>,
    /// Write the objective in $EDITOR
    #[arg(short, long = "edit")]
    pub(crate) editor: bool,
    /// Files that the task may create or change
    #[arg(long, value_name = "FILE", required = true, num_args = 1.., value_hint = ValueHint::FilePath)]
    pub(crate) delta: Vec<String>,
    /// Shell command that exits with 0 only if the task is done
    #[arg(long, value_name = "CMD")]
    pub(crate) verify: Option<String>,
    /// Test file that the implementer receives before it starts
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) verify_source: Option<String>,
    /// Budget: 1 each for reading, a changed file, a verify and a retry [default: enough for all files and one retry]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i64).range(1..))]
    pub(crate) budget: Option<i64>,
    /// Tasks that must be complete first, by number (`001`, `1`) or ID
    #[arg(long, value_name = "ID", num_args = 1.., add = candidates::any())]
    pub(crate) depends: Vec<String>,
    /// Let the task change its tests
    #[arg(long)]
    pub(crate) tests_change: bool,
    /// Exports that the task may remove: `name`, `name()` or `path:name`, with `*`
    #[arg(long, value_name = "NAME", num_args = 1..)]
    pub(crate) allow_removed: Vec<String>,
    /// Files beside the delta that the task may create or change, as lines of a `.gitignore`
    #[arg(long, value_name = "GLOB", num_args = 1..)]
    pub(crate) allow: Vec<String>,
    /// Build the task too; all following options are options of `ftl build`
    #[arg(long, value_name = "OPTIONS", num_args = 0.., allow_hyphen_values = true)]
    pub(crate) build: Option<Vec<OsString>>,
}
