//! One question to a language's own front end, made safe.
//!
//! A front end gets the bytes on standard input and runs in the root directory, so that it finds no
//! project with settings for it. Variables that change or extend it are removed from its
//! environment. It is asked to parse: it neither resolves, runs nor writes anything.
//!
//! A front end that is missing, crashes, takes too long or answers in an unknown form gives no
//! verdict. Only its complaints about the file itself count.

use std::ffi::OsString;
use std::path::PathBuf;

use duct::Expression;

use super::process::{self, Ended};
use crate::Reason;
use crate::finding::{Finding, Setting};

/// Variables that make a front end load code or change its output. Python ignores its own by the
/// option `-I`.
const REMOVED: &[&str] = &[
    "NODE_OPTIONS",
    "NODE_PATH",
    "NODE_V8_COVERAGE",
    "RUSTC_BOOTSTRAP",
    "RUSTC_LOG",
    "RUBYLIB",
    "RUBYOPT",
    "RUST_BACKTRACE",
    "TF_CLI_ARGS",
    "TF_CLI_ARGS_fmt",
    "TF_CLI_CONFIG_FILE",
    "TF_LOG",
];

/// The directory to run in. Node and rustup look for settings in the working directory and above
/// it; in the root there are none but the administrator's.
const NO_PROJECT: &str = "/";

/// The front end of a language: one question to installed programs.
pub(crate) struct FrontEnd {
    /// The programs that it starts; the first one gives it its name.
    pub(crate) programs: &'static [&'static str],
    /// Whether it decodes the bytes itself, and so can judge a file whose encoding is unknown here.
    pub(crate) decodes: bool,
    pub(crate) ask: fn(&Question<'_>) -> Result<Answer, Reason>,
}

/// A file for a front end.
pub(crate) struct Question<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) text: &'a str,
    pub(crate) setting: &'a Setting<'a>,
}

/// A front end's verdict on a file.
pub(crate) enum Answer {
    Accepts,
    /// At least one finding.
    Refuses(Vec<Finding>),
    /// There is no tool to ask, or it gave no answer.
    None(Reason),
}

impl Question<'_> {
    /// Runs a front end that reads the bytes on standard input, exits with 0 when it accepts them,
    /// and otherwise prints findings, of which `parse` reads one from a line.
    ///
    /// # Errors
    ///
    /// The program is missing, crashed, or refused the file without a finding.
    pub(crate) fn ask(
        &self,
        program: &str,
        args: &[&str],
        parse: fn(&str, &str) -> Option<Finding>,
    ) -> Result<Answer, Reason> {
        let (code, out, errors) =
            run(find(program, self.setting)?, args, self.bytes, self.setting)?;
        if code == 0 {
            return Ok(Answer::Accepts);
        }
        let lines = errors.lines().chain(out.lines());
        let findings: Vec<_> = lines.filter_map(|line| parse(self.text, line)).collect();
        if findings.is_empty() {
            return Err(Reason::CheckerFailed(format!("`{program}` ended with {code}")));
        }
        Ok(Answer::Refuses(findings))
    }
}

/// A program by its name.
///
/// # Errors
///
/// There is none.
pub(crate) fn find(name: &str, setting: &Setting<'_>) -> Result<PathBuf, Reason> {
    process::find(name, setting.options)
}

/// Runs a front end on `input`: its exit code, what it printed, and what it printed as errors.
///
/// # Errors
///
/// The program crashed, or took too long.
pub(crate) fn run<A: Into<OsString>>(
    program: PathBuf,
    args: impl IntoIterator<Item = A>,
    input: &[u8],
    setting: &Setting<'_>,
) -> Result<(i32, String, String), Reason> {
    let ended = ended(program, args, input, setting)?;
    let code = ended.code()?;
    Ok((code, ended.output, ended.errors))
}

/// Runs a program that reads `input` and parses it.
pub(super) fn ended<A: Into<OsString>>(
    program: PathBuf,
    args: impl IntoIterator<Item = A>,
    input: &[u8],
    setting: &Setting<'_>,
) -> Result<Ended, Reason> {
    let command: Expression = process::command(&program, args)
        .dir(NO_PROJECT)
        .stdin_bytes(input)
        // A toolchain that is asked for and missing is not to be fetched from the network.
        .env("RUSTUP_AUTO_INSTALL", "0")
        // Terraform would ask for its newest version there.
        .env("CHECKPOINT_DISABLE", "1")
        // A front end that is a script finds its interpreter by the PATH: not in a project.
        .env("PATH", (setting.options.path)());
    let command = REMOVED.iter().fold(command, |command, name| command.env_remove(name));
    process::run(command, true, setting.options)
}

/// Byte offset of a line and column, both from 1; `measure` says how far a character moves the
/// column. A place beyond the text is its end.
pub(crate) fn offset(text: &str, line: usize, column: usize, measure: fn(char) -> usize) -> usize {
    let start: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let mut passed = 1;
    for (at, character) in text[start..].char_indices() {
        if passed >= column || character == '\n' {
            return start + at;
        }
        passed += measure(character);
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::offset;

    #[test]
    fn a_column_is_measured_as_the_front_end_measures_it() {
        let text = "one\n\u{e9}\u{1F600}x\n";
        let x = text.find('x').unwrap();
        assert_eq!(offset(text, 2, 3, |_| 1), x);
        assert_eq!(offset(text, 2, 4, char::len_utf16), x);
        assert_eq!(offset(text, 2, 7, char::len_utf8), x);
        assert_eq!(offset(text, 2, 99, |_| 1), x + 1);
        assert_eq!(offset(text, 9, 1, |_| 1), text.len());
    }
}
