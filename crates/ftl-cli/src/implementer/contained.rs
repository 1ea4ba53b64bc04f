//! Agents that can be started with ftl's own tools and no others: `--contain mcp`.
//!
//! Which words do that, the table of agents says. Each command was run to see which tools the model is offered: of
//! `claude` and `opencode` those of `ftl mcp`, of `codex` also some native ones that write nothing. Agents that keep
//! tools that write have no such words.

use ftl_agents::{Agent, Preset, presets};

use crate::commands::scout;
use crate::failure::Failure;

/// The agent with the tools of `ftl mcp` alone, in place of its configured command.
pub(super) fn contained(name: &str, agent: Agent) -> Result<Agent, Failure> {
    let able = Preset::named(name).is_some_and(|preset| preset.contained.is_some());
    let Some(program) = scout::program().filter(|_| able) else {
        let message = format!("the agent `{name}` has no option to use ftl's tools alone");
        let able = presets().iter().filter(|preset| preset.contained.is_some());
        let known: Vec<String> = able.map(|preset| format!("`{}`", preset.name)).collect();
        return Err(Failure::usage("usage::contain", message)
            .help(format!("name {}, or leave `--contain` out", known.join(", "))));
    };
    Ok(Agent { command: None, contained: Some(program.to_string_lossy().into_owned()), ..agent })
}
