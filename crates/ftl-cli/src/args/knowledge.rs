//! The commands of `ftl knowledge` and their options.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::{Format, OutputArgs};

#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(crate) enum KnowledgeCommand {
    /// Add a failure to a file of shared failures
    Add(Box<AddArgs>),
    /// List the shared failures
    List(ListArgs),
    /// Compare failures with the output of a failed command
    Test(TestArgs),
}

#[derive(Debug, Args)]
pub(crate) struct AddArgs {
    /// Name of the failure
    pub(crate) name: String,
    /// Text of the error
    #[arg(long, value_name = "TEXT", required_unless_present_any = ["from", "pattern"])]
    pub(crate) trigger: Option<String>,
    /// Blocked task whose error it is: path, ID (`001-slug`) or number (`001`)
    #[arg(long, value_name = "RECORD", conflicts_with = "trigger")]
    pub(crate) from: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) remedy: RemedyArgs,
    /// Regular expression (Python's syntax) that finds the error
    #[arg(long = "match", value_name = "RE")]
    pub(crate) pattern: Option<String>,
    /// Tag such as `flaky`; repeatable
    #[arg(long, value_name = "WORD")]
    pub(crate) tag: Vec<String>,
    /// Number of tokens that the failure cost
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) cost: i64,
    /// Output of a run that passed: `ftl` warns if the pattern is found in it
    #[arg(long, value_name = "FILE")]
    pub(crate) passing: Option<PathBuf>,
    /// File of `[knowledge] files` that takes it [default: the first]
    #[arg(long, value_name = "FILE")]
    pub(crate) file: Option<String>,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

// How to fix a failure. No doc comment here either.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub(crate) struct RemedyArgs {
    /// What the implementer should do about it
    #[arg(long, value_name = "TEXT")]
    pub(crate) fix: Option<String>,
    /// Shell command that fixes it
    #[arg(long, value_name = "CMD")]
    pub(crate) fix_command: Option<String>,
    /// Unified diff that fixes it
    #[arg(long, value_name = "FILE")]
    pub(crate) fix_patch: Option<PathBuf>,
    /// Only run the verify command again
    #[arg(long)]
    pub(crate) rerun: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ListArgs {
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
#[command(after_help = "Exit codes: 0 a failure matches, 1 none does, 2 usage error.")]
pub(crate) struct TestArgs {
    /// File with the output, such as a log of a run; `-` for standard input
    pub(crate) output: PathBuf,
    /// Failures to compare [default: all]
    #[arg(value_name = "NAME")]
    pub(crate) names: Vec<String>,
    /// Output of the same command where it passed: `ftl` warns if a pattern is found in it
    #[arg(long, value_name = "FILE")]
    pub(crate) passing: Option<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}
