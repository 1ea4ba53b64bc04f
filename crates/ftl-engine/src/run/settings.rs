//! The settings of a build: choices of the command line and the configuration, resolved.
//!
//! The engine reads no configuration and no environment variable of ftl's. What may not change while a run
//! is unfinished is in `choices.rs`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use ftl_agents::Agent;
use ftl_analysis::diagnosis::Families;
use ftl_analysis::quality::Rules;
use ftl_machine::{Evidence, ReadTests, Undecided};
use ftl_model::{Failure, Finding};
use ftl_preflight::CheckerName;
use ftl_process::{DEFAULT_GRACE, Environment};
use ftl_store::Layout;
use ftl_store::path_text::list as path_list;
use ftl_text::Redactor;
use ftl_tree::Settings as TreeSettings;
use serde::{Deserialize, Serialize};

use crate::performer::Performer;
use crate::result::BuildResult;
use crate::run::words::wording::Advice;

/// Who writes the delta.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Implementer {
    /// A program that is asked, by a shell command that is run as `sh -c COMMAND ftl DELTA…`.
    Agent(Box<Agent>),
    /// Unified diffs: the k-th request takes the k-th.
    Patches(#[serde(with = "path_list")] Vec<PathBuf>),
    /// The current delta, compared with a revision.
    Tree {
        /// The revision; `None` for git's `HEAD`.
        base: Option<String>,
    },
}

impl Implementer {
    /// Whether it is the project as it is: what is there is judged, and no request is made.
    #[must_use]
    pub fn is_tree(&self) -> bool {
        matches!(self, Self::Tree { .. })
    }
}

/// Where the workplace of an implementer is placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Isolate {
    /// At the root's own path where the system allows it, else at the copy's; a warning says why.
    Auto,
    /// At the root's own path, or not at all.
    Bind,
    /// At the copy's own path.
    Copy,
}

/// A command that says whether an error is one of the failures that are like it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judge {
    /// A shell command, run in the root.
    pub command: String,
    /// How long it may take.
    pub limit: Duration,
}

/// All settings of a build, by who reads them.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where the project has its files, and the user's state directory, below which snapshots are kept; a request needs
    /// one.
    pub layout: Layout,
    /// Who writes the delta.
    pub implementer: Implementer,
    /// Beginning and going on.
    pub start: StartSettings,
    /// The requests to an agent.
    pub requests: RequestSettings,
    /// Verify and preflight commands.
    pub commands: CommandSettings,
    /// Syntax checks.
    pub syntax: SyntaxSettings,
    /// What is known of a failed verify.
    pub failures: FailureSettings,
    /// Judging what passed its verify.
    pub quality: QualitySettings,
    /// The caller's command, of which the run is a part.
    pub series: SeriesSettings,
    /// When a verify source is read before the implementer is asked.
    pub read_tests: ReadTests,
    /// Verify findings that block.
    pub untrusted: BTreeSet<Finding>,
    /// Which experiments show what a passing verify is worth.
    pub evidence: Evidence,
    /// Whether the verify runs once before the implementer, at no charge.
    pub baseline: bool,
    /// Whether files outside the delta that differ from the tree's base revision block.
    pub strict_scope: bool,
    /// What is scratch, what becomes of strays, what is too large to keep.
    pub tree: TreeSettings,
    /// From TERM to KILL, of every command.
    pub grace: Duration,
    /// What is secret, and leaves nowhere.
    pub redactor: Redactor,
    /// The number of the workplace that an implementer writes in; `None` for the first.
    pub slot: Option<u32>,
    /// What a person can type, for the sentences of records.
    pub advice: Advice,
    /// What a person can type to go on.
    pub next: Next,
}

/// How a run begins, or goes on from an earlier one. None of it is part of the run.
#[derive(Clone, Debug, Default)]
pub struct StartSettings {
    /// Wait for a lock that another process holds.
    pub wait: bool,
    /// Begin without the work of the run that blocked the task.
    pub fresh: bool,
    /// Take the work of that run as it is, in place of the first request.
    pub reuses_work: bool,
    /// Give up an unfinished run and begin again.
    pub restart: bool,
    /// Stop after PLAN, and write nothing.
    pub dry_run: bool,
    /// Take a project in which nothing was done for work that needs no change.
    pub no_change: bool,
}

/// How an agent is asked.
#[derive(Clone, Debug)]
pub struct RequestSettings {
    /// The limit of one request.
    pub limit: Duration,
    /// The agent's environment.
    pub env: Environment,
    /// Where a workplace is placed; `None` leaves it to the kind of implementer.
    pub isolate: Option<Isolate>,
    /// The program that, as `PROGRAM view …`, is the first process of an implementer's
    /// namespaces: it calls [`ftl_process::View::enter`].
    pub view: Option<PathBuf>,
    /// What [`try_placing`](crate::run::try_placing) found for the command that started this process.
    pub tried: Option<String>,
    /// The program that performs the requests, in place of the agent's command.
    pub performer: Option<Performer>,
    /// How long it may wait for what it needs to perform requests.
    pub patience: Duration,
    /// How long a command waits for an agent whose quota is used up.
    pub quota_wait: Duration,
    /// Whether it does so for a single task too.
    pub waits_alone: bool,
}

/// How the commands of a task run.
#[derive(Clone, Debug)]
pub struct CommandSettings {
    /// The limit of one verify, and of one preflight command.
    pub limit: Duration,
    /// Their environment.
    pub env: Environment,
    /// Globs of the reports of tests, JUnit's or CTRF's, that a verify writes.
    pub reports: Vec<String>,
    /// What makes the project's dependencies equal to their manifests.
    pub setup: Option<Setup>,
}

