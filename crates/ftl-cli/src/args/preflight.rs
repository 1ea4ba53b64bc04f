//! `ftl preflight`.

use std::path::PathBuf;

use clap::Args;
use ftl_preflight::Language;

use super::{CheckerArg, FindingFormat};

#[derive(Debug, Args)]
#[command(
    after_help = "Exit codes: 0 no invalid file, 1 a file is invalid (or, with `--strict`, unchecked), 2 usage error."
)]
pub(crate) struct PreflightArgs {
    /// Files to check, and directories to search for files of known languages
    #[arg(value_name = "FILE|DIR", required_unless_present_any = ["stdin", "changed", "languages"])]
    pub(crate) paths: Vec<PathBuf>,
    /// Syntax checker [default: hybrid]
    #[arg(long, value_enum)]
    pub(crate) checker: Option<CheckerArg>,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: FindingFormat,
    /// Check only files that differ from this revision of git, untracked ones included; without FILE or
    /// DIR those of the whole repository [default REV: HEAD]
    #[arg(long, value_name = "REV", num_args = 0..=1, conflicts_with = "stdin")]
    pub(crate) changed: Option<Option<String>>,
    /// Check standard input; a FILE then only gives it a name and a language
    #[arg(long)]
    pub(crate) stdin: bool,
    /// Check all files as this language, given by name or file extension
    #[arg(long, value_name = "NAME")]
    pub(crate) language: Option<Language>,
    /// List the languages that are known, how each is checked, and what else ftl can check in its files
    #[arg(long, conflicts_with_all = ["paths", "checker", "changed", "stdin", "language", "commands", "strict"])]
    pub(crate) languages: bool,
    /// Run the commands of `[preflight.commands]` in `ftl.toml`; `--checker literal` does so too
    #[arg(long)]
    pub(crate) commands: bool,
    /// Exit with 1 for unchecked files too
    #[arg(long)]
    pub(crate) strict: bool,
}

/// What a checker passes to the disposable process that parses first.
#[derive(Debug, Args)]
pub(crate) struct ScoutArgs {
    pub(crate) language: Language,
    pub(crate) path: PathBuf,
}
