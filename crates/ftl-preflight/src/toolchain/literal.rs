//! Commands run as they are, judged by their exit code.
//!
//! This is what people type, with all that comes with it: `go build` resolves imports, `tsc` checks
//! types, bytecode is written. It is here for comparison and for languages without a checker; it is
//! never the default.

use std::path::Path;
use std::time::Duration;
use std::{fs, io};

use ftl_process::{Capture, Command, find_program};

use super::{Answer, KEPT, exit_code, text_of};
use crate::languages::Finding;
use crate::read::read_source;
use crate::{Language, Options, Reason};

/// The customary command for a language's files; `{file}` stands for the path.
fn default_command(language: Language) -> Option<&'static [&'static str]> {
    match language {
        Language::Go => Some(&["go", "build", "-o", "/dev/null", "{file}"]),
        Language::JavaScript | Language::Jsx => Some(&["node", "--check", "{file}"]),
        Language::Python => Some(&["python", "-m", "py_compile", "{file}"]),
        Language::Rust => Some(&["rustc", "--emit=metadata", "{file}"]),
        Language::Tsx | Language::TypeScript => Some(&["npx", "tsc", "--noEmit", "{file}"]),
        Language::Json | Language::Jsonc | Language::Toml | Language::Yaml => None,
    }
}

/// Runs the customary command on a file, or on a copy of bytes that are stored nowhere yet.
pub(super) fn literal(language: Language, path: &Path, bytes: &[u8], options: &Options) -> Answer {
    let Some(words) = default_command(language) else {
        return Answer::None(Reason::NoFrontEnd(language));
    };
    // The file itself if it can be, for its neighbours may matter to the command.
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
pub(super) fn by_configured_command(path: &Path, options: &Options) -> Option<Answer> {
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
