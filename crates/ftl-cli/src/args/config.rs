//! `ftl config`.

use std::path::PathBuf;

use clap::Args;

use super::Format;

#[derive(Debug, Args)]
pub(crate) struct ConfigArgs {
    /// Keys or sections to print: `build.jobs`, `agent` [default: all]
    #[arg(value_name = "KEY")]
    pub(crate) keys: Vec<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
    /// Project root [default: the nearest directory with a `.ftl` or an `ftl.toml`, else the current one]
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Option<PathBuf>,
    /// Configuration file [default: `ftl.toml` in the project root]
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
}
