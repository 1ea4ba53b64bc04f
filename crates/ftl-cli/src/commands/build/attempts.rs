//! `--attempts`: a task that is blocked by what another try may get over is reopened and built again.
//!
//! Each try is a whole run, with a record of its own. The next one is told of the block by the record.

use std::path::Path;

use ftl_engine::author::reopen::{ReopenTask, Surroundings, reopen};
use ftl_engine::project::WorkspaceFile;
use ftl_engine::result::{BuildResult, EarlierAttempt};
use ftl_engine::run::{Attempt, Settings, build};

use ftl_model::Status;

use crate::failure::Failure;
use crate::output;
use crate::render::reporter::BuildReporter;

/// Builds a task, at most `attempts` times; the result is that of the last run.
pub(super) fn build_task(
    workspace: &WorkspaceFile,
    settings: &Settings,
    reporter: &mut BuildReporter,
) -> Result<BuildResult, Failure> {
    let attempts = settings.attempts;
    let mut result = once(&workspace.path, settings, reporter)?;
    while result.attempt < attempts && may_try_again(&result) {
        tell(&result, attempts);
        let record = WorkspaceFile::find_of(
            Path::new(&result.workspace),
            Some(workspace.layout.root()),
            &[Status::Blocked, Status::Active],
        )?;
        let around = Surroundings { scope: &settings.tree, verify_env: &settings.verify_env };
        let reopened = match reopen(&record, &ReopenTask::default(), around) {
            Ok(reopened) => reopened,
            Err(error) => {
                output::warn(&format!("the task is not tried again: {error}"));
                break;
            }
        };
        let next = Settings {
            attempt: Attempt { number: result.attempt + 1, patches: result.patches },
            restart: false,
            whose: None,
            ..settings.clone()
        };
        let mut earlier = std::mem::take(&mut result.earlier);
        earlier.extend(EarlierAttempt::of(&result));
        result = once(&reopened.path, &next, reporter)?;
        result.earlier = earlier;
    }
    Ok(result)
}

fn once(
    path: &Path,
    settings: &Settings,
    reporter: &mut BuildReporter,
) -> Result<BuildResult, Failure> {
    let result = build(path, settings, reporter);
    reporter.finish();
    Ok(result?)
}

/// Blocks that somebody who knows of them may get over.
fn may_try_again(result: &BuildResult) -> bool {
    let Some(block) = &result.block else {
        return false;
    };
    ftl_engine::run::may_try_again(block.kind) && ftl_process::interrupted().is_none()
}

fn tell(result: &BuildResult, attempts: u32) {
    if let Some(block) = &result.block {
        let (number, kind, error) = (result.attempt, block.kind, &block.error);
        output::message(&format!("attempt {number} of {attempts}: blocked ({kind}): {error}"));
    }
}
