//! Task files that a command reads and cannot: their places, for people.
//!
//! Which file is meant, and whether it is one, the engine finds out: see `ftl_engine::project`.

use std::path::{Path, PathBuf};

use ftl_engine::project::WorkspaceFile;
use ftl_xml::{Document, Problem, ReadError};

use crate::failure::Failure;

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
    ftl_xml::read(bytes).map_err(|error| unreadable(path, bytes, &error))
}

/// A place in a task file that cannot be read.
pub(crate) fn unreadable(path: &Path, bytes: &[u8], error: &ReadError) -> Failure {
    let failure = Failure::failed(error.code(), error.to_string()).help(error.help());
    match std::str::from_utf8(bytes) {
        Ok(text) => failure.at(path, text, error.place),
        // Byte offsets would point elsewhere in a text that had to be decoded first.
        Err(_) => Failure::failed(
            error.code(),
            format!("`{}` line {}: {error}", path.display(), error.place.line),
        )
        .help(error.help()),
    }
}

/// Every problem of a task file that a command refuses to write, each at its place.
pub(crate) fn invalid(path: &Path, bytes: &[u8], problems: &[Problem]) -> Failure {
    let text = std::str::from_utf8(bytes).ok();
    let failures = problems.iter().map(|problem| {
        let failure = Failure::usage(problem.code, problem.message.clone()).help(&*problem.help);
        match text {
            Some(text) => failure.at(path, text, problem.place),
            None => failure,
        }
    });
    Failure::of_all(failures).expect("because what is invalid has a problem")
}
