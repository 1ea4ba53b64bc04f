//! How each agent is pointed at a model server of ours, and given its key.

use std::fs;
use std::path::Path;

use ftl_testkit::Result;

use crate::case::{Case, Way};
use crate::guide;

/// The model's name, for agents that want one.
const MODEL: &str = "scripted";

/// Writes what the agent reads at home, as docs/agents.md says, and gives its variables.
///
/// # Errors
///
/// The page does not say it, or something could not be written.
pub(crate) fn point(
    name: &str,
    home: &Path,
    url: &str,
    key: &str,
) -> Result<Vec<(String, String)>> {
    let found = guide::set_up(name, url, key, MODEL)?;
    for (path, text) in found.files {
        let path = home.join(path);
        fs::create_dir_all(path.parent().ok_or("a file is in a directory")?)?;
        fs::write(path, text)?;
    }
    Ok(found.env)
}

/// The model to name on the command line, for an agent that would otherwise ask which one fits.
pub(crate) fn model(name: &str) -> Option<&'static str> {
    (name == "gemini").then_some(MODEL)
}

/// A command with all of an agent's tools, a shell too, where the preset has no shell.
pub(crate) fn with_shell(name: &str) -> Option<&'static str> {
    Some(match name {
        "claude" => {
            "claude -p --output-format stream-json --verbose --strict-mcp-config --permission-mode acceptEdits --allowedTools Bash"
        }
        "gemini" => {
            "GEMINI_CLI_TRUST_WORKSPACE=true gemini -o stream-json --approval-mode yolo -m scripted"
        }
        "qwen" => "qwen -o stream-json --approval-mode yolo",
        "opencode" => "opencode run --format json",
        "copilot" => "copilot -p \"$(cat)\" --allow-all-tools --no-ask-user --output-format json",
        _ => return None,
    })
}

/// Whether an agent can be run in a way at all.
///
/// # Errors
///
/// It can't, with the reason in a few words.
pub(crate) fn is_possible(
    name: &str,
    way: Way,
    case: &Case,
) -> std::result::Result<(), &'static str> {
    let contained = ["claude", "codex", "opencode"].contains(&name);
    match way {
        Way::Mcp if !contained => Err("not offered"),
        Way::Scoped if ["codex", "copilot"].contains(&name) => Err("as open"),
        Way::Open if name == "aider" => Err("as scoped"),
        Way::Scoped | Way::Mcp if case.needs_shell && name != "codex" => Err("no shell"),
        Way::Mcp if case.needs_shell => Err("no shell"),
        Way::Open if case.needs_shell && name == "aider" => Err("no shell"),
        Way::Open | Way::Scoped | Way::Mcp | Way::Newcomer => Ok(()),
    }
}
