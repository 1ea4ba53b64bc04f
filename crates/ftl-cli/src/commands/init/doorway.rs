//! What an agent that a person starts needs of ftl: hooks that keep it to a task, the tools of `ftl mcp`, a skill and a
//! paragraph that say how tasks are made and judged.
//!
//! Files that are there are kept: JSON is merged, a paragraph added at the end. All is shown before it is written.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use ftl_engine::project::{display_path, find, read_regular};
use serde_json::{Value, json};

use crate::args::HookedAgent;
use crate::commands::refuse_in_request;
use crate::failure::Failure;
use crate::{CommandResult, globals, output};

/// Seconds that a stop hook may take, since it runs the verify.
const STOP_LIMIT: u64 = 600;

/// Bytes of a configuration.
const LARGEST: u64 = 4 << 20;

/// How a task is made, done and judged, for an agent.
const GUIDE: &str = "\
Tasks are files in `.ftl/workspace`: an objective, the files that may change, and a verify command that exits with 0 only
if the task is done. `ftl` decides whether a task is done.

- `ftl status` lists the tasks, `ftl show ID` what happened to one.
- Create a task before larger work: `ftl new 'OBJECTIVE' --delta FILE… --verify 'COMMAND'`. Name few files, and a command
  that fails now, since the work is missing.
- Change only the files of the task. Leave its tests as they are, unless changing them is the task.
- Then run `ftl build ID --tree`. If it blocks, read what failed, fix it, and run the command that `next` names.
";

/// The first line of the paragraph, by which it is found again.
const HEADING: &str = "## Tasks of ftl";

/// A file, as it is to be.
struct Planned {
    path: PathBuf,
    text: String,
    /// What is new in it, to be shown.
    shown: String,
}

/// Shows what the agent needs, and writes it, unless a person at a terminal refuses.
pub(super) fn write(agent: HookedAgent, dry_run: bool) -> CommandResult {
    let layout = find(globals::root(), None)?;
    refuse_in_request(layout.root())?;
    let planned = plan(agent, layout.root())?;
    if planned.is_empty() {
        output::message("nothing to write: all of it is there");
        return Ok(0);
    }
    for file in &planned {
        let word = if file.path.exists() { "add to" } else { "create" };
        let shown = display_path(&file.path);
        output::message(&format!("{word} {}:\n\n{}\n", shown.display(), indented(&file.shown)));
    }
    // A program that runs this is not asked.
    if dry_run || !output::agreed("Write this?")?.unwrap_or(true) {
        return Ok(0);
    }
    for file in planned {
        let shown = display_path(&file.path);
        let failed = |error: io::Error| {
            let message = format!("cannot write `{}`: {error}", shown.display());
            Failure::failed("store::file", message).help("check that the directory can be written")
        };
        let directory = file.path.parent().unwrap_or(layout.root());
        fs::create_dir_all(directory)
            .and_then(|()| fs::write(&file.path, &file.text))
            .map_err(failed)?;
        output::did("Wrote", output::path(&shown))?;
    }
    Ok(0)
}

fn plan(agent: HookedAgent, root: &Path) -> Result<Vec<Planned>, Failure> {
    let (hooks_file, hooks) = hooks_of(agent);
    let mut planned = Vec::new();
    let mut parts = vec![(hooks_file, hooks)];
    match tools_of(agent) {
        // In the same file.
        Some((file, entry)) if file == hooks_file => merge(&mut parts[0].1, &entry),
        Some(part) => parts.push(part),
        None => planned.extend(codex_tools(root)?),
    }
    for (file, part) in parts {
        planned.extend(merged(root.join(file), part)?);
    }
    let skill = format!(
        "---\nname: ftl\ndescription: Create, do and verify coding tasks with ftl. Use it for work that a command can \
         verify.\n---\n\n{GUIDE}"
    );
    let skills = match agent {
        HookedAgent::Claude => ".claude/skills/ftl/SKILL.md",
        _ => ".agents/skills/ftl/SKILL.md",
    };
    let path = root.join(skills);
    if !path.exists() {
        planned.push(Planned { path, shown: skill.clone(), text: skill });
    }
    planned.extend(appended(root.join("AGENTS.md"), HEADING, &format!("{HEADING}\n\n{GUIDE}"))?);
    Ok(planned)
}

