//! The right to write into a project's `.ftl`, and what a crash left of the last write.

use std::path::{Path, PathBuf};

use ftl_model::{WorkspaceId, WorkspaceName};
use ftl_store::{Layout, Lock, OsFiles, StoreError, StoreLock, Waiting};

use crate::project::status_ahead;

/// Shares the right to write into `.ftl`, until the returned value is dropped. With `wait`, waits for a request
/// without isolation to end, or for an interrupt; `waits` is first called once, with the process ID of the build
/// that makes the request.
///
/// # Errors
/// [`StoreError::Held`] during such a request.
pub fn hold_store(
    layout: &Layout,
    wait: bool,
    waits: impl FnOnce(Option<u32>),
) -> Result<StoreLock, StoreError> {
    let mut waits = Some(waits);
    let mut go_on = |pid| {
        if let Some(waits) = waits.take() {
            waits(pid);
        }
        ftl_process::interrupted().is_none()
    };
    let waiting = if wait { Waiting::While(&mut go_on) } else { Waiting::Refuse };
    StoreLock::to_write(layout, waiting)
}

/// Refuses what would change a task that another command builds, or is going to.
///
/// # Errors
/// [`StoreError::Held`], with that command's process.
pub fn refuse_building(layout: &Layout, task: &WorkspaceId) -> Result<(), StoreError> {
    Lock::refuse_building(layout, task)
}

/// Finishes what a crash left of a seal or of reopening, and returns the new path if there was something to
/// finish.
pub(crate) fn finish_rename(path: &Path) -> Result<Option<PathBuf>, StoreError> {
    finish_rename_and_keep(path, &mut None)
}

/// As [`finish_rename`]; `read` gets the bytes of the file, unless it is too large to be a task.
pub(crate) fn finish_rename_and_keep(
    path: &Path,
    read: &mut Option<Vec<u8>>,
) -> Result<Option<PathBuf>, StoreError> {
    let name: WorkspaceName = path.file_name().unwrap_or_default().to_string_lossy().parse()?;
    ftl_store::finish_rename(&OsFiles, path, |bytes| {
        *read = Some(bytes.to_owned());
        status_ahead(name.status, bytes)
    })
}
