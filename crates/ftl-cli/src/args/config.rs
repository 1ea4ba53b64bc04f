//! `ftl config`.

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
}