/// A command that makes dependencies equal to their manifests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// A shell command, run in the root.
    pub command: String,
    /// The manifests: globs, as in a `.gitignore` of the root.
    pub when: Vec<String>,
}

/// How syntax is checked.
#[derive(Clone, Debug)]
pub struct SyntaxSettings {
    /// Which checker is asked.
    pub checker: CheckerName,
    /// How long a language's own front end may take over one file.
    pub limit: Duration,
    /// Commands that check files by suffix (`.kt`), instead of the checker.
    pub commands: BTreeMap<String, Vec<String>>,
    /// The program that, as `PROGRAM scout LANGUAGE PATH`, parses first what could end a parser.
    pub scout: Option<PathBuf>,
}

/// How a failed verify is classified and matched.
#[derive(Clone, Debug, Default)]
pub struct FailureSettings {
    /// Which errors are transient.
    pub families: Families,
    /// Failures that the project shares: known to every task, after its own.
    pub shared: Vec<Failure>,
    /// Who is asked where an error is like a known failure, but not like enough.
    pub judge: Option<Judge>,
}

/// How idioms, exports and tests are judged.
#[derive(Clone, Debug)]
pub struct QualitySettings {
    /// The rules that decide idioms.
    pub rules: Rules,
    /// The framework that a project uses, for tasks that name none.
    pub framework_of: fn(&Path) -> Option<&'static str>,
    /// What becomes of idioms that no rule decides.
    pub undecided: Undecided,
    /// Who is asked about them, where these are for a judge.
    pub judge: Option<Judge>,
    /// Exports that may go: `name`, `name()` or `path:name`.
    pub allow_removed: Vec<String>,
    /// The task may change its tests.
    pub tests_change: bool,
}

/// What the caller's command does around the run.
#[derive(Clone, Debug)]
pub struct SeriesSettings {
    /// Which try of the command this is.
    pub attempt: Attempt,
    /// How many tries the command makes at most, where the block is one that another try may get over.
    pub attempts: u32,
    /// The settings of the attempts after the first one, each by another agent; the last of them for all further ones.
    pub stronger: Vec<Settings>,
    /// The verify of a complete task is run once more after the command's last task.
    pub is_checked: bool,
    /// The branch, as `refs/heads/…`, on which a complete task is committed; `None` commits nothing.
    pub commit: Option<String>,
    /// Lines that follow `Ftl-Task: ID` in the message of a commit.
    pub trailers: Vec<String>,
}

/// Which try of one command a run is, and what the tries before it used up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attempt {
    /// From 1.
    pub number: u32,
    /// Patches that earlier tries were given.
    pub patches: u32,
    /// Which of the command's agents makes it, from 0.
    pub rung: u32,
}

impl Default for Attempt {
    fn default() -> Self {
        Self { number: 1, patches: 0, rung: 0 }
    }
}

type MakeNext = dyn Fn(&BuildResult) -> (Vec<String>, Option<String>) + Send + Sync;

/// Makes the commands that go on from a result, as the caller's users type them.
#[derive(Clone)]
pub struct Next(Arc<MakeNext>);

impl Next {
    /// Commands made by this function, and what the user does after them.
    pub fn new(
        make: impl Fn(&BuildResult) -> (Vec<String>, Option<String>) + Send + Sync + 'static,
    ) -> Self {
        Self(Arc::new(make))
    }

    /// Gives a result the commands that go on from it.
    pub fn fill(&self, result: &mut BuildResult) {
        (result.next, result.then) = (self.0)(result);
    }
}

impl Default for Next {
    /// For callers without a command line.
    fn default() -> Self {
        Self::new(|_| (Vec::new(), None))
    }
}

impl fmt::Debug for Next {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Next")
    }
}

impl Settings {
    /// The defaults, for a project and the implementer of its delta.
    #[must_use]
    pub fn new(root: PathBuf, implementer: Implementer) -> Self {
        let root = std::path::absolute(&root).unwrap_or(root);
        Self {
            layout: Layout::new(root),
            implementer,
            start: StartSettings::default(),
            requests: RequestSettings {
                limit: Duration::from_secs(30 * 60),
                env: Environment::inherit(),
                isolate: None,
                view: None,
                tried: None,
                performer: None,
                patience: Duration::from_secs(60 * 60),
                quota_wait: Duration::from_secs(6 * 60 * 60),
                waits_alone: false,
            },
            commands: CommandSettings {
                limit: Duration::from_secs(10 * 60),
                env: Environment::inherit(),
                reports: Vec::new(),
                setup: None,
            },
            syntax: SyntaxSettings {
                checker: CheckerName::default(),
                limit: ftl_preflight::Options::default().timeout,
                commands: BTreeMap::new(),
                scout: None,
            },
            failures: FailureSettings::default(),
            quality: QualitySettings {
                rules: Rules::default(),
                framework_of: |_| None,
                undecided: Undecided::default(),
                judge: None,
                allow_removed: Vec::new(),
                tests_change: false,
            },
            series: SeriesSettings {
                attempt: Attempt::default(),
                attempts: 1,
                stronger: Vec::new(),
                is_checked: false,
                commit: None,
                trailers: Vec::new(),
            },
            read_tests: ReadTests::default(),
            untrusted: Finding::UNTRUSTED.into(),
            evidence: Evidence::default(),
            baseline: false,
            strict_scope: false,
            tree: TreeSettings::default(),
            grace: DEFAULT_GRACE,
            redactor: Redactor::default(),
            slot: None,
            advice: Advice::default(),
            next: Next::default(),
        }
    }
}
