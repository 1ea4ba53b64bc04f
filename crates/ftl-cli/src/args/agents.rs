//! `ftl agents`.

use std::path::PathBuf;

use clap::Args;

use super::Format;

#[derive(Debug, Args)]
pub(crate) struct AgentsArgs {
    /// Output format of the result
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
    /// Project root [default: the nearest directory with a `.ftl`, else the current directory]
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Option<PathBuf>,
    /// Configuration file [default: `ftl.toml` in the project root]
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
}
