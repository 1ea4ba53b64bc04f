//! `ftl doctor`.

use clap::Args;

use super::{Format, ProjectArgs};

#[derive(Debug, Args)]
#[command(
    after_help = "Exit codes: 0 nothing keeps tasks from being built, 1 something does, 2 usage error."
)]
pub(crate) struct DoctorArgs {
    /// Look at this agent, instead of the default one or all that are installed
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<String>,
    /// Output format of the result
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) project: ProjectArgs,
}
