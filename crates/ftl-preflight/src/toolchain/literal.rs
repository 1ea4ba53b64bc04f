//! Commands run unchanged, judged by their exit code.
//!
//! The usual commands of languages are those that people type, with all their effects: `go build` resolves
//! imports, `tsc` checks types, bytecode is written. They serve for comparison, and are never the default.
//! The commands of the options serve languages without a checker. Of their output the lines that name a
//! place are read ([`super::places`]); the output of a usual command stays whole.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::{fs, io};

use super::front_end::Answer;
use super::{places, process};
use crate::finding::{Finding, Setting};
use crate::read::read_source;
use crate::{Options, Reason};

/// Runs the usual command on a file, or on a copy of bytes that are not stored yet.
pub(super) fn usual(bytes: &[u8], setting: &Setting<'_>) -> Answer {
    let words = setting.language.usual_command();
    if words.is_empty() {
        return Answer::None(Reason::NoFrontEnd(setting.language));
    }
    stored(setting.path, bytes, |file| {
        let words = words.iter().map(|word| word_for(word, file)).collect();
        match run(words, None, setting.options) {
            Ok(None) => Answer::Accepts,
            Ok(Some(said)) => Answer::Refuses(vec![Finding::syntax(said, 0..0)]),
            Err(reason) => Answer::None(reason),
        }
    })
}

/// Runs the command that the options have for a file's name, if they have one.
pub(super) fn configured(path: &Path, bytes: &[u8], options: &Options) -> Option<Answer> {
    let words = options.command(path)?;
    Some(stored(path, bytes, |file| {
        let directory = options.directory.as_deref();
        // The command may run elsewhere than this process.
        let file = match directory {
            Some(_) => std::path::absolute(file).unwrap_or_else(|_| file.to_owned()),
            None => file.to_owned(),
        };
        let mut all: Vec<OsString> = words.iter().map(|word| word_for(word, &file)).collect();
        if !words.iter().any(|word| word.contains(FILE)) {
            all.push(file.clone().into());
        }
        match run(all, directory, options) {
            Ok(None) => Answer::Accepts,
            Ok(Some(said)) => {
                let text = String::from_utf8_lossy(bytes);
                let found = places::findings(&said, &file, &text);
                let whole = || vec![Finding::syntax(said.clone(), 0..0)];
                Answer::Refuses(if found.is_empty() { whole() } else { found })
            }
            Err(reason) => Answer::None(reason),
        }
    }))
}

/// The part of a word that the path replaces.
const FILE: &str = "{file}";

fn word_for(word: &str, file: &Path) -> OsString {
    match (word, file.to_str()) {
        (FILE, _) => file.into(),
        (word, Some(file)) => word.replace(FILE, file).into(),
        (word, None) => word.into(),
    }
}

/// Calls `judge` with the path if it holds the bytes, since the files beside it may matter to a command;
/// else with a copy.
fn stored(path: &Path, bytes: &[u8], judge: impl Fn(&Path) -> Answer) -> Answer {
    if read_source(path).is_ok_and(|stored| stored == bytes) {
        return judge(path);
    }
    let copy = || -> io::Result<(_, PathBuf)> {
        let scratch = tempfile::tempdir()?;
        let file = scratch.path().join(path.file_name().unwrap_or("source".as_ref()));
        fs::write(&file, bytes)?;
        Ok((scratch, file))
    };
    match copy() {
        Ok((_scratch, file)) => judge(&file),
        Err(error) => Answer::None(Reason::CheckerFailed(error.to_string())),
    }
}

/// What a command printed that ended with another code than 0; `None` for 0.
fn run(
    words: Vec<OsString>,
    directory: Option<&Path>,
    options: &Options,
) -> Result<Option<String>, Reason> {
    let mut words = words.into_iter();
    let program =
        words.next().ok_or_else(|| Reason::CheckerFailed("the command is empty".to_owned()))?;
    let program = program.to_string_lossy();
    let mut found = process::find(&program, options)?;
    if let Some(directory) = directory
        && found.is_relative()
    {
        found = directory.join(found);
    }
    // A path is taken as it is by the search.
    if !found.exists() {
        return Err(Reason::MissingTool(program.into_owned()));
    }
    let command = process::command(&found, words).stdin_null();
    let command = match directory {
        Some(directory) => command.dir(directory),
        None => command,
    };
    let ended = process::run(command, false, options)?;
    Ok(match ended.code()? {
        0 => None,
        code => {
            let said = ended.output.trim();
            Some(if said.is_empty() { format!("exit code {code}") } else { said.to_owned() })
        }
    })
}
