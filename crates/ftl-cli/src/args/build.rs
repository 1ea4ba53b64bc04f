//! The options of `ftl build`. Their defaults are the engine's, so most are `Option`s: what is not given
//! here may come from `ftl.toml`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, ValueEnum};
use ftl_engine::run::Isolate;
use ftl_machine::{Evidence, ReadTests};
use ftl_preflight::CheckerName;

use super::{Format, GlobalArgs, ReportFormat, candidates};
use crate::limits::{parse_cost, parse_count, parse_limit};

#[derive(Debug, Args)]
#[command(
    after_help = "Exit codes: 0 complete, 1 ftl could not continue, 2 usage error, 3 blocked, 4 a limit was \
                        reached and tasks remain; 129, 130 and 143 interrupted."
)]
pub(crate) struct BuildArgs {
    /// Tasks to build: paths of task files, IDs (`001-slug`), or numbers of active tasks (`001`, `1`)
    /// [default: the only active task]
    #[arg(value_name = "WORKSPACE", conflicts_with = "all", add = candidates::active())]
    pub(crate) workspaces: Vec<PathBuf>,
    /// Build every active task
    #[arg(long, help_heading = "Which")]
    pub(crate) all: bool,
    #[command(flatten)]
    pub(crate) options: BuildOptions,
}

/// The options after `ftl new --build` and `ftl reopen --build`.
#[derive(Debug, Parser)]
#[command(name = "ftl … --build", no_binary_name = true)]
pub(crate) struct TrailingOptions {
    #[command(flatten)]
    pub(crate) global: GlobalArgs,
    #[command(flatten)]
    pub(crate) options: BuildOptions,
}

