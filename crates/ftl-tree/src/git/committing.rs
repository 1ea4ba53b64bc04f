//! A commit of some paths on a branch, with the user's hooks and name, made of git's plumbing.
//!
//! `git commit` would not do: hooks may commit as well, switch branches or never end, and afterwards no process knows
//! which commit is whose. Here the ID is known before the branch moves, and the branch moves only from the commit that
//! was looked at.
//!
//! It goes through a separate index, so that work which the user has staged stays as it is. Hooks run in a session without
//! a terminal, where the system has setsid(1): one that opens `/dev/tty` fails instead of waiting for an answer.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use ftl_process::StartError;

use super::commit_error::CommitError;
use super::user_git::{Git, Hooks, names, text};

/// A commit to make.
#[derive(Clone, Copy, Debug)]
pub struct Commit<'a> {
    /// The project directory.
    pub root: &'a Path,
    /// What it holds, below the root. Paths that git ignores and does not track are left out.
    pub paths: &'a [String],
    /// Its message.
    pub message: &'a str,
    /// The branch it is made on: `refs/heads/…`; `HEAD` for what is checked out.
    pub branch: &'a str,
    /// A directory for its index and its message.
    pub scratch: &'a Path,
    /// How long git and the hooks may take.
    pub limit: Duration,
    /// Where the index is kept that hooks saw first, which a kill in one of them leaves; and whether the paths are taken
    /// from it, since in the tree they may have changed.
    pub sealed: Option<(&'a Path, bool)>,
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
    /// Makes the commit; `None` where nothing differs from the branch. `intend` gets the ID before the branch moves.
    ///
    /// # Errors
    /// [`CommitError`]; nothing was committed then.
    pub fn make(
        &self,
        intend: &mut dyn FnMut(&str) -> Result<(), String>,
    ) -> Result<Option<Committed>, CommitError> {
        let index = self.scratch.join("commit.index");
        let message = self.scratch.join("commit.message");
        let user = self.git();
        let own = Git { index: Some(&index), ..user };
        let made = self.attempts((&user, &own), &message, intend);
        for path in [&index, &message] {
            let _ = std::fs::remove_file(path);
        }
        made
    }

    /// Whether the branch has a commit that was intended before a kill. The user's index gets its files.
    ///
    /// # Errors
    /// [`CommitError`].
    pub fn finish(&self, id: &str) -> Result<Option<Committed>, CommitError> {
        let user = self.git();
        if user.run(&["merge-base", "--is-ancestor", id, self.branch], b"")?.is_err() {
            return Ok(None);
        }
        let old = user.run(&["rev-parse", "--quiet", "--verify", &format!("{id}^")], b"")?.ok();
        let index_error = self.refresh(&user, old.map(|old| text(&old)).as_deref(), id);
        Ok(Some(Committed { id: id.to_owned(), index_error, differing: Vec::new() }))
    }

    fn git(&self) -> Git<'_> {
        Git { root: self.root, index: None, limit: self.limit }
    }

    fn attempts(
        &self,
        (user, own): (&Git<'_>, &Git<'_>),
        message: &Path,
        intend: &mut dyn FnMut(&str) -> Result<(), String>,
    ) -> Result<Option<Committed>, CommitError> {
        self.check_branch(user)?;
        let paths = self.unignored(user)?;
        if paths.is_empty() {
            return Ok(None);
        }
        let hooks = user.hooks()?;
        for _ in 0..ATTEMPTS {
            let head = user.commit_of(self.branch)?;
            let staged = user.ask(&[&["diff", "--cached"], &NAMES[..]].concat(), &paths)?;
            if !staged.is_empty() {
                return Err(CommitError::Staged(names(&staged)));
            }
            // Hooks see the commit in the separate index, and what they add there is part of it.
            let Some(id) = self.commit_of_index((own, &hooks), head.as_deref(), &paths, message)?
            else {
                return Ok(None);
            };
            let differing = names(&own.ask(&[&["diff"], &NAMES[..]].concat(), &paths)?);
            // From here on a kill leaves a commit that is known: it is on the branch, or nowhere.
            intend(&id).map_err(CommitError::Intent)?;
            let log = format!("commit: {}", self.message.lines().next().unwrap_or_default());
            let old = head.clone().unwrap_or_else(|| "0".repeat(id.len()));
            if user.run(&["update-ref", "-m", &log, self.branch, &id, &old], b"")?.is_err() {
                // Another process was faster, a hook perhaps: the commit is made again on what it left.
                continue;
            }
            let index_error = self.refresh(user, head.as_deref(), &id);
            // As git has it: it can change nothing any more.
            let _ = hooks.run(user, "post-commit", &[]);
            return Ok(Some(Committed { id, index_error, differing }));
        }
        Err(CommitError::Raced)
    }

    /// Brings the files of a commit into the user's index, which has the entries from before: it would show the commit as
    /// undone. Entries that the user staged stay. Why it can't be done.
    fn refresh(&self, user: &Git<'_>, old: Option<&str>, id: &str) -> Option<String> {
        let is_elsewhere = self.branch != "HEAD" && self.check_branch(user).is_err();
        if is_elsewhere {
            return None;
        }
        let refresh = || -> Result<(), CommitError> {
            let top = user.top()?;
            let user = Git { root: &top, ..*user };
            let from = old.unwrap_or("--root");
            let words = ["diff-tree", "-r", "-z", "--no-renames", "--no-commit-id", from, id];
            let changed = names(&user.ask(&words, &[])?);
            let before = match old {
                Some(old) => {
                    user.ask(&["diff", "--cached", "-z", "--name-only", "--no-renames", old], &[])?
                }
                None => user.ask(&["ls-files", "-z"], &[])?,
            };
            let staged: BTreeSet<String> = names(&before).into_iter().collect();
            let (mut made, mut gone) = (Vec::new(), Vec::new());
            for two in changed.chunks_exact(2).filter(|two| !staged.contains(&two[1])) {
                // `:OLD-MODE MODE OLD-OBJECT OBJECT STATUS`, and the path.
                match two[0].split(' ').collect::<Vec<_>>()[..] {
                    [_, "000000", ..] => gone.push(two[1].clone()),
                    [_, mode, _, object, _] => {
                        made.extend([
                            "--cacheinfo".to_owned(),
                            format!("{mode},{object},{}", two[1]),
                        ]);
                    }
                    _ => {}
                }
            }
            // As arguments: git reads a list that a kill cuts off as a whole one, and an empty one as all paths.
            for (options, all) in
                [(&["--force-remove", "--"][..], gone), (&["--add", "--replace"][..], made)]
            {
                for some in all.chunks(ARGUMENTS) {
                    let some: Vec<&str> = some.iter().map(String::as_str).collect();
                    user.tell(&[&["update-index"][..], options, &some].concat(), b"")?;
                }
            }
            // It looks at the files, of which it knows nothing yet. Those that differ are no error here.
            let _ = user.run(&["update-index", "-q", "--refresh"], b"")?;
            Ok(())
        };
        // An editor that looks at the repository holds the index for a moment.
        let begun = Instant::now();
        loop {
            match refresh() {
                Ok(()) => return None,
                Err(CommitError::Git { message, .. })
                    if message.contains("Another git process") && begun.elapsed() < PATIENCE =>
                {
                    sleep(Duration::from_millis(100));
                }
                Err(error) => return Some(error.to_string()),
            }
        }
    }

    fn check_branch(&self, user: &Git<'_>) -> Result<(), CommitError> {
        let now = branch_of(self.root)?.unwrap_or_else(|| "HEAD".to_owned());
        if now != self.branch && self.branch != "HEAD" {
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

    /// Puts the paths into the index that is to be committed.
    fn fill(&self, own: &Git<'_>, paths: &[&str]) -> Result<(), CommitError> {
        if let Some((sealed, true)) = self.sealed {
            let kept = Git { index: Some(sealed), ..*own };
            let words = ["ls-files", "--stage", "--full-name", "-z", "--"];
            let kept = String::from_utf8_lossy(&kept.ask(&words, paths)?).into_owned();
            let words = ["update-index", "--force-remove", "-z", "--stdin"];
            own.tell(&words, paths.join("\0").as_bytes())?;
            let top = Git { root: &own.top()?, ..*own };
            return top.tell(&["update-index", "-z", "--index-info"], kept.as_bytes()).map(drop);
        }
        let words = ["update-index", "--add", "--remove", "--replace", "-z", "--stdin"];
        own.tell(&words, paths.join("\0").as_bytes())?;
        if let (Some((sealed, _)), Some(index)) = (self.sealed, own.index) {
            let part = sealed.with_extension("part");
            let failed = |source| CommitError::Io { path: sealed.to_owned(), source };
            std::fs::copy(index, &part).map_err(failed)?;
            std::fs::rename(&part, sealed).map_err(failed)?;
        }
        Ok(())
    }

    /// A commit of the paths on `head`, which no branch has yet, after the hooks that come before it; its ID. `None` where
    /// nothing differs.
    fn commit_of_index(
        &self,
        (own, hooks): (&Git<'_>, &Hooks),
        head: Option<&str>,
        paths: &[&str],
        message: &Path,
    ) -> Result<Option<String>, CommitError> {
        own.ask(&["read-tree", head.unwrap_or("--empty")], &[])?;
        self.fill(own, paths)?;
        let tree = own.ask(&["write-tree"], &[])?;
        let is_same = |tree: &[u8]| -> Result<bool, CommitError> {
            let before = head.map(|head| own.commit_of(&format!("{head}^{{tree}}"))).transpose()?;
            Ok(before.flatten().is_some_and(|before| before == text(tree)))
        };
        if is_same(&tree)? {
            return Ok(None);
        }
        let failed = |source| CommitError::Io { path: message.to_owned(), source };
        std::fs::write(message, self.message).map_err(failed)?;
        hooks.run(own, "pre-commit", &[])?;
        hooks.run(own, "prepare-commit-msg", &[message.as_os_str(), OsStr::new("message")])?;
        hooks.run(own, "commit-msg", &[message.as_os_str()])?;
        let said = std::fs::read(message).map_err(failed)?;
        std::fs::write(message, own.tell(&["stripspace"], &said)?).map_err(failed)?;
        let tree = own.ask(&["write-tree"], &[])?;
        if is_same(&tree)? {
            return Ok(None);
        }
        let tree = text(&tree);
        let mut words = vec![OsStr::new("commit-tree"), OsStr::new(&tree)];
        if let Some(head) = head {
            words.extend([OsStr::new("-p"), OsStr::new(head)]);
        }
        let signs = own.run(&["config", "--type=bool", "--get", "commit.gpgsign"], b"")?;
        if signs.is_ok_and(|signs| text(&signs) == "true") {
            words.push(OsStr::new("-S"));
        }
        words.extend([OsStr::new("-F"), message.as_os_str()]);
        Ok(Some(text(&own.tell(&words, b"")?)))
    }
}

/// The submodules of a project that hold some of these paths, each with them.
///
/// # Errors
/// When git can't be run.
pub fn in_submodules(
    root: &Path,
    paths: &[String],
) -> Result<BTreeMap<String, Vec<String>>, CommitError> {
    // Most projects have none, and in a large one the list is long.
    let is_repository = |dir: &Path| root.join(dir).join(".git").symlink_metadata().is_ok();
    let is_within = |path: &String| {
        let dirs = Path::new(path).ancestors().skip(1);
        dirs.filter(|dir| !dir.as_os_str().is_empty()).any(is_repository)
    };
    if !paths.iter().any(is_within) {
        return Ok(BTreeMap::new());
    }
    let git = Git { root, index: None, limit: Duration::from_secs(60) };
    let listed = git.ask(&["ls-files", "--stage", "-z"], &[])?;
    let links = names(&listed).into_iter().filter(|entry| entry.starts_with(GITLINK));
    let dirs: Vec<String> =
        links.filter_map(|entry| Some(entry.split_once('\t')?.1.to_owned())).collect();
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for path in paths {
        let within = |dir: &&String| path.strip_prefix(*dir).is_some_and(|it| it.starts_with('/'));
        if let Some(dir) = dirs.iter().find(within) {
            let below = path[dir.len() + 1..].to_owned();
            found.entry(dir.clone()).or_default().push(below);
        }
    }
    Ok(found)
}

/// The mode of a submodule in an index.
const GITLINK: &str = "160000 ";

/// How often a commit is made again where others commit at the same time.
const ATTEMPTS: u32 = 3;

/// Arguments for one call of git, an even number.
const ARGUMENTS: usize = 500;

/// How long another process may hold the user's index.
const PATIENCE: Duration = Duration::from_secs(5);

/// Options of every `diff`: the paths that differ, below the root.
const NAMES: [&str; 6] = ["-z", "--name-only", "--relative", "--no-renames", "--no-ext-diff", "--"];
