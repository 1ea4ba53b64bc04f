//! Git as the user runs it: with the user's name, hooks and filters.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use ftl_process::{Command, Environment, How, StartError, find_program};

use super::commit_error::CommitError;
use super::user_environment;

/// How much of what git prints an error quotes, in lines.
const QUOTED: usize = 5;

/// The user's git.
#[derive(Clone, Copy)]
pub(super) struct Git<'a> {
    pub(super) root: &'a Path,
    pub(super) index: Option<&'a Path>,
    pub(super) limit: Duration,
}

/// The hooks of a repository, and where git runs them.
pub(super) struct Hooks {
    top: PathBuf,
    dir: PathBuf,
}

impl Hooks {
    /// Runs a hook, if the repository has it, as this git would.
    pub(super) fn run(
        &self,
        git: &Git<'_>,
        name: &str,
        words: &[&OsStr],
    ) -> Result<(), CommitError> {
        let path = self.dir.join(name);
        let found = path.metadata().is_ok_and(|it| it.is_file() && it.mode() & 0o111 != 0);
        if !found {
            return Ok(());
        }
        let line = std::iter::once(path.as_os_str()).chain(words.iter().copied());
        let git = Git { root: &self.top, ..*git };
        let ended = git.start(line.map(ToOwned::to_owned).collect(), b"")?;
        ended.map(drop).map_err(|message| CommitError::Hook { name: name.to_owned(), message })
    }
}

impl Git<'_> {
    /// The object of this name, if there is one.
    pub(super) fn commit_of(&self, name: &str) -> Result<Option<String>, CommitError> {
        let found = self.run(&["rev-parse", "--quiet", "--verify", name], b"")?;
        Ok(found.ok().map(|id| text(&id)))
    }

    /// The top of the working tree.
    pub(super) fn top(&self) -> Result<PathBuf, CommitError> {
        let top = self.ask(&["rev-parse", "--show-toplevel"], &[])?;
        let top = top.strip_suffix(b"\n").unwrap_or(&top);
        Ok(PathBuf::from(OsStr::from_bytes(top)))
    }

    /// The repository's hooks.
    pub(super) fn hooks(&self) -> Result<Hooks, CommitError> {
        let top = self.top()?;
        let dir = Git { root: &top, ..*self }.ask(&["rev-parse", "--git-path", "hooks"], &[])?;
        let dir = top.join(OsStr::from_bytes(dir.strip_suffix(b"\n").unwrap_or(&dir)));
        Ok(Hooks { top, dir })
    }

    /// What a subcommand prints about some paths.
    pub(super) fn ask(&self, words: &[&str], paths: &[&str]) -> Result<Vec<u8>, CommitError> {
        self.tell(&[&["--literal-pathspecs"], words, paths].concat(), b"")
    }

    pub(super) fn tell<S: AsRef<OsStr>>(
        &self,
        words: &[S],
        input: &[u8],
    ) -> Result<Vec<u8>, CommitError> {
        let words_only = words.iter().map(|word| word.as_ref().to_string_lossy());
        let command = words_only.into_iter().find(|word| !word.starts_with('-'));
        self.run(words, input)?.map_err(|message| CommitError::Git {
            command: command.unwrap_or_default().into_owned(),
            message,
        })
    }

    /// What it prints, else why it failed.
    pub(super) fn run<S: AsRef<OsStr>>(
        &self,
        words: &[S],
        input: &[u8],
    ) -> Result<Result<Vec<u8>, String>, StartError> {
        let mut line: Vec<OsString> = ["git", "--no-pager"].map(OsString::from).into();
        line.extend(words.iter().map(|word| word.as_ref().to_owned()));
        self.start(line, input)
    }

    fn start(
        &self,
        line: Vec<OsString>,
        input: &[u8],
    ) -> Result<Result<Vec<u8>, String>, StartError> {
        let session = ["setsid", "--wait"].map(OsString::from);
        let session = find_program("setsid").map(|_| session).into_iter().flatten();
        let mut env = user_environment().set("GIT_TERMINAL_PROMPT", "0").set("GIT_EDITOR", "true");
        if let Some(index) = self.index {
            env = env.set("GIT_INDEX_FILE", index);
        }
        let ended = command(session.chain(line).collect(), env)
            .dir(self.root)
            .input(input)
            .time_limit(Some(self.limit))
            .separate_stderr(ftl_process::Capture::default())
            .run(|_| Ok(()))?;
        if ended.success() {
            return Ok(Ok(ended.output.whole().unwrap_or_default()));
        }
        if ended.timed_out {
            return Ok(Err(format!("it took longer than {} s", self.limit.as_secs())));
        }
        if let How::Signal(signal) = ended.how {
            return Ok(Err(format!("signal {signal} ended it")));
        }
        let (output, error) = (ended.output, ended.stderr.unwrap_or_default());
        let printed = [output.head, output.tail, error.head, error.tail].concat();
        let printed = String::from_utf8_lossy(&printed);
        let lines: Vec<&str> = printed.lines().filter(|line| !line.trim().is_empty()).collect();
        Ok(Err(lines[lines.len().saturating_sub(QUOTED)..].join("\n")))
    }
}

fn command(mut line: Vec<OsString>, env: Environment) -> Command {
    let program = line.remove(0);
    Command::new(program, line).env(env)
}

pub(super) fn names(answer: &[u8]) -> Vec<String> {
    let names = answer.split(|byte| *byte == 0).filter(|name| !name.is_empty());
    names.map(|name| String::from_utf8_lossy(name).into_owned()).collect()
}

pub(super) fn text(answer: &[u8]) -> String {
    String::from_utf8_lossy(answer).trim().to_owned()
}
