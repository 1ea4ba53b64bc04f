//! Agents that can be started with ftl's own tools and no others: `--contain mcp`.
//!
//! Each command was run to see which tools the model is offered: of `claude` and `opencode` those of
//! `ftl mcp`, of `codex` also some of its own that write nothing. Agents that keep tools that write are not
//! here.

use ftl_engine::shell_word;
use serde_json::json;

use crate::commands::scout;
use crate::failure::Failure;

/// Agents that can be told so.
const NAMES: [&str; 3] = ["claude", "codex", "opencode"];

/// The command that starts an agent with the tools of `ftl mcp` alone.
pub(super) fn command(agent: &str, model: Option<&str>) -> Result<String, Failure> {
    let Some(program) = scout::program().filter(|_| NAMES.contains(&agent)) else {
        let message = format!("the agent `{agent}` cannot be told to use no tools but ftl's");
        let known = NAMES.map(|name| format!("`{name}`")).join(", ");
        return Err(Failure::usage("usage::contain", message)
            .help(format!("name {known}, or leave `--contain` out")));
    };
    let program = program.to_string_lossy();
    // All three take it anywhere behind their own name.
    let model = model.map(|model| format!(" --model {}", shell_word(model)));
    let model = model.unwrap_or_default();
    Ok(match agent {
        "claude" => claude(&program, &model),
        "codex" => codex(&program, &model),
        _ => opencode(&program, &model),
    })
}

/// Claude Code 2.1.330. It passes its environment on.
fn claude(program: &str, model: &str) -> String {
    let servers =
        json!({"mcpServers": {"ftl": {"type": "stdio", "command": program, "args": ["mcp"]}}});
    format!(
        "MCP_TOOL_TIMEOUT=3600000 claude -p{model} --output-format stream-json --verbose --setting-sources '' \
         --strict-mcp-config --mcp-config {} --tools '' --allowedTools mcp__ftl",
        shell_word(&servers.to_string())
    )
}

/// Codex 0.169.0. Its servers get the variables that are named, and a minute for a call unless told otherwise.
fn codex(program: &str, model: &str) -> String {
    let settings = [
        format!("mcp_servers.ftl.command={}", json!(program)),
        "mcp_servers.ftl.args=[\"mcp\"]".to_owned(),
        format!("mcp_servers.ftl.env_vars={}", json!(PASSED)),
        "mcp_servers.ftl.tool_timeout_sec=3600".to_owned(),
        "mcp_servers.ftl.default_tools_approval_mode=\"approve\"".to_owned(),
        "analytics.enabled=false".to_owned(),
    ];
    let settings: Vec<String> = settings
        .iter()
        .map(|setting| format!("-c {}", shell_word(setting)))
        .collect();
    let off = ["shell_tool", "unified_exec", "multi_agent", "goals"]
        .map(|name| format!("--disable {name}"));
    format!(
        "codex exec{model} --json --skip-git-repo-check -s read-only {} {} -",
        off.join(" "),
        settings.join(" ")
    )
}

/// What `ftl mcp` needs of the environment.
const PASSED: [&str; 7] = [
    "FTL_ROOT",
    "FTL_WORKSPACE",
    "FTL_REQUEST",
    "FTL_CONFIG",
    "XDG_STATE_HOME",
    "HOME",
    "PATH",
];

/// opencode 1.18.33. It passes its environment on.
fn opencode(program: &str, model: &str) -> String {
    let config = json!({
        "mcp": {"ftl": {"type": "local", "command": [program, "mcp"], "enabled": true, "timeout": 3_600_000}},
        "permission": {"*": "deny", "ftl_*": "allow"},
    });
    format!(
        "OPENCODE_CONFIG_CONTENT={} opencode run{model} --format json",
        shell_word(&config.to_string())
    )
}

#[cfg(test)]
mod tests {
    use ftl_agents::presets;

    use super::NAMES;

    #[test]
    fn the_table_of_agents_says_who_can_be_contained() {
        let able = presets().iter().filter(|preset| preset.mcp);
        assert_eq!(
            able.map(|preset| preset.name.as_str()).collect::<Vec<_>>(),
            NAMES
        );
    }
}
