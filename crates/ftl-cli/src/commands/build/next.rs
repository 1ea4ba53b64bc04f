//! The commands that go on from a result, as the user types them in the current directory.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use ftl_engine::project::{display_path, find, lexical, shown_command};
use ftl_engine::result::{BuildResult, CheckResult, OutcomeWord, WayOn};
use ftl_engine::run::{Implementer, Next, Settings};
use ftl_engine::shell_word;

use crate::args::{BuildOptions, GoingOn};
use crate::globals;

/// What a command line needs to go on: the project as it is named from here, and the options of a build.
struct Here {
    /// `--root DIR`, unless the project is that of the current directory. Most builds need no command to go on.
    root: OnceLock<Vec<String>>,
    /// The root.
    dir: PathBuf,
    /// Nothing is sealed: the task is still active.
    is_dry_run: bool,
    /// From here to the root, if that is above: `../`.
    up: OnceLock<String>,
    same: Vec<String>,
    /// The options with which the project is built as it is.
    tree: Vec<String>,
    who: Who,
}

/// Where the work of a blocked run is, and who goes on from it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Who {
    /// With the run; the next build lays it out for the agent.
    Agent,
    /// With the run; no build goes on from it there.
    Patches,
    /// In the project.
    User,
}

/// Makes the commands that go on from builds with these options.
pub(super) fn of(options: &BuildOptions, settings: &Settings) -> Next {
    let here = here(options, settings);
    Next::new(move |result| (here.commands(result), here.then(result)))
}

/// The commands that go on from a check that failed: what the first suspect did, the check again, and, with an agent, the
/// first task built again.
pub(super) fn after_check(
    options: &BuildOptions,
    settings: &Settings,
    check: &CheckResult,
) -> Vec<String> {
    let here = here(options, settings);
    let suspect = check.landed_since.first().map(|id| id.as_str());
    let show = suspect.map(|id| here.command(&["show", id], &[], &["--diff".to_owned()]));
    let task = check.tasks.first().map(|id| id.as_str());
    let again = task.map(|id| here.command(&["check", id], &[], &[]));
    let rebuilt = task.filter(|_| here.who == Who::Agent);
    let rebuilt = rebuilt.map(|id| here.reopen(id, &[], &here.same));
    show.into_iter().chain(again).chain(rebuilt).collect()
}

fn here(options: &BuildOptions, settings: &Settings) -> Here {
    let who = match settings.implementer {
        Implementer::Agent(_) => Who::Agent,
        Implementer::Patches(_) => Who::Patches,
        Implementer::Tree { .. } => Who::User,
    };
    let mut tree = match who {
        Who::User => options.words(GoingOn::Tree),
        Who::Agent | Who::Patches => Vec::new(),
    };
    if !options.tree && options.base.is_none() {
        // The default may be an agent by then.
        tree.push("--tree".to_owned());
    }
    Here {
        root: OnceLock::new(),
        dir: settings.layout.root().to_owned(),
        is_dry_run: options.dry_run,
        up: OnceLock::new(),
        same: options.words(GoingOn::Same),
        tree,
        who,
    }
}

/// The build of the task at a path with these options.
pub(super) fn build(path: &Path, options: &BuildOptions) -> String {
    let mut words = vec!["ftl".to_owned(), "build".to_owned()];
    words.push(path.to_string_lossy().into_owned());
    words.extend(options.words(GoingOn::Same));
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    line(&words)
}

/// Nothing where a command typed here finds the project by itself.
fn root(root: &Path) -> Vec<String> {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let found = find(None, None).map(|layout| real(layout.root()));
    if found.is_ok_and(|found| found == real(root)) {
        return Vec::new();
    }
    vec!["--root".to_owned(), root.to_string_lossy().into_owned()]
}

fn up(root: &Path) -> String {
    let cwd: Option<PathBuf> = std::env::current_dir().and_then(|cwd| cwd.canonicalize()).ok();
    let below = cwd.zip(root.canonicalize().ok());
    let below = below.and_then(|(cwd, root)| Some(cwd.strip_prefix(root).ok()?.to_owned()));
    "../".repeat(below.map_or(0, |below| below.components().count()))
}

impl Here {
    fn commands(&self, result: &BuildResult) -> Vec<String> {
        let id = result.id.as_str();
        match result.outcome {
            OutcomeWord::Planned | OutcomeWord::Unfinished => {
                vec![self.command(&["build", id], &[], &self.same)]
            }
            OutcomeWord::Blocked => {
                let ways = result.ways.iter();
                ways.flat_map(|way| self.way(way, id, &result.workspace)).collect()
            }
            OutcomeWord::Complete
            | OutcomeWord::Dropped
            | OutcomeWord::Skipped
            | OutcomeWord::Waiting
            | OutcomeWord::Limit
            | OutcomeWord::Broken
            | OutcomeWord::Failed => Vec::new(),
        }
    }

