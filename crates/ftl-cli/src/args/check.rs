//! `ftl check`.

use std::path::PathBuf;

use clap::Args;

use super::{Format, candidates};

#[derive(Debug, Args)]
#[command(
    after_help = "Exit codes: 0 all pass, 3 a complete task is broken. `ftl status` and the report show it until it passes."
)]
pub(crate) struct CheckArgs {
    /// Complete tasks: paths, IDs (`001-slug`) or numbers (`001`) [default: all]
    #[arg(value_name = "WORKSPACE", add = candidates::finished())]
    pub(crate) workspaces: Vec<PathBuf>,
    /// Time limit for one run of a verify command: `90`, `90s`, `10m`, `1h` [default: 10m]
    #[arg(long, value_name = "TIME", value_parser = crate::limits::parse_limit)]
    pub(crate) verify_timeout: Option<std::time::Duration>,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}
