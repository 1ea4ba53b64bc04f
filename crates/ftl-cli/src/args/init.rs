//! `ftl init`.

use clap::{Args, ValueEnum};

use super::OutputArgs;

#[derive(Debug, Args)]
pub(crate) struct InitArgs {
    /// Write what an agent that you start yourself needs: hooks, the entry of `ftl mcp`, a skill, and a paragraph in
    /// AGENTS.md. All is shown first; on a terminal, you are asked
    #[arg(long, value_enum, value_name = "NAME")]
    pub(crate) agent: Option<HookedAgent>,
    /// Only show what `--agent` would write
    #[arg(short = 'n', long, requires = "agent")]
    pub(crate) dry_run: bool,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
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
    /// GitHub Copilot CLI, and VS Code
    Copilot,
    /// Cursor
    Cursor,
}