    fn way(&self, way: &WayOn, id: &str, file: &str) -> Vec<String> {
        match way {
            WayOn::Correct | WayOn::CorrectRecord => {
                vec![line(&["ftl", "workspace", "validate", file])]
            }
            WayOn::Repair { .. } => vec![self.command(&["reopen", id], &[], &[])],
            WayOn::Work => vec![self.judge_work(id, &[])],
            WayOn::Again { has_work: true } => vec![self.go_on(id, &[])],
            WayOn::Again { has_work: false } => vec![self.reopen(id, &[], &self.same)],
            WayOn::Take(paths) => {
                let changes = self.list("--take", paths);
                let judged = self.judge_with(id, paths, &changes);
                let asked = (self.who == Who::Agent).then(|| self.reopen(id, &changes, &self.same));
                std::iter::once(judged).chain(asked).collect()
            }
            WayOn::Add(paths) => vec![self.reopen(id, &self.list("--delta", paths), &self.same)],
            WayOn::TakeAndAdd(take, add) => {
                let mut changes = self.list("--take", take);
                changes.extend(self.list("--delta", add));
                match self.who {
                    Who::Agent => vec![self.reopen(id, &changes, &self.same)],
                    Who::Patches | Who::User => vec![self.judge_with(id, take, &changes)],
                }
            }
            WayOn::Budget(budget) => {
                let changes = ["--budget".to_owned(), budget.to_string()];
                vec![self.go_on(id, &changes)]
            }
            WayOn::Verify(command) => {
                let changes = ["--verify".to_owned(), self.verify(command)];
                vec![self.reopen(id, &changes, &self.same)]
            }
            WayOn::VerifyWork(command) => {
                let changes = ["--verify".to_owned(), self.verify(command)];
                vec![self.judge_work(id, &changes)]
            }
            WayOn::Attempts => {
                let mut options = self.same.clone();
                options.extend(["--attempts".to_owned(), "2".to_owned()]);
                vec![self.reopen(id, &[], &options)]
            }
            WayOn::Accept(findings) => {
                let words = findings.iter().map(ToString::to_string);
                let changes: Vec<String> =
                    ["--accept".to_owned()].into_iter().chain(words).collect();
                vec![self.reopen(id, &changes, &self.same)]
            }
            WayOn::AllowRemoved(names) => {
                let name = |name: &String| ["--allow-removed".to_owned(), name.clone()];
                vec![self.judge_work(id, &names.iter().flat_map(name).collect::<Vec<_>>())]
            }
            WayOn::Check(path) => vec![line(&["ftl", "preflight", &self.path(path)])],
        }
    }

    /// What the user does after the command, where it does not build.
    fn then(&self, result: &BuildResult) -> Option<String> {
        let id = result.id.as_str();
        result.ways.iter().find_map(|way| match way {
            WayOn::CorrectRecord if !self.is_dry_run => {
                let reopen = self.reopen(id, &[], &self.same);
                Some(format!("correct the record, and `{reopen}`"))
            }
            WayOn::Correct | WayOn::CorrectRecord => {
                let build = self.command(&["build", id], &[], &self.same);
                Some(format!("correct the task file, and `{build}`"))
            }
            WayOn::Repair { has_work } => {
                let options = if *has_work { &self.tree } else { &self.same };
                let build = self.command(&["build", id], &[], options);
                Some(format!("fix what failed, and `{build}`"))
            }
            _ => None,
        })
    }

    fn list(&self, option: &str, paths: &[String]) -> Vec<String> {
        let paths = paths.iter().map(|path| self.path(path));
        std::iter::once(option.to_owned()).chain(paths).collect()
    }

    /// A verify command, as `--verify` takes it here.
    fn verify(&self, command: &str) -> String {
        shown_command(&self.dir, command)
    }

    /// A path from the root, as it is typed here.
    fn path(&self, path: &str) -> String {
        match self.up.get_or_init(|| up(&self.dir)).is_empty() {
            true => path.to_owned(),
            false => display_path(&lexical(&self.dir.join(path))).display().to_string(),
        }
    }

    /// The next run goes on from the work of this one: where an agent is there, it is asked again.
    fn go_on(&self, id: &str, changes: &[String]) -> String {
        match self.who {
            Who::Agent => self.reopen(id, changes, &self.same),
            Who::Patches | Who::User => self.judge_work(id, changes),
        }
    }

    /// As [`judge_work`](Self::judge_work), with these strays.
    fn judge_with(&self, id: &str, strays: &[String], changes: &[String]) -> String {
        let command = self.judge_work(id, changes);
        match self.who {
            Who::User => command,
            Who::Agent | Who::Patches => {
                let paths: Vec<String> = strays.iter().map(|path| self.path(path)).collect();
                format!("{} && {command}", self.command(&["take", id], &paths, &[]))
            }
        }
    }

    /// The next run judges the work of this one as it is.
    fn judge_work(&self, id: &str, changes: &[String]) -> String {
        let reopen = self.reopen(id, changes, &self.tree);
        match self.who {
            Who::User => reopen,
            Who::Agent | Who::Patches => {
                format!("{} && {reopen}", self.command(&["take", id], &[], &[]))
            }
        }
    }

    fn reopen(&self, id: &str, changes: &[String], options: &[String]) -> String {
        let build: Vec<String> =
            std::iter::once("--build".to_owned()).chain(options.iter().cloned()).collect();
        self.command(&["reopen", id], changes, &build)
    }

    fn command(&self, words: &[&str], changes: &[String], last: &[String]) -> String {
        let directory = globals::directory();
        let all: Vec<&str> = std::iter::once("ftl")
            .chain(directory.iter().map(String::as_str))
            .chain(words.iter().copied())
            .chain(self.root.get_or_init(|| root(&self.dir)).iter().map(String::as_str))
            .chain(changes.iter().map(String::as_str))
            .chain(last.iter().map(String::as_str))
            .collect();
        line(&all)
    }
}

fn line(words: &[&str]) -> String {
    let words: Vec<String> = words.iter().map(|word| shell_word(word)).collect();
    words.join(" ")
}