// The options of a build without its tasks. A doc comment here would appear in the help text.
#[derive(Debug, Args)]
pub(crate) struct BuildOptions {
    /// Agent that writes the code: a name from the configuration, a preset (`ftl agents` lists them)
    /// or a shell command; repeatable: the k-th attempt is made by the k-th
    #[arg(short, long, value_name = "NAME|CMD", conflicts_with_all = ["patch", "tree", "base"], add = candidates::agents(), help_heading = "Who")]
    pub(crate) agent: Vec<String>,
    /// Model that the agent uses, by the agent's own name for it
    #[arg(long, value_name = "MODEL", conflicts_with_all = ["patch", "tree", "base"], help_heading = "Who")]
    pub(crate) model: Option<String>,
    /// How much the agent thinks, by the agent's own word for it
    #[arg(long, value_name = "LEVEL", conflicts_with_all = ["patch", "tree", "base"], help_heading = "Who")]
    pub(crate) effort: Option<String>,
    /// Unified diff to apply as the delta; repeatable: the k-th request applies the k-th diff
    #[arg(long, value_name = "FILE", conflicts_with_all = ["tree", "base"], help_heading = "Who")]
    pub(crate) patch: Vec<PathBuf>,
    /// Check your own changes in the tree [default, unless the configuration names an agent]
    #[arg(long, help_heading = "Who")]
    pub(crate) tree: bool,
    /// Revision to compare the tree with [default: HEAD]
    #[arg(long, value_name = "REV", help_heading = "Who")]
    pub(crate) base: Option<String>,
    /// Nothing has to change: without an agent, take a delta in which nothing was done for complete work
    #[arg(long, conflicts_with_all = ["agent", "patch"], help_heading = "Who")]
    pub(crate) no_change: bool,
    /// Where the implementer works on its private copy [default: auto]
    #[arg(long, value_enum, value_name = "LEVEL", help_heading = "Who")]
    pub(crate) isolate: Option<IsolateArg>,
    /// Start the agent with the tools of `ftl mcp` only, if it can be restricted so
    #[arg(long, value_enum, value_name = "HOW", help_heading = "Who")]
    pub(crate) contain: Option<ContainArg>,
    /// Block if files outside the delta differ from the base revision
    #[arg(long, help_heading = "How")]
    pub(crate) strict_scope: bool,
    /// Of the options of every command.
    #[arg(skip)]
    pub(crate) root: Option<PathBuf>,
    /// Of the options of every command.
    #[arg(skip)]
    pub(crate) config: Option<PathBuf>,
    /// Syntax checker [default: hybrid]
    #[arg(long, value_enum, help_heading = "How")]
    pub(crate) checker: Option<CheckerArg>,
    /// When to read the verify source before calling the implementer
    #[arg(long, value_enum, value_name = "WHEN", default_value_t, help_heading = "How")]
    pub(crate) read_tests: ReadTestsArg,
    /// Which experiments show what a passing verify is worth [default: auto]
    #[arg(long, value_enum, value_name = "WHICH", help_heading = "How")]
    pub(crate) evidence: Option<EvidenceArg>,
    /// Run the verify command on the project as it is too, also one of no known runner, without charging the budget
    #[arg(long, help_heading = "How")]
    pub(crate) baseline: bool,
    /// Time limit for one run of the verify command: `90`, `90s`, `10m`, `1h` [default: 10m]
    #[arg(long, value_name = "TIME", value_parser = parse_limit, help_heading = "Limits")]
    pub(crate) verify_timeout: Option<Duration>,
    /// Time limit for one request to the agent [default: 30m]
    #[arg(long, value_name = "TIME", value_parser = parse_limit, help_heading = "Limits")]
    pub(crate) agent_timeout: Option<Duration>,
    /// Export that the task may remove: `name`, `name()` or `path:name`; repeatable
    #[arg(long, value_name = "NAME", help_heading = "How")]
    pub(crate) allow_removed: Vec<String>,
    /// Let the task change its tests: those that fail as they were are a warning
    #[arg(long, help_heading = "How")]
    pub(crate) tests_change: bool,
    /// Build also what depends on tasks that are not complete
    #[arg(long, help_heading = "Which")]
    pub(crate) ignore_depends: bool,
    /// Build a task up to N times, if it blocks for a reason that another attempt may fix [default: 1; with
    /// an agent `[build] attempts`; with several as many as there are]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help_heading = "How")]
    pub(crate) attempts: Option<u32>,
    /// Whether verify commands run once more at the end, if other tasks changed files after them [default: end for
    /// more than one task]
    #[arg(long, value_enum, value_name = "WHEN", help_heading = "How")]
    pub(crate) check: Option<CheckArg>,
    /// Commit each complete task on the current branch: its files and its record
    #[arg(long, help_heading = "How")]
    pub(crate) commit: bool,
    /// Build up to N tasks side by side, each in a copy of the tree; what passes lands one by one
    #[arg(short, long, value_name = "N", value_parser = parse_count, conflicts_with = "tree", help_heading = "How")]
    pub(crate) jobs: Option<usize>,
    /// Let workers run the agent, by the NATS server at URL [default: `[workers] url`]
    #[arg(long, value_name = "URL", conflicts_with_all = ["tree", "patch"], help_heading = "How")]
    pub(crate) workers: Option<String>,
    /// File with the credential of the workers' server: NATS creds, `USER:PASSWORD` or a token
    /// [default: `[workers] credentials`]
    #[arg(long, value_name = "FILE", help_heading = "How")]
    pub(crate) creds: Option<PathBuf>,
    /// Slot of a build that another one started
    #[arg(long, hide = true)]
    pub(crate) slot: Option<u32>,
    /// What the command that started a build tried out of isolation
    #[arg(long, hide = true)]
    pub(crate) tried: Option<String>,
    /// Attempt of a build that another one started
    #[arg(long, hide = true)]
    pub(crate) attempt: Option<u32>,
    /// Which of the agents makes the attempt of a build that another one started
    #[arg(long, hide = true)]
    pub(crate) rung: Option<u32>,
    /// Command that started a build, as the user gave it
    #[arg(long, hide = true)]
    pub(crate) given: Option<String>,
    /// Branch on which a build that another one started commits
    #[arg(long, hide = true)]
    pub(crate) commit_on: Option<String>,
    /// Start no more tasks after this time: `90s`, `10m`, `1h`
    #[arg(long, value_name = "TIME", value_parser = parse_limit, help_heading = "Limits")]
    pub(crate) deadline: Option<Duration>,
    /// Start no more tasks once N are blocked
    #[arg(long, value_name = "N", value_parser = parse_count, help_heading = "Limits")]
    pub(crate) max_blocks: Option<usize>,
    /// Start no more tasks once the agents' calls cost X US dollars
    #[arg(long, value_name = "X", value_parser = parse_cost, help_heading = "Limits")]
    pub(crate) max_cost: Option<f64>,
    /// Start no more tasks once the agents used N tokens
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), help_heading = "Limits")]
    pub(crate) max_tokens: Option<u64>,
    /// How long to wait for an agent whose quota is used up, also with a single task
    /// [default: 6h, for more than one task]
    #[arg(long, value_name = "TIME", value_parser = parse_limit, help_heading = "Limits")]
    pub(crate) wait_quota: Option<Duration>,
    /// Wait for locks that another builder holds, instead of failing
    #[arg(long, help_heading = "Going on")]
    pub(crate) wait: bool,
    /// Begin without the work of the run that blocked the task
    #[arg(long, help_heading = "Going on")]
    pub(crate) fresh: bool,
    /// Set by `ftl reopen --accept`: the work of the run before is taken as it is.
    #[arg(skip)]
    pub(crate) reuses_work: bool,
    /// Abandon an unfinished run and start a new one
    #[arg(long, help_heading = "Going on")]
    pub(crate) restart: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t, help_heading = "Output")]
    pub(crate) format: Format,
    /// Write events as they happen, one JSON object per line; `-` for standard output
    #[arg(long, value_name = "FILE|-", help_heading = "Output")]
    pub(crate) events: Option<PathBuf>,
    /// Write the results in the form of another tool too: `junit=FILE`, `sarif=FILE`, `github=FILE`,
    /// `gitlab=FILE`, `markdown=FILE` or `in-toto=FILE`; repeatable
    #[arg(long, value_name = "FORMAT=FILE", value_parser = parse_report, help_heading = "Output")]
    pub(crate) report: Vec<ReportFile>,
    /// Stop after PLAN, and write nothing
    #[arg(short = 'n', long, help_heading = "Which")]
    pub(crate) dry_run: bool,
    /// Of the options of every command.
    #[arg(skip)]
    pub(crate) quiet: bool,
    /// Of the options of every command.
    #[arg(skip)]
    pub(crate) verbose: bool,
}

