//! Git as a source of facts: what is tracked, clean, ignored, and what objects hold.
//!
//! The repository is not trusted. Its configuration can name programs (hooks, filters, fsmonitor,
//! external diffs, pagers), and an implementer can write configuration. So git is run with settings
//! that switch these off, only plumbing commands are used, and nothing is asked that writes: not even
//! the index is refreshed (`GIT_OPTIONAL_LOCKS=0`), nor are missing objects fetched.
//!
//! Answers are bytes, separated by NUL wherever git can do so, since names need not be text. Git's own
//! library is not used: it would have to follow every change of git's formats.

#[cfg(fuzzing)]
pub(crate) mod fuzzing;

pub(crate) mod commit_error;
pub(crate) mod committing;
mod find;
mod ignore_files;
mod index;
mod objects;
mod refs;
pub(crate) mod repository;
mod revision;
mod user_git;

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use ftl_process::{Environment, How, Probe, ProbeOutput, StartError};

use super::TreeError;

pub(crate) use find::Discovery;
pub(crate) use index::Index;
use index::LastIndex;
pub(crate) use objects::{Content, unread};
pub(crate) use refs::RefUpdate;

/// Settings that keep git from running programs of the repository, and from comparing by less than
/// all of a file's stamp. Filters are added by name as they are found.
const SAFE: [&str; 7] = [
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.untrackedCache=keep",
    "core.ignoreStat=false",
    "core.trustctime=true",
    "core.checkStat=default",
    "submodule.recurse=false",
];

/// Options of every `diff` that is asked: names alone, from the root, of what really differs.
const NAMES: [&str; 7] = [
    "-z",
    "--name-only",
    "--relative",
    "--no-renames",
    "--no-ext-diff",
    "--no-textconv",
    "--ignore-submodules=all",
];

/// Variables that say where git's own configuration is. Every other `GIT_…` is removed: git sets
/// `GIT_DIR` and `GIT_INDEX_FILE` for hooks, and ftl may be run by a hook of another repository.
const KEPT: [&str; 5] = [
    "GIT_CEILING_DIRECTORIES",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_NOSYSTEM",
    "GIT_CONFIG_SYSTEM",
    "GIT_DISCOVERY_ACROSS_FILESYSTEM",
];

/// Git, asked from the directory below which the tree is watched.
#[derive(Debug)]
pub(crate) struct Git {
    /// Where paths begin: the top of the repository, or the root where only that is watched.
    pub(crate) base: PathBuf,
    /// The top of the repository.
    top: PathBuf,
    /// Where hooks and configuration are, also when `.git` is a file that points elsewhere.
    pub(crate) common_dir: PathBuf,
    settings: Vec<OsString>,
    /// The user's own ignore rules.
    excludes_file: Option<PathBuf>,
    /// Whether case does not matter in ignore rules.
    fold_case: bool,
    last_index: LastIndex,
    /// Git's directory and the top of the work tree, where git is not to find them by itself.
    at: Option<(PathBuf, PathBuf)>,
}

impl Git {
    fn probe<S: AsRef<OsStr>>(&self, args: &[S], input: Vec<u8>) -> Probe {
        let settings = self.settings.iter().flat_map(|setting| [OsStr::new("-c"), setting]);
        let args = args.iter().map(AsRef::as_ref);
        let fixed = std::iter::once(OsStr::new("--no-pager"));
        let mut probe = Probe::new("git", fixed.chain(settings).chain(args));
        probe.dir = Some(self.base.clone());
        probe.env = environment();
        if let Some((git_dir, top)) = &self.at {
            probe.env = probe.env.set("GIT_DIR", git_dir).set("GIT_WORK_TREE", top);
        }
        probe.input = input;
        // Far beyond what any repository needs: a git that hangs must not hang the build for ever.
        probe.limit = std::time::Duration::from_secs(600);
        probe
    }

