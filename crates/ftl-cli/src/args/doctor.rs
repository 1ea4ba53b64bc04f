//! `ftl doctor`.

use clap::Args;

use super::Format;

#[derive(Debug, Args)]
#[command(after_help = "Exit codes: 0 tasks can be built, 1 something prevents it, 2 usage error.")]
pub(crate) struct DoctorArgs {
    /// Check this agent, instead of the default one or all that are installed
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}
