//! `ftl init --agent`: what to add to an agent's configuration. Nothing is written.

use serde_json::{Value, json};

use crate::args::{HookedAgent, InitArgs};
use crate::{CommandResult, output};

/// Seconds that a stop hook may take, since it runs the verify.
const STOP_LIMIT: u64 = 600;

/// Prints the snippet, and says on standard error where it goes.
pub(crate) fn run(args: &InitArgs) -> CommandResult {
    let (file, snippet) = snippet(args.agent);
    output::message(&format!("Add this to `{file}`:"));
    output::document(&snippet)?;
    Ok(0)
}

fn snippet(agent: HookedAgent) -> (&'static str, Value) {
    match agent {
        HookedAgent::Claude => (
            ".claude/settings.json",
            hooks("PreToolUse", "Stop", Some("*"), STOP_LIMIT),
        ),
        HookedAgent::Codex => (
            ".codex/hooks.json",
            hooks("PreToolUse", "Stop", None, STOP_LIMIT),
        ),
        // Both count in milliseconds.
        HookedAgent::Gemini => (
            ".gemini/settings.json",
            hooks("BeforeTool", "AfterAgent", Some("*"), STOP_LIMIT * 1000),
        ),
        HookedAgent::Qwen => (
            ".qwen/settings.json",
            hooks("PreToolUse", "Stop", Some("*"), STOP_LIMIT * 1000),
        ),
        HookedAgent::Copilot => (
            ".github/hooks/ftl.json",
            json!({"version": 1, "hooks": {"preToolUse": [{"type": "command", "bash": PRE}]}}),
        ),
        HookedAgent::Cursor => (
            ".cursor/hooks.json",
            json!({"version": 1, "hooks": {"preToolUse": [{"command": PRE}]}}),
        ),
    }
}

const PRE: &str = "ftl hook pre-tool-use";
const STOP: &str = "ftl hook stop";

fn hooks(before: &str, end: &str, matcher: Option<&str>, limit: u64) -> Value {
    let entry = |command: &str, timeout: Option<u64>| {
        let mut hook = json!({"type": "command", "command": command});
        if let Some(timeout) = timeout {
            hook["timeout"] = timeout.into();
        }
        let mut entry = json!({"hooks": [hook]});
        if let Some(matcher) = matcher.filter(|_| timeout.is_none()) {
            entry["matcher"] = matcher.into();
        }
        json!([entry])
    };
    json!({"hooks": {before: entry(PRE, None), end: entry(STOP, Some(limit))}})
}
