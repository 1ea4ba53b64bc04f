//! One run of a task among several: the first, or another one after a block.

use std::path::{Path, PathBuf};

use ftl_model::Status;

use super::Job;
use crate::author::reopen::{ReopenError, ReopenTask, Surroundings, reopen};
use crate::project::WorkspaceFile;
use crate::result::{BuildResult, EarlierAttempt};
use crate::run::{Attempt, Settings, StartSettings};

/// A task that waits for another try.
#[derive(Debug)]
pub(super) struct Blocked {
    pub(super) result: BuildResult,
    /// The active task file, where the task was reopened and its agent could then not be reached.
    pub(super) reopened: Option<PathBuf>,
}

impl Blocked {
    /// Makes the task active again; gives its file.
    pub(super) fn reopen(&self, job: &Job) -> Result<PathBuf, ReopenError> {
        if let Some(path) = &self.reopened {
            return Ok(path.clone());
        }
        let root = job.workspace.layout.root();
        let path = Path::new(&self.result.workspace);
        let record = WorkspaceFile::find_of(path, Some(root), &[Status::Blocked, Status::Active])?;
        let settings = &job.settings;
        let around = Surroundings { scope: &settings.tree, verify_env: &settings.commands.env };
        Ok(reopen(&record, &ReopenTask::default(), around)?.path)
    }

    /// The attempts up to this one.
    pub(super) fn into_earlier(self) -> Vec<EarlierAttempt> {
        let this = self.result.as_earlier();
        self.result.earlier.into_iter().chain(this).collect()
    }

    /// The settings of the next try.
    pub(super) fn settings(&self, settings: &Settings) -> Settings {
        let Blocked { result, .. } = self;
        let mut settings = settings.clone();
        let (number, patches) = (result.attempt + 1, result.patches);
        settings.series.attempt = Attempt { number, patches, ..settings.series.attempt };
        settings.start = StartSettings { restart: false, ..settings.start };
        settings
    }
}
