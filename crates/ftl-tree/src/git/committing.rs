//! A commit of some paths on the current branch, as the user's own git makes it.
//!
//! It goes through a separate index, so that work which the user has staged stays as it is. Unlike every other call of
//! git here it runs the user's hooks and filters, and it has the user's name. Hooks run in a session without a terminal,
//! where the system has setsid(1): one that opens `/dev/tty` fails instead of waiting for an answer.

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::time::Duration;

use ftl_process::{Command, Environment, StartError, find_program};
use thiserror::Error;

use crate::git::user_environment;

/// A commit to make.
#[derive(Debug)]
pub struct Commit<'a> {
    /// The project directory.
    pub root: &'a Path,
    /// What it holds, below the root. Paths that git ignores and does not track are left out.
    pub paths: &'a [String],
    /// Its message.
    pub message: &'a str,
    /// The branch it is made on: `refs/heads/…`.
    pub branch: &'a str,
    /// A directory for its index and its message.
    pub scratch: &'a Path,
    /// How long git and the hooks may take.
    pub limit: Duration,
}

/// A commit that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Committed {
    /// Its ID.
    pub id: String,
    /// Why the user's index does not have it yet.
    pub index_error: Option<String>,
    /// The paths whose bytes in the commit are not those in the tree: a hook changed them.
    pub differing: Vec<String>,
}

/// Why no commit was made.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CommitError {
    /// Another branch is checked out.
    #[error("`{}` is checked out, and the command began on `{}`", short(now), short(began))]
    OtherBranch {
        /// The branch that the command began on.
        began: String,
        /// The current one, or `HEAD`.
        now: String,
    },
    /// The user is in the middle of a merge, a cherry-pick or a revert.
    #[error("a merge, cherry-pick or revert is in progress")]
    MergeInProgress,
    /// Some of the paths have staged changes.
    #[error("there are staged changes in {}", .0.join(", "))]
    Staged(Vec<String>),
    /// Another process committed at the same time.
    #[error("another process committed at the same time")]
    Raced,
    /// Git or a hook failed.
    #[error("`git {command}` failed: {message}")]
    Git {
        /// The subcommand.
        command: String,
        /// The last lines it printed.
        message: String,
    },
    /// Git can't be run.
    #[error("cannot run git")]
    Start(#[from] StartError),
    /// The index or the message can't be written.
    #[error("cannot write `{}`", path.display())]
    Io {
        /// The file.
        path: std::path::PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
}

/// The branch that is checked out around a directory, as `refs/heads/…`; `None` without a repository, and where
/// `HEAD` is detached.
///
/// # Errors
/// When git can't be run.
pub fn branch_of(root: &Path) -> Result<Option<String>, StartError> {
    let asked = Git { root, index: None, limit: Duration::from_secs(60) };
    let answer = asked.run(&["symbolic-ref", "--quiet", "HEAD"], b"")?;
    Ok(answer.ok().map(|name| text(&name)).filter(|name| !name.is_empty()))
}

impl Commit<'_> {
    /// Makes the commit; `None` where nothing differs from `HEAD`.
    ///
    /// # Errors
    /// [`CommitError`]; nothing was committed then.
    pub fn make(&self) -> Result<Option<Committed>, CommitError> {
        let index = self.scratch.join("commit.index");
        let user = Git { root: self.root, index: None, limit: self.limit };
        let own = Git { index: Some(&index), ..user };
        self.check_branch(&user)?;
        let paths = self.unignored(&user)?;
        if paths.is_empty() {
            return Ok(None);
        }
        let staged = user.ask(&[&["diff", "--cached"], &NAMES[..]].concat(), &paths)?;
        if !staged.is_empty() {
            if !self.was_cut_off(&user, &paths)? {
                return Err(CommitError::Staged(names(&staged)));
            }
            user.ask(&["reset", "--quiet", "--"], &paths)?;
            return Ok(None);
        }
        let head = user.head()?;
        let done = self.through(&own, head.as_deref(), &paths);
        let _ = std::fs::remove_file(&index);
        let Some(id) = done? else {
            return Ok(None);
        };
        // The user's index has the entries from before: it would show the commit as undone.
        let reset = user.ask(&["reset", "--quiet", "--"], &paths);
        let differing = user.ask(&[&["diff", "HEAD"], &NAMES[..]].concat(), &paths)?;
        Ok(Some(Committed {
            id,
            index_error: reset.err().map(|error| error.to_string()),
            differing: names(&differing),
        }))
    }

    /// Whether HEAD is this commit, and the user's index is as it was before: the process that made it was killed.
    fn was_cut_off(&self, user: &Git<'_>, paths: &[&str]) -> Result<bool, CommitError> {
        let trailer = self.message.trim_end().lines().last().unwrap_or_default();
        let head = user.run(&["log", "-1", "--format=%B"], b"")?.unwrap_or_default();
        let head = String::from_utf8_lossy(&head);
        if !head.lines().any(|line| line == trailer) {
            return Ok(false);
        }
        let staged = user.ask(&[&["diff", "--cached", "HEAD~1"], &NAMES[..]].concat(), paths);
        Ok(staged.is_ok_and(|staged| staged.is_empty()))
    }

    fn check_branch(&self, user: &Git<'_>) -> Result<(), CommitError> {
        let now = branch_of(self.root)?.unwrap_or_else(|| "HEAD".to_owned());
        if now != self.branch {
            return Err(CommitError::OtherBranch { began: self.branch.to_owned(), now });
        }
        for name in ["MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD"] {
            if user.run(&["rev-parse", "--quiet", "--verify", name], b"")?.is_ok() {
                return Err(CommitError::MergeInProgress);
            }
        }
        Ok(())
    }

    /// The paths without those that git ignores and does not track.
    fn unignored(&self, user: &Git<'_>) -> Result<Vec<&str>, CommitError> {
        let input = self.paths.join("\0");
        let words = ["check-ignore", "-z", "--stdin"];
        let ignored = match user.run(&words, input.as_bytes())? {
            Ok(ignored) => names(&ignored),
            // It ends with 1 where it prints nothing.
            Err(message) if message.is_empty() => Vec::new(),
            Err(message) => {
                return Err(CommitError::Git { command: words[0].to_owned(), message });
            }
        };
        let paths = self.paths.iter().filter(|path| !ignored.contains(path));
        Ok(paths.map(String::as_str).collect())
    }

    /// The commit, by a separate index; its ID.
    fn through(
        &self,
        own: &Git<'_>,
        head: Option<&str>,
        paths: &[&str],
    ) -> Result<Option<String>, CommitError> {
        own.ask(&["read-tree", head.unwrap_or("--empty")], &[])?;
        let words = ["update-index", "--add", "--remove", "--replace", "-z", "--stdin"];
        own.tell(&words, paths.join("\0").as_bytes())?;
        if own.ask(&[&["diff", "--cached"], &NAMES[..]].concat(), paths)?.is_empty() {
            return Ok(None);
        }
        let message = self.scratch.join("commit.message");
        std::fs::write(&message, self.message)
            .map_err(|source| CommitError::Io { path: message.clone(), source })?;
        let file = message.as_os_str();
        let words = ["commit", "--quiet", "--cleanup=whitespace", "--file"].map(OsStr::new);
        let made = own.tell(&[&words[..], &[file]].concat(), b"");
        let _ = std::fs::remove_file(&message);
        made?;
        let id = own.head()?.unwrap_or_default();
        let parent = own.run(&["rev-parse", "--quiet", "--verify", "HEAD^"], b"")?.ok();
        if parent.map(|parent| text(&parent)).as_deref() != head {
            // Its tree lacks what the other commit changed.
            own.ask(&["update-ref", self.branch, &format!("{id}^"), &id], &[])?;
            return Err(CommitError::Raced);
        }
        Ok(Some(id))
    }
}

