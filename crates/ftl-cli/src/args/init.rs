//! `ftl init`.

use clap::{Args, ValueEnum};

#[derive(Debug, Args)]
pub(crate) struct InitArgs {
    /// Agent to print the configuration for: its hooks, and ftl's tools. Nothing is written
    #[arg(long, value_enum, value_name = "NAME")]
    pub(crate) agent: HookedAgent,
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
