//! `ftl idioms`.

use clap::{Args, Subcommand};

use super::Format;

#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(crate) enum IdiomsCommand {
    /// Name the project's framework, by its imports and manifests
    Detect(IdiomsArgs),
    /// List all rules: the project's own, and those of frameworks
    List(IdiomsArgs),
    /// Explain rules: what they want, why, and how to fix code
    Explain(NamedArgs),
    /// Check rules against their own examples
    Test(NamedArgs),
}

#[derive(Debug, Args)]
pub(crate) struct IdiomsArgs {
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
pub(crate) struct NamedArgs {
    /// Names of rules, or texts of idioms
    #[arg(value_name = "RULE")]
    pub(crate) rules: Vec<String>,
    #[command(flatten)]
    pub(crate) common: IdiomsArgs,
}