/// The file as it is; empty where there is none.
fn existing(path: &Path) -> Result<String, Failure> {
    let unreadable = |why: String| {
        let message = format!("cannot read `{}`: {why}", display_path(path).display());
        Failure::failed("store::file", message)
            .help("correct it, or add manually what `--dry-run` shows")
    };
    match read_regular(path, LARGEST) {
        Ok(bytes) => String::from_utf8(bytes).map_err(|_| unreadable("it is not UTF-8".into())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(String::new()),
        Err(error) => Err(unreadable(error.to_string())),
    }
}

/// A JSON file with this in it; nothing where it is there.
fn merged(path: PathBuf, part: Value) -> Result<Option<Planned>, Failure> {
    let text = existing(&path)?;
    let before: Value = match text.trim() {
        "" => json!({}),
        text => serde_json::from_str(text).map_err(|error| {
            let message = format!("cannot read `{}`: {error}", display_path(&path).display());
            Failure::failed("store::file", message)
                .help("it has comments, or is no JSON: add manually what `--dry-run` shows of another directory")
        })?,
    };
    let mut after = before.clone();
    merge(&mut after, &part);
    let shown = format!("{part:#}");
    Ok((after != before).then(|| Planned { path, text: format!("{after:#}\n"), shown }))
}

/// Adds what is not there: keys to objects, entries to lists. A value that is there stays.
fn merge(into: &mut Value, part: &Value) {
    match (into, part) {
        (Value::Object(into), Value::Object(part)) => {
            for (key, value) in part {
                match into.get_mut(key) {
                    Some(known) => merge(known, value),
                    None => drop(into.insert(key.clone(), value.clone())),
                }
            }
        }
        (Value::Array(into), Value::Array(part)) => {
            let new: Vec<Value> =
                part.iter().filter(|value| !into.contains(value)).cloned().collect();
            into.extend(new);
        }
        _ => {}
    }
}

/// A text file with this at its end; nothing where its mark is there.
fn appended(path: PathBuf, mark: &str, part: &str) -> Result<Option<Planned>, Failure> {
    let before = existing(&path)?;
    if before.contains(mark) {
        return Ok(None);
    }
    let gap = if before.is_empty() { "" } else { "\n" };
    let text = format!("{before}{gap}{part}");
    Ok(Some(Planned { path, text, shown: part.to_owned() }))
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("    {line}")).collect::<Vec<_>>().join("\n")
}

/// The file in which an agent lists its servers of tools, and the entry; none of Codex, whose file is TOML.
fn tools_of(agent: HookedAgent) -> Option<(&'static str, Value)> {
    let server = json!({"command": "ftl", "args": ["mcp"]});
    let servers = json!({"mcpServers": {"ftl": server}});
    match agent {
        HookedAgent::Claude => Some((".mcp.json", servers)),
        HookedAgent::Codex => None,
        HookedAgent::Gemini => Some((".gemini/settings.json", servers)),
        HookedAgent::Qwen => Some((".qwen/settings.json", servers)),
        // VS Code's, whose extension reads the hooks too. The command line has a file of the user alone.
        HookedAgent::Copilot => Some((
            ".vscode/mcp.json",
            json!({"servers": {"ftl": {"type": "stdio", "command": "ftl", "args": ["mcp"]}}}),
        )),
        HookedAgent::Cursor => Some((".cursor/mcp.json", servers)),
    }
}

fn codex_tools(root: &Path) -> Result<Option<Planned>, Failure> {
    let entry = "[mcp_servers.ftl]\ncommand = \"ftl\"\nargs = [\"mcp\"]\n";
    appended(root.join(".codex/config.toml"), "[mcp_servers.ftl]", entry)
}

/// The file of an agent's hooks, and what it holds of them.
fn hooks_of(agent: HookedAgent) -> (&'static str, Value) {
    match agent {
        HookedAgent::Claude => {
            let mut hooks = hooks("PreToolUse", "Stop", Some("*"), STOP_LIMIT);
            // Where ftl itself can't be started, or takes too long, the call is refused.
            hooks["hooks"]["PreToolUse"][0]["hooks"][0]["onFailure"] = "block".into();
            (".claude/settings.json", hooks)
        }
        HookedAgent::Codex => (".codex/hooks.json", hooks("PreToolUse", "Stop", None, STOP_LIMIT)),
        // Both count in milliseconds.
        HookedAgent::Gemini => (
            ".gemini/settings.json",
            hooks("BeforeTool", "AfterAgent", Some("*"), STOP_LIMIT * 1000),
        ),
        HookedAgent::Qwen => {
            (".qwen/settings.json", hooks("PreToolUse", "Stop", Some("*"), STOP_LIMIT * 1000))
        }
        HookedAgent::Copilot => (
            ".github/hooks/ftl.json",
            json!({"version": 1, "hooks": {
                "preToolUse": [{"type": "command", "bash": PRE}],
                "agentStop": [{"type": "command", "bash": STOP, "timeoutSec": STOP_LIMIT}],
            }}),
        ),
        HookedAgent::Cursor => (
            ".cursor/hooks.json",
            json!({"version": 1, "hooks": {
                "preToolUse": [{"command": PRE}],
                "stop": [{"command": STOP}],
            }}),
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
