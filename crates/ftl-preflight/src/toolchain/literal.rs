//! Commands run unchanged, judged by their exit code.
//!
//! These are the commands that people type, with all their effects: `go build` resolves imports,
//! `tsc` checks types, bytecode is written. They serve for comparison and for languages without a
//! checker; they are never the default.

use std::path::Path;
use std::time::Duration;
use std::{fs, io};

use ftl_process::{Capture, Command, find_program};

use super::front_end::{Answer, KEPT, exit_code, text_of};
use crate::finding::{Finding, Setting};
use crate::read::read_source;
use crate::{Options, Reason};

/// Runs the usual command on a file, or on a copy of bytes that are not stored yet.
pub(super) fn usual(bytes: &[u8], setting: &Setting<'_>) -> Answer {
    let words = setting.language.usual_command();
    if words.is_empty() {
        return Answer::None(Reason::NoFrontEnd(setting.language));
    }
    let (path, options) = (setting.path, setting.options);
    // The file itself where possible, since the files beside it may matter to the command.
    if read_source(path).is_ok_and(|stored| stored == bytes) {
        return run(words, path, options.timeout);
    }
    let copy = || -> io::Result<_> {
        let scratch = tempfile::tempdir()?;
        let file = scratch.path().join(path.file_name().unwrap_or("source".as_ref()));
        fs::write(&file, bytes)?;
        Ok((scratch, file))
    };
    match copy() {
        Ok((_scratch, file)) => run(words, &file, options.timeout),
        Err(error) => Answer::None(Reason::CheckerFailed(error.to_string())),
    }
}

/// Runs the command that the options have for a file's extension, if they have one.
pub(super) fn configured(path: &Path, options: &Options) -> Option<Answer> {
    let extension = path.extension()?.to_str()?.to_ascii_lowercase();
    let words = options.commands.get(&extension)?;
    Some(run(words, path, options.timeout))
}

fn run<W: AsRef<str>>(words: &[W], path: &Path, timeout: Duration) -> Answer {
    let mut words = words.iter().map(AsRef::as_ref);
    let Some(program) = words.next() else {
        return Answer::None(Reason::CheckerFailed("the command is empty".to_owned()));
    };
    if find_program(program).is_none() {
        return Answer::None(Reason::MissingTool(program.to_owned()));
    }
    let args = words.map(|word| match word {
        "{file}" => path.as_os_str().to_owned(),
        word => word.into(),
    });
    let command =
        Command::new(program, args).time_limit(Some(timeout)).capture(Capture::bounded(KEPT, KEPT));
    let ended = match command.run(|_| Ok(())) {
        Ok(ended) => ended,
        Err(error) => return Answer::None(Reason::CheckerFailed(error.to_string())),
    };
    match exit_code(&ended) {
        Err(reason) => Answer::None(reason),
        Ok(0) => Answer::Accepts,
        Ok(code) => {
            let output = text_of(&ended.output);
            let said = output.trim();
            let message =
                if said.is_empty() { format!("exit code {code}") } else { said.to_owned() };
            Answer::Refuses(vec![Finding::syntax(message, 0..0)])
        }
    }
}