/// `--report`.
#[derive(Clone, Debug)]
pub(crate) struct ReportFile {
    pub(crate) format: ReportFormat,
    pub(crate) path: PathBuf,
}

fn parse_report(text: &str) -> Result<ReportFile, String> {
    let names: Vec<String> = ReportFormat::value_variants()
        .iter()
        .filter_map(|format| Some(format.to_possible_value()?.get_name().to_owned()))
        .collect();
    let (format, path) = text.split_once('=').unwrap_or((text, ""));
    match ReportFormat::from_str(format, false) {
        Ok(format) if !path.is_empty() => Ok(ReportFile { format, path: path.into() }),
        Ok(_) => Err(format!("write `{format}=FILE`")),
        Err(_) => Err(format!("write `FORMAT=FILE`, where FORMAT is one of {}", names.join(", "))),
    }
}

/// `--color`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorArg {
    Auto,
    Always,
    Never,
}

/// `--contain`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ContainArg {
    Mcp,
}

/// `--isolate`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum IsolateArg {
    /// `bind` if the system allows it, else `copy` with a warning
    Auto,
    /// At the project's own path, where the copy is mounted for it; fail if that is not possible
    Bind,
    /// At the path of the copy
    Copy,
}

impl From<IsolateArg> for Isolate {
    fn from(isolate: IsolateArg) -> Self {
        match isolate {
            IsolateArg::Auto => Self::Auto,
            IsolateArg::Bind => Self::Bind,
            IsolateArg::Copy => Self::Copy,
        }
    }
}

/// `--check`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CheckArg {
    End,
    Never,
}

/// `--checker`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CheckerArg {
    /// Built-in parsers
    Embedded,
    /// The languages' own front ends
    Toolchain,
    /// Embedded first, then the toolchain for files that it rejects
    Hybrid,
    /// The languages' usual commands, judged by exit code alone
    Literal,
}

/// Whose work a build that goes on begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GoingOn {
    /// The same implementer's.
    Same,
    /// The tree's: what a patch was to write is there.
    Tree,
}

