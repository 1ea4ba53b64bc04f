//! `ftl status`.

use std::path::PathBuf;

use clap::Args;

use super::Format;

#[derive(Debug, Default, Args)]
pub(crate) struct StatusArgs {
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
    /// Project root [default: the nearest directory with a `.ftl`, else the current directory]
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Option<PathBuf>,
}
