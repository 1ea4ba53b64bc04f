//! What no record has of the time after a seal: results of the checks at the end of a build, what changed of that with which
//! a verify had passed, and commits that are not made yet.
//!
//! It is a file beside the runs. Without it checks that were made are made again, and a commit that a kill prevented is
//! left to the user.

use std::collections::BTreeMap;
use std::io::ErrorKind;

use ftl_model::{Digest, WorkspaceId};
use ftl_store::{Files, Layout, OsFiles, StoreError, replace};
use serde::{Deserialize, Serialize};

use crate::result::FailedCheck;

/// The name of the file, in the directory of runs.
const LEDGER: &str = "checks.json";

/// The results of checks, and what hooks changed.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Ledger {
    /// All that was sealed up to then is checked.
    pub(crate) through: Option<String>,
    /// The last check of each command since then.
    pub(crate) checks: BTreeMap<String, Checked>,
    /// What is not as it was when a verify passed.
    pub(crate) changes: Vec<ChangeSince>,
    /// Commits of tasks that are about to be sealed, or are.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) commits: Vec<OwedCommit>,
}

/// A commit that follows the seal of a task.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct OwedCommit {
    pub(crate) task: WorkspaceId,
    pub(crate) run: u64,
    /// Where the command began: `refs/heads/…`.
    pub(crate) branch: String,
    pub(crate) message: String,
    pub(crate) verify: String,
    /// Its files, from the root, as they were at the seal; null where there is none.
    pub(crate) files: BTreeMap<String, Option<Digest>>,
    /// The commit, about to be on the branch or on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) intended: Option<String>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Checked {
    pub(crate) at: String,
    /// Null where it passed.
    pub(crate) failed: Option<FailedCheck>,
    /// The tasks that it verifies.
    #[serde(default)]
    pub(crate) tasks: Vec<WorkspaceId>,
}

/// A hook changed what a verify had passed with; or other tasks' work that it passed with was undone.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct ChangeSince {
    pub(crate) task: String,
    pub(crate) run: u64,
    pub(crate) at: String,
    pub(crate) verify: String,
}

impl Ledger {
    /// Reads it. One that is missing or damaged knows of no check. One that can't be read must not be replaced: it may
    /// know of commits.
    pub(crate) fn read(layout: &Layout) -> Result<Self, StoreError> {
        let bytes = match OsFiles.read(&layout.runs_dir().join(LEDGER)) {
            Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
            bytes => bytes?,
        };
        Ok(serde_json::from_slice(&bytes).unwrap_or_default())
    }

    fn write(&self, layout: &Layout) -> Result<(), StoreError> {
        let bytes = serde_json::to_vec_pretty(self).expect("because its keys are texts");
        replace(&OsFiles, &layout.runs_dir().join(LEDGER), &bytes)
    }

    /// Keeps that a commit is to be made.
    pub(crate) fn owe_commit(layout: &Layout, commit: OwedCommit) -> Result<(), StoreError> {
        let mut ledger = Self::read(layout)?;
        ledger.commits.retain(|other| other.task != commit.task);
        ledger.commits.push(commit);
        ledger.write(layout)
    }

    /// Keeps which commit is about to be made for a task.
    pub(crate) fn intend_commit(
        layout: &Layout,
        task: &WorkspaceId,
        id: &str,
    ) -> Result<(), StoreError> {
        let mut ledger = Self::read(layout)?;
        for commit in ledger.commits.iter_mut().filter(|commit| commit.task == *task) {
            commit.intended = Some(id.to_owned());
        }
        ledger.write(layout)
    }

    /// Keeps that the commit of a task was made, or can't be.
    pub(crate) fn settle_commit(layout: &Layout, task: &WorkspaceId) -> Result<(), StoreError> {
        let mut ledger = Self::read(layout)?;
        ledger.commits.retain(|commit| commit.task != *task);
        ledger.write(layout)
    }

    /// Keeps that something changed of that with which a task was sealed.
    pub(crate) fn keep_change(layout: &Layout, change: ChangeSince) -> Result<(), StoreError> {
        let mut ledger = Self::read(layout)?;
        ledger.changes.push(change);
        ledger.write(layout)
    }

    /// Keeps the result of a check.
    pub(crate) fn keep_check(
        layout: &Layout,
        command: &str,
        check: Checked,
    ) -> Result<(), StoreError> {
        let mut ledger = Self::read(layout)?;
        ledger.checks.insert(command.to_owned(), check);
        ledger.write(layout)
    }

    /// Keeps that everything up to now is checked.
    pub(crate) fn close(layout: &Layout, at: &str) -> Result<(), StoreError> {
        let commits = Self::read(layout)?.commits;
        let ledger = Self { through: Some(at.to_owned()), commits, ..Self::default() };
        ledger.write(layout)
    }
}
