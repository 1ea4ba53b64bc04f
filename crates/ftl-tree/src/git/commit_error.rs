//! Why git, run as the user runs it, makes no commit.

use ftl_process::StartError;
use thiserror::Error;

/// Why no commit was made.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CommitError {
    /// Another branch is checked out.
    #[error("`{}` is checked out, and the command began on `{}`", short(now), short(began))]
    OtherBranch {
        /// The branch that the command began on.
        began: String,
        /// The current one, or `HEAD`.
        now: String,
    },
    /// The user is in the middle of a merge, a cherry-pick or a revert.
    #[error("a merge, cherry-pick or revert is in progress")]
    MergeInProgress,
    /// Some of the paths have staged changes.
    #[error("there are staged changes in {}", .0.join(", "))]
    Staged(Vec<String>),
    /// Other processes committed each time.
    #[error("other processes committed at the same time")]
    Raced,
    /// A hook failed.
    #[error("the hook `{name}` failed: {message}")]
    Hook {
        /// Its name.
        name: String,
        /// The last lines it printed.
        message: String,
    },
    /// That the commit is about to be made cannot be kept.
    #[error("that it is being made cannot be kept: {0}")]
    Intent(String),
    /// Git or a hook failed.
    #[error("`git {command}` failed: {message}")]
    Git {
        /// The subcommand.
        command: String,
        /// The last lines it printed.
        message: String,
    },
    /// Git can't be run.
    #[error("cannot run git")]
    Start(#[from] StartError),
    /// The index or the message can't be written.
    #[error("cannot write `{}`", path.display())]
    Io {
        /// The file.
        path: std::path::PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
}

/// The branch's name as people say it.
fn short(branch: &str) -> &str {
    branch.strip_prefix("refs/heads/").unwrap_or(branch)
}
