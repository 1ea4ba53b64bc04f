//! The languages' own front ends, made safe.
//!
//! A front end gets the bytes on standard input and runs in the root directory, so that it finds no
//! project whose settings it would follow, with an environment from which the variables that change
//! or extend it are taken. What it is asked to do is to parse; it neither resolves, runs nor writes
//! anything.
//!
//! A front end that is missing, crashes, takes too long or answers in a form that is not known here
//! gives no verdict. Only what it says of the file itself counts.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use ftl_process::{Capture, Command, Ended, Environment, How, Output, find_program, trusted_path};

use crate::languages::{Finding, Setting};
use crate::{Language, Reason};

mod gofmt;
mod judge;
mod literal;
#[cfg(feature = "javascript")]
mod node;
mod python;
#[cfg(feature = "rust")]
mod rustc;
#[cfg(feature = "oxc")]
pub(crate) mod scout;
mod typescript;

pub(crate) use self::judge::{judge, judge_by_command};

/// Output kept of a front end, in bytes from either end: some repeat the whole file (`gofmt` prints
/// it).
const KEPT: usize = 256 << 10;

/// Variables with which a user or a project would have a front end load something, or print
/// something else than what is read here. Those of Python are ignored by its option `-I`.
const REMOVED: &[&str] = &[
    "NODE_OPTIONS",
    "NODE_PATH",
    "NODE_V8_COVERAGE",
    "RUSTC_BOOTSTRAP",
    "RUSTC_LOG",
    "RUST_BACKTRACE",
];

/// The directory to run in. Node and rustup look for settings in the working directory and above
/// it; in the root there are none but the administrator's.
const NO_PROJECT: &str = "/";

/// What a front end says about a file.
enum Answer {
    Accepts,
    /// It refuses, and says at least one thing about it.
    Refuses(Vec<Finding>),
    /// There is no tool to ask, or it gave no answer.
    None(Reason),
}

/// Asks a language's front end. It sees the decoded text, except Python's, which does its own
/// decoding.
fn ask(language: Language, bytes: &[u8], text: &str, setting: &Setting<'_>) -> Answer {
    let answer = match language {
        Language::Go => gofmt::ask(text, setting),
        #[cfg(feature = "javascript")]
        Language::JavaScript => node::ask(text, setting),
        #[cfg(not(feature = "javascript"))]
        Language::JavaScript => Err(Reason::NotBuilt(language)),
        Language::Python => python::ask(bytes, text, setting),
        #[cfg(feature = "rust")]
        Language::Rust => rustc::ask(text, setting),
        #[cfg(not(feature = "rust"))]
        Language::Rust => Err(Reason::NotBuilt(language)),
        Language::Tsx | Language::TypeScript => typescript::ask(text, setting),
        Language::Json | Language::Jsonc | Language::Jsx | Language::Toml | Language::Yaml => {
            Err(Reason::NoFrontEnd(language))
        }
    };
    answer.unwrap_or_else(Answer::None)
}

/// The program that [`ask`] starts.
pub(crate) fn front_end(language: Language) -> Option<&'static str> {
    match language {
        Language::Go => Some("gofmt"),
        Language::JavaScript => Some("node"),
        Language::Python => Some("python3"),
        Language::Rust => Some("rustc"),
        Language::Tsx | Language::TypeScript => Some("tsc"),
        Language::Json | Language::Jsonc | Language::Jsx | Language::Toml | Language::Yaml => None,
    }
}

/// The front ends that checkers ask: a caller that is about to let others write can look them up before.
pub const FRONT_ENDS: [&str; 6] = ["gofmt", "node", "python3", "python", "rustc", "tsc"];

/// A program in `PATH`.
fn find(name: &str) -> Result<PathBuf, Reason> {
    find_program(name).ok_or_else(|| Reason::MissingTool(name.to_owned()))
}

/// A program that reads `input` and parses it.
fn command<A: Into<OsString>>(
    program: PathBuf,
    args: impl IntoIterator<Item = A>,
    input: &[u8],
    limit: Duration,
) -> Command {
    // A toolchain that is asked for and missing is not to be fetched from the network.
    let environment = Environment::inherit()
        .set("RUSTUP_AUTO_INSTALL", "0")
        // A front end that is a script finds its interpreter by the PATH: not in a project.
        .set("PATH", trusted_path());
    let environment = REMOVED.iter().fold(environment, |env, name| env.remove(name));
    Command::new(program, args.into_iter().map(Into::into))
        .dir(NO_PROJECT)
        .env(environment)
        .input(input)
        .time_limit(Some(limit))
        // A parser has nothing to tidy up.
        .grace(Duration::from_secs(1))
        .capture(Capture::bounded(KEPT, KEPT))
        .separate_stderr(Capture::bounded(KEPT, KEPT))
}

/// Runs a front end: its exit code, what it printed, and what it printed as errors.
fn run(command: &Command) -> Result<(i32, String, String), Reason> {
    let ended = ended(command)?;
    let code = exit_code(&ended)?;
    let stderr = ended.stderr.as_ref().map(text_of).unwrap_or_default();
    Ok((code, text_of(&ended.output), stderr))
}

fn ended(command: &Command) -> Result<Ended, Reason> {
    command.run(|_| Ok(())).map_err(|error| Reason::CheckerFailed(error.to_string()))
}

fn exit_code(ended: &Ended) -> Result<i32, Reason> {
    let failed = |why: String| Err(Reason::CheckerFailed(why));
    if ended.interrupted.is_some() {
        return failed("interrupted".to_owned());
    }
    if ended.timed_out {
        return failed(format!("no answer after {:?}", ended.duration));
    }
    match ended.how {
        How::Exit(code) => Ok(code),
        How::Signal(signal) => failed(format!("ended by signal {signal}")),
    }
}

fn text_of(output: &Output) -> String {
    let mut bytes = output.head.clone();
    bytes.extend(&output.tail);
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Byte offset of a line and column, both from 1; `measure` says how far a character moves the
/// column. A place beyond the text is its end.
fn offset(text: &str, line: usize, column: usize, measure: fn(char) -> usize) -> usize {
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

/// A finding that covers the character at an offset.
fn finding(text: &str, start: usize, message: &str) -> Finding {
    let width = text[start..].chars().next().map_or(0, char::len_utf8);
    Finding::syntax(message, start..start + width)
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
