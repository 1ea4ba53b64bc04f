//! `ftl status`.

use std::path::PathBuf;

use clap::Args;

use super::Format;

#[derive(Debug, Args)]
pub(crate) struct StatusArgs {
    /// Whom the result is for
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
    /// Project directory [default: the nearest with a `.ftl`, else the current directory]
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Option<PathBuf>,
}
