//! What `ftl reopen` and `ftl edit` change in a task.

use std::path::PathBuf;

use clap::{Args, ValueHint};

// A doc comment here would appear in the help text.
#[derive(Debug, Args)]
pub(crate) struct ChangeArgs {
    /// Files to add to the delta
    #[arg(long, value_name = "FILE", num_args = 1.., value_hint = ValueHint::FilePath)]
    pub(crate) delta: Vec<String>,
    /// Files or directories to take out of the quarantine of earlier runs, into the delta and the work
    #[arg(long, value_name = "PATH", num_args = 1..)]
    pub(crate) take: Vec<String>,
    /// New verify command
    #[arg(long, value_name = "CMD")]
    pub(crate) verify: Option<String>,
    /// New test file that the implementer receives before it starts
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) verify_source: Option<String>,
    /// New budget
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i64).range(1..))]
    pub(crate) budget: Option<i64>,
    /// Globs of files that may change or appear beside the delta, such as `tests/` or `*.lock`
    #[arg(long, value_name = "GLOB", num_args = 1..)]
    pub(crate) allow: Vec<String>,
    /// Let the task change its tests
    #[arg(long)]
    pub(crate) tests_change: bool,
    /// Exports that the task may remove: `name`, `name()` or `path:name`, with `*`
    #[arg(long, value_name = "NAME", num_args = 1..)]
    pub(crate) allow_removed: Vec<String>,
    /// How to fix the error that blocked the task, as text for the implementer
    #[arg(long, value_name = "TEXT", group = "fixes", value_parser = fix_text)]
    pub(crate) fix: Option<String>,
    /// Shell command that fixes the error
    #[arg(long, value_name = "CMD", group = "fixes")]
    pub(crate) fix_command: Option<String>,
    /// Unified diff that fixes the error
    #[arg(long, value_name = "FILE", group = "fixes")]
    pub(crate) fix_patch: Option<PathBuf>,
    /// Regular expression that recognises the error [default: made from the error line]
    #[arg(long = "match", value_name = "RE", requires = "fixes")]
    pub(crate) pattern: Option<String>,
}

/// A placeholder for text that only a person can write.
const FIX_TEMPLATE: &str = "WHAT FIXES IT";

/// A fix, but not the placeholder: an implementer would be asked to do what it says.
fn fix_text(text: &str) -> Result<String, String> {
    match text.trim() == FIX_TEMPLATE {
        true => Err(format!("write what fixes the error in place of {FIX_TEMPLATE}")),
        false => Ok(text.to_owned()),
    }
}
