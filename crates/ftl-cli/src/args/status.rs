//! `ftl status`.

use clap::Args;

use super::Format;

#[derive(Debug, Default, Args)]
pub(crate) struct StatusArgs {
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}