    fn ask<S: AsRef<OsStr>>(&self, args: &[S], input: Vec<u8>) -> Result<ProbeOutput, StartError> {
        let answer = self.probe(args, input).run()?;
        match answer.how {
            How::Exit(_) => Ok(answer),
            // A killed git has not answered. Taken for a refusal, it would count as a repository
            // that an implementer broke.
            How::Signal(signal) => Err(StartError::Watch {
                program: "git".to_owned(),
                source: std::io::Error::other(format!("it was ended by signal {signal}")),
            }),
        }
    }

    /// Where paths begin, from the top of the repository.
    pub(crate) fn below(&self) -> PathBuf {
        self.base.strip_prefix(&self.top).unwrap_or(Path::new("")).to_path_buf()
    }

    /// The same repository, of which the work tree and git's common directory are copies elsewhere.
    pub(crate) fn moved(&self, top: &Path, common_dir: &Path) -> Result<Self, TreeError> {
        let own = self.own_dir()?;
        let own = common_dir.join(own.strip_prefix(&self.common_dir).unwrap_or(Path::new("")));
        Ok(Self {
            base: top.join(self.below()),
            top: top.to_path_buf(),
            common_dir: common_dir.to_path_buf(),
            settings: self.settings.clone(),
            excludes_file: self.excludes_file.clone(),
            fold_case: self.fold_case,
            last_index: LastIndex::default(),
            at: Some((own, top.to_path_buf())),
        })
    }

    fn tell<S: AsRef<OsStr>>(&self, args: &[S], input: Vec<u8>) -> Result<Vec<u8>, TreeError> {
        let answer = self.ask(args, input)?;
        if answer.how.success() {
            return Ok(answer.stdout);
        }
        Err(refusal(args, &answer))
    }
}

/// The environment of every git that is run.
pub(crate) fn environment() -> Environment {
    let env = without_git_variables(|_| false);
    // A user without a name in git's settings can build, too.
    let env = ["AUTHOR", "COMMITTER"].iter().fold(env, |env, who| {
        env.set(format!("GIT_{who}_NAME"), "ftl").set(format!("GIT_{who}_EMAIL"), "ftl@localhost")
    });
    env.set("GIT_OPTIONAL_LOCKS", "0")
        .set("GIT_TERMINAL_PROMPT", "0")
        .set("GIT_NO_LAZY_FETCH", "1")
        .set("GIT_NO_REPLACE_OBJECTS", "1")
        .set("LC_ALL", "C")
}

/// The environment of a git that acts for the user, with the user's name.
pub(crate) fn user_environment() -> Environment {
    without_git_variables(|name| {
        let kept = [&b"GIT_AUTHOR_"[..], b"GIT_COMMITTER_", b"GIT_CONFIG_"];
        kept.iter().any(|start| name.starts_with(start))
    })
}

fn without_git_variables(is_kept: impl Fn(&[u8]) -> bool) -> Environment {
    let foreign = std::env::vars_os().map(|(name, _)| name).filter(|name| {
        let bytes = name.as_bytes();
        let is_known = KEPT.iter().any(|kept| *kept == name.as_os_str());
        bytes.starts_with(b"GIT_") && !is_known && !is_kept(bytes)
    });
    foreign.fold(Environment::inherit(), Environment::remove)
}

fn refusal<S: AsRef<OsStr>>(args: &[S], answer: &ProbeOutput) -> TreeError {
    let command = args.first().map(|arg| arg.as_ref().to_string_lossy().into_owned());
    TreeError::Git { command: command.unwrap_or_default(), message: first_line(&answer.stderr) }
}

fn first_line(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    text.lines().next().unwrap_or_default().trim_start_matches("fatal: ").to_owned()
}

fn records(listed: &[u8]) -> impl Iterator<Item = &[u8]> {
    listed.split(|&byte| byte == 0).filter(|record| !record.is_empty())
}

fn split_once(bytes: &[u8], at: u8) -> Option<(&[u8], &[u8])> {
    let place = bytes.iter().position(|&byte| byte == at)?;
    Some((&bytes[..place], &bytes[place + 1..]))
}
