//! `ftl doctor`.

use clap::Args;

use super::{Format, ProjectArgs};

#[derive(Debug, Args)]
#[command(
    after_help = "Exit codes: 0 nothing keeps tasks from being built, 1 something does, 2 usage error."
)]
pub(crate) struct DoctorArgs {
    /// Output format of the result
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) project: ProjectArgs,
}
