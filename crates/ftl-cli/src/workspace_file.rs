//! The task file that a command line names.
//!
//! Which file is meant, and whether it is one, the engine finds out: see `ftl_engine::project`.

use std::path::{Path, PathBuf};

use ftl_engine::project::WorkspaceFile;
use ftl_xml::Document;

use crate::failure::{self, Failure};

/// The path of the task file that a path, an ID or a number means, whatever the task's state.
pub(crate) fn path_of(task: &Path, root: Option<&Path>) -> Result<PathBuf, Failure> {
    let is_path = task.components().count() > 1 || task.extension().is_some() || task.exists();
    match is_path {
        true => Ok(task.to_owned()),
        false => Ok(WorkspaceFile::find_any(task, root)?.path),
    }
}

/// What a task file's bytes say, or every reason why they say nothing.
pub(crate) fn document<'b>(path: &Path, bytes: &'b [u8]) -> Result<Document<'b>, Failure> {
    ftl_xml::read(bytes).map_err(|error| failure::unreadable(path, bytes, &error))
}
