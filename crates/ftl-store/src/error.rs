//! What can keep the store from going on.
//!
//! Some errors are ordinary outcomes of a race, which callers handle: a lock that is held, a name that
//! is taken, a task that is gone. The others mean that the file system failed or that a journal is not
//! what was written.

use std::path::PathBuf;

use super::files::FileError;

/// A failure of the store. The task stays as it was, and its run can be resumed.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The file system refused a step.
    #[error(transparent)]
    File(#[from] FileError),

    /// Another process holds the lock.
    #[error("{what} is held by {}", holder(*pid))]
    Held {
        /// What the lock guards.
        what: String,
        /// The holder, where its process can still be found.
        pid: Option<u32>,
        /// The lock file.
        path: PathBuf,
    },

    /// The task was finished or moved before its lock was ours.
    #[error("`{}` is no longer there", path.display())]
    Gone {
        /// Where the task was.
        path: PathBuf,
    },

    /// A name that must be free is not.
    #[error("`{}` already exists", path.display())]
    Taken {
        /// The name.
        path: PathBuf,
    },

    /// A path that names no task file.
    #[error(transparent)]
    Name(#[from] ftl_model::NotAWorkspaceName),

    /// A line of the journal, with others after it, is not what was written.
    #[error("line {line} of `{}` is damaged: {reason}", path.display())]
    JournalDamaged {
        /// The journal.
        path: PathBuf,
        /// The first bad line, from 1.
        line: u64,
        /// What is wrong with it.
        reason: &'static str,
    },

    /// A sound line of the journal holds data of another shape.
    #[error("line {line} of the journal holds data that this version does not know")]
    JournalUnknown {
        /// The line, from 1.
        line: u64,
        /// What did not fit.
        source: serde_json::Error,
    },

    /// Data that cannot be written as one line of JSON.
    #[error("cannot write data into the journal")]
    JournalData(#[source] serde_json::Error),

    /// An earlier append failed, so nothing more may be built on this journal.
    #[error("cannot write to `{}` after an earlier write to it failed", path.display())]
    JournalFailed {
        /// The journal.
        path: PathBuf,
    },
}

impl StoreError {
    /// A stable name for the kind of failure.
    pub fn code(&self) -> &'static str {
        match self {
            Self::File(_) => "store::file",
            Self::Held { .. } => "store::lock_held",
            Self::Gone { .. } => "store::task_gone",
            Self::Taken { .. } => "store::name_taken",
            Self::Name(_) => "store::not_a_workspace_name",
            Self::JournalDamaged { .. } => "store::journal_damaged",
            Self::JournalUnknown { .. } => "store::journal_unknown",
            Self::JournalData(_) => "store::journal_data",
            Self::JournalFailed { .. } => "store::journal_failed",
        }
    }
}

fn holder(pid: Option<u32>) -> String {
    pid.map_or_else(|| "another process".to_owned(), |pid| format!("process {pid}"))
}
