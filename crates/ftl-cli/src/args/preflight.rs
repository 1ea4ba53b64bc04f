//! `ftl preflight`.

use std::path::PathBuf;

use clap::Args;
use ftl_preflight::Language;

use super::{CheckerArg, Format};

#[derive(Debug, Args)]
#[command(
    after_help = "Exit codes: 0 nothing found, 1 a file is invalid (or, with `--strict`, unchecked), 2 usage."
)]
pub(crate) struct PreflightArgs {
    /// Files, and directories whose files of known languages are checked
    #[arg(value_name = "FILE|DIR", required_unless_present = "stdin")]
    pub(crate) paths: Vec<PathBuf>,
    /// Who checks the syntax [default: hybrid]
    #[arg(long, value_enum)]
    pub(crate) checker: Option<CheckerArg>,
    /// Whom the result is for
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
    /// Check standard input, as the file that is named, if one is
    #[arg(long)]
    pub(crate) stdin: bool,
    /// Read everything as this language, by its name or an extension of it
    #[arg(long, value_name = "NAME")]
    pub(crate) language: Option<Language>,
    /// Count what nobody could check as a finding
    #[arg(long)]
    pub(crate) strict: bool,
}

/// What a checker tells the process that it sends ahead.
#[derive(Debug, Args)]
pub(crate) struct ScoutArgs {
    pub(crate) language: Language,
    pub(crate) path: PathBuf,
}