impl BuildOptions {
    /// Takes what the options of every command say.
    pub(crate) fn under(mut self, global: &GlobalArgs) -> Self {
        self.root = self.root.or_else(|| global.root.clone());
        self.config = self.config.or_else(|| global.config.clone());
        self.quiet |= global.quiet && !self.verbose;
        self.verbose |= global.verbose && !self.quiet;
        self
    }

    /// The options as they would be typed, without those that are about one run or its output: a build with
    /// them goes on from this one.
    pub(crate) fn words(&self, going_on: GoingOn) -> Vec<String> {
        let mut words = Vec::new();
        let mut add = |name: &str, value: Option<String>| {
            if let Some(value) = value {
                words.extend([name.to_owned(), value]);
            }
        };
        let path = |path: &PathBuf| path.to_string_lossy().into_owned();
        let value = |value: Option<clap::builder::PossibleValue>| {
            value.map(|value| value.get_name().to_owned())
        };
        let seconds = |limit: &Duration| format!("{}s", limit.as_secs_f64());
        for agent in &self.agent {
            add("--agent", Some(agent.clone()));
        }
        add("--model", self.model.clone());
        add("--effort", self.effort.clone());
        let from_tree = self.tree || (going_on == GoingOn::Tree && !self.patch.is_empty());
        if !from_tree {
            for patch in &self.patch {
                add("--patch", Some(path(patch)));
            }
        }
        add("--base", self.base.clone());
        add("--isolate", value(self.isolate.and_then(|level| level.to_possible_value())));
        add("--workers", self.workers.clone());
        add("--creds", self.creds.as_ref().map(path));
        add("--contain", value(self.contain.and_then(|contain| contain.to_possible_value())));
        add("--config", self.config.as_ref().map(path));
        add("--checker", value(self.checker.and_then(|checker| checker.to_possible_value())));
        if self.read_tests != ReadTestsArg::default() {
            add("--read-tests", value(self.read_tests.to_possible_value()));
        }
        add("--evidence", value(self.evidence.and_then(|evidence| evidence.to_possible_value())));
        add("--verify-timeout", self.verify_timeout.as_ref().map(seconds));
        add("--agent-timeout", self.agent_timeout.as_ref().map(seconds));
        for name in &self.allow_removed {
            add("--allow-removed", Some(name.clone()));
        }
        let flags = [
            ("--tree", from_tree),
            ("--no-change", self.no_change),
            ("--strict-scope", self.strict_scope),
            ("--tests-change", self.tests_change),
            ("--baseline", self.baseline),
            ("--commit", self.commit),
            ("--ignore-depends", self.ignore_depends),
            ("--wait", self.wait),
        ];
        let set = flags.into_iter().filter(|(_, set)| *set);
        words.extend(set.map(|(name, _)| name.to_owned()));
        words
    }
}

impl From<CheckerArg> for CheckerName {
    fn from(checker: CheckerArg) -> Self {
        match checker {
            CheckerArg::Embedded => Self::Embedded,
            CheckerArg::Toolchain => Self::Toolchain,
            CheckerArg::Hybrid => Self::Hybrid,
            CheckerArg::Literal => Self::Literal,
        }
    }
}

/// `--evidence`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum EvidenceArg {
    /// Those that cost at most a second run of what runs anyway
    Auto,
    /// All
    Full,
    /// None
    None,
}

impl From<EvidenceArg> for Evidence {
    fn from(which: EvidenceArg) -> Self {
        match which {
            EvidenceArg::Auto => Self::Auto,
            EvidenceArg::Full => Self::Full,
            EvidenceArg::None => Self::None,
        }
    }
}

/// `--read-tests`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReadTestsArg {
    /// If the budget still allows all delta files and one verify
    #[default]
    Auto,
    /// If at least two calls remain
    Always,
    /// Never
    Never,
}

impl From<ReadTestsArg> for ReadTests {
    fn from(when: ReadTestsArg) -> Self {
        match when {
            ReadTestsArg::Auto => Self::Auto,
            ReadTestsArg::Always => Self::Always,
            ReadTestsArg::Never => Self::Never,
        }
    }
}
