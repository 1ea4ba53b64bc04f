//! `ftl build`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, ValueEnum};
use ftl_machine::ReadTests;
use ftl_preflight::CheckerName;

use super::{Format, parse_limit};

#[derive(Debug, Args)]
#[command(
    after_help = "Exit codes: 0 complete, 1 ftl could not do it, 2 usage, 3 blocked, 130 and 143 \
                        interrupted."
)]
pub(crate) struct BuildArgs {
    /// WorkspaceFile files: paths, IDs (`001-slug`), or numbers of active tasks (`001`)
    #[arg(required = true, value_name = "WORKSPACE")]
    pub(crate) workspaces: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) options: BuildOptions,
}

/// The options behind `ftl new --build`.
#[derive(Debug, Parser)]
#[command(name = "ftl new … --build", no_binary_name = true)]
pub(crate) struct BuildWords {
    #[command(flatten)]
    pub(crate) options: BuildOptions,
}

// What a build can be told, without the tasks: as a doc comment this would be shown as help.
#[derive(Debug, Args)]
pub(crate) struct BuildOptions {
    /// Let an agent write the delta: a name of the configuration, `claude`, `codex`, `gemini`, `qwen`,
    /// `opencode`, `aider`, or a shell command
    #[arg(long, value_name = "NAME|CMD", conflicts_with_all = ["patch", "tree", "base"])]
    pub(crate) agent: Option<String>,
    /// Let a unified diff be the delta; the k-th request takes the k-th one
    #[arg(long, value_name = "FILE", conflicts_with_all = ["tree", "base"])]
    pub(crate) patch: Vec<PathBuf>,
    /// Take the delta as it stands [default, unless the configuration names an agent]
    #[arg(long)]
    pub(crate) tree: bool,
    /// Revision that the tree is compared with [default: HEAD]
    #[arg(long, value_name = "REV")]
    pub(crate) base: Option<String>,
    /// Block when the tree differs from the revision outside the delta
    #[arg(long)]
    pub(crate) strict_scope: bool,
    /// Project directory [default: the parent of `.ftl`, else the current directory]
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Option<PathBuf>,
    /// Configuration file [default: `ftl.toml` in the root]
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Who checks the syntax [default: hybrid]
    #[arg(long, value_enum)]
    pub(crate) checker: Option<CheckerArg>,
    /// When the verify source is read before the implementer is asked
    #[arg(long, value_enum, value_name = "WHEN", default_value_t)]
    pub(crate) read_tests: ReadTestsArg,
    /// Run the verify once before the implementer, at no charge
    #[arg(long)]
    pub(crate) baseline: bool,
    /// Time limit of one verify: `90`, `90s`, `10m`, `1h` [default: 10m]
    #[arg(long, value_name = "TIME", value_parser = parse_limit)]
    pub(crate) verify_timeout: Option<Duration>,
    /// Time limit of one request to the agent [default: 30m]
    #[arg(long, value_name = "TIME", value_parser = parse_limit)]
    pub(crate) agent_timeout: Option<Duration>,
    /// Export that may go: `name`, `name()` or `path:name`
    #[arg(long, value_name = "NAME")]
    pub(crate) allow_removed: Vec<String>,
    /// Wait for a lock that another builder holds
    #[arg(long)]
    pub(crate) wait: bool,
    /// Give up an unfinished run and begin anew
    #[arg(long)]
    pub(crate) restart: bool,
    /// Whom the result is for
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
    /// Write what happens, one JSON object a line; `-` is standard output
    #[arg(long, value_name = "FILE|-")]
    pub(crate) events: Option<PathBuf>,
    /// Go no further than the plan, and write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// `--checker`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CheckerArg {
    /// Parsers inside ftl
    Embedded,
    /// The languages' own front ends
    Toolchain,
    /// Embedded, and the toolchain on what it rejects
    Hybrid,
    /// The classic commands and their exit codes
    Literal,
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

/// `--read-tests`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReadTestsArg {
    /// When the budget carries the delta and a verify after it
    #[default]
    Auto,
    /// Whenever two calls remain
    Always,
    /// Not at all
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
