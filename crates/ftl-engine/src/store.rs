//! What a crash left of the last write into a project's `.ftl`, and tasks that a command builds.

use std::path::{Path, PathBuf};

use ftl_model::{WorkspaceId, WorkspaceName};
use ftl_store::{Layout, Lock, OsFiles, StoreError};

use crate::project::status_ahead;

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
