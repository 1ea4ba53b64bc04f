//! `ftl agents`.

use clap::Args;

use super::Format;

#[derive(Debug, Args)]
pub(crate) struct AgentsArgs {
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}