/// Options of every `diff`: the paths that differ, below the root.
const NAMES: [&str; 6] = ["-z", "--name-only", "--relative", "--no-renames", "--no-ext-diff", "--"];

/// How much of what git prints an error quotes, in lines.
const QUOTED: usize = 5;

/// The user's git.
#[derive(Clone, Copy)]
struct Git<'a> {
    root: &'a Path,
    index: Option<&'a Path>,
    limit: Duration,
}

impl Git<'_> {
    fn head(&self) -> Result<Option<String>, CommitError> {
        let head = self.run(&["rev-parse", "--quiet", "--verify", "HEAD"], b"")?;
        Ok(head.ok().map(|id| text(&id)))
    }

    /// What a subcommand prints about some paths.
    fn ask(&self, words: &[&str], paths: &[&str]) -> Result<Vec<u8>, CommitError> {
        self.tell(&[&["--literal-pathspecs"], words, paths].concat(), b"")
    }

    fn tell<S: AsRef<OsStr>>(&self, words: &[S], input: &[u8]) -> Result<Vec<u8>, CommitError> {
        let words_only = words.iter().map(|word| word.as_ref().to_string_lossy());
        let command = words_only.into_iter().find(|word| !word.starts_with('-'));
        self.run(words, input)?.map_err(|message| CommitError::Git {
            command: command.unwrap_or_default().into_owned(),
            message,
        })
    }

    /// What it prints, else why it failed.
    fn run<S: AsRef<OsStr>>(
        &self,
        words: &[S],
        input: &[u8],
    ) -> Result<Result<Vec<u8>, String>, StartError> {
        let mut line: Vec<OsString> = Vec::new();
        if find_program("setsid").is_some() {
            line.extend(["setsid", "--wait"].map(OsString::from));
        }
        line.extend(["git", "--no-pager"].map(OsString::from));
        line.extend(words.iter().map(|word| word.as_ref().to_owned()));
        let mut env = user_environment().set("GIT_TERMINAL_PROMPT", "0").set("GIT_EDITOR", "true");
        if let Some(index) = self.index {
            env = env.set("GIT_INDEX_FILE", index);
        }
        let ended = command(line, env)
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

fn names(answer: &[u8]) -> Vec<String> {
    let names = answer.split(|byte| *byte == 0).filter(|name| !name.is_empty());
    names.map(|name| String::from_utf8_lossy(name).into_owned()).collect()
}

fn text(answer: &[u8]) -> String {
    String::from_utf8_lossy(answer).trim().to_owned()
}

/// The branch's name as people say it.
fn short(branch: &str) -> &str {
    branch.strip_prefix("refs/heads/").unwrap_or(branch)
}
