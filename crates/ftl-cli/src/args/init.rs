//! `ftl init`.

use clap::{Args, ValueEnum};

#[derive(Debug, Args)]
pub(crate) struct InitArgs {
    /// Only print the hooks to add to this agent's configuration
    #[arg(long, value_enum, value_name = "NAME")]
    pub(crate) agent: Option<HookedAgent>,
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
