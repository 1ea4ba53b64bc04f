//! The problems of a task file as failures, each at its place in the file.

use std::path::Path;

use ftl_xml::{Problem, ReadError};

use super::Failure;

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
