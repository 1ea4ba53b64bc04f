//! `ftl init`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

#[derive(Debug, Args)]
pub(crate) struct InitArgs {
    /// Write nothing, and print what to add to the configuration of this agent: its hooks
    #[arg(long, value_enum, value_name = "NAME")]
    pub(crate) agent: Option<HookedAgent>,
    /// Project root [default: the nearest directory with a `.ftl`, else the current directory]
    #[arg(long, value_name = "DIR", conflicts_with = "agent")]
    pub(crate) root: Option<PathBuf>,
}

/// An agent whose hooks ftl knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum HookedAgent {
    /// Claude Code
    Claude,
    /// Codex
    Codex,
    /// Gemini CLI
    Gemini,
    /// Qwen Code
    Qwen,
    /// GitHub Copilot CLI
    Copilot,
    /// Cursor
    Cursor,
}
