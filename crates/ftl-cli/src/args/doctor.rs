//! `ftl doctor`.

use std::path::PathBuf;

use clap::Args;

use super::Format;

#[derive(Debug, Args)]
#[command(
    after_help = "Exit codes: 0 nothing keeps tasks from being built, 1 something does, 2 usage error."
)]
pub(crate) struct DoctorArgs {
    /// Output format of the result
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
    /// Project root [default: the nearest directory with a `.ftl`, else the current directory]
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Option<PathBuf>,
    /// Configuration file [default: `ftl.toml` at the root]
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
}
