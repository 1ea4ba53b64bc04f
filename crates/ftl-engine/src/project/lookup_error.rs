//! Why a path, an ID or a number names no task file to work on.

use std::path::PathBuf;

use ftl_model::{NotAWorkspaceName, Status, WorkspaceId};
use ftl_store::FileError;
use thiserror::Error;

use super::FindError;

/// Why the file that was named is not one to work on.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LookupError {
    /// It is not named like a task file.
    #[error("`{}`: {source}", path.display())]
    Name {
        /// The path as it was given.
        path: PathBuf,
        /// What the name should be.
        source: NotAWorkspaceName,
    },
    /// It is a directory, a device, a pipe or a socket.
    #[error("`{}` is not a file", path.display())]
    NotAFile {
        /// The path as it was given.
        path: PathBuf,
    },
    /// The task has its record.
    #[error("`{}` is already {status}", path.display())]
    Finished {
        /// The record.
        path: PathBuf,
        /// How the task ended.
        status: Status,
    },
    /// There is neither the file nor a record of its task.
    #[error("`{}` does not exist", path.display())]
    Missing {
        /// The path as it was given.
        path: PathBuf,
    },
    /// No task has this ID or number.
    #[error("no task `{word}` in `{}`", directory.display())]
    Unknown {
        /// The ID or number.
        word: String,
        /// The directory of task files.
        directory: PathBuf,
        /// The tasks that could have been meant.
        active: Vec<WorkspaceId>,
    },
    /// Several active tasks have this number.
    #[error("`{word}` is ambiguous: it matches {}", quoted(ids))]
    Ambiguous {
        /// The number.
        word: String,
        /// The tasks that have it.
        ids: Vec<WorkspaceId>,
    },
    /// It exists and its content cannot be had.
    #[error(transparent)]
    Unreadable(FileError),
    /// The file system refused to say what is there.
    #[error(transparent)]
    File(#[from] FileError),
    /// There is no project to look in.
    #[error(transparent)]
    Find(#[from] FindError),
}

fn quoted(ids: &[WorkspaceId]) -> String {
    let ids: Vec<String> = ids.iter().map(|id| format!("`{id}`")).collect();
    ids.join(", ")
}
