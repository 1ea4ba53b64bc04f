//! `ftl hook`: an interactive agent's calls and its end, judged by the hook protocol that most agents share.
//!
//! Claude Code's form is the model: JSON on standard input, exit 2 forbids, and the agent reads the reason on
//! standard error. Any other exit would let the call pass, so whatever goes wrong here forbids too. GitHub
//! Copilot alone is answered in JSON.

use std::env;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use ftl_engine::project::{Layout, WorkspaceFile, find};
use ftl_engine::tools::guard;
use serde_json::{Value, json};

use super::build;
use crate::args::HookArgs;
use crate::failure::Failure;
use crate::{CommandResult, globals, output};

/// Forbids, by the agents' protocol.
const FORBID: u8 = 2;

/// Bytes of a hook's input: a call may write a whole file.
const MAX_INPUT: u64 = 64 << 20;

/// Keys that name a file which a tool writes.
const PATHS: [&str; 12] = [
    "file_path",
    "filepath",
    "filePath",
    "path",
    "absolute_path",
    "notebook_path",
    "target_file",
    "filename",
    "relative_path",
    "new_path",
    "destination",
    "file",
];

/// Keys that name several.
const LISTS: [&str; 3] = ["files", "paths", "file_paths"];

/// Parts of the names of tools that write.
const WRITERS: [&str; 14] = [
    "write", "edit", "replace", "create", "patch", "delete", "insert", "update", "remove",
    "rename", "move", "append", "notebook", "save",
];

/// Judges a tool call.
pub(crate) fn pre_tool_use(args: &HookArgs) -> CommandResult {
    answer(|input| {
        let (layout, active) = place(args, input)?;
        let name = text(input, &["tool_name", "toolName"]).unwrap_or_default();
        // ftl's own tools judge for themselves.
        if active.is_empty() || name.starts_with("mcp__ftl__") || name.starts_with("mcp_ftl_") {
            return Ok(None);
        }
        let cwd = cwd(input)?;
        let writes = written(name, input).into_iter().map(|path| cwd.join(path));
        let writes: Vec<PathBuf> = writes.collect();
        let settings = build::settings_of(layout.root())?;
        Ok(guard::forbid(&active, &layout, &settings, &writes)?)
    })
}

/// Judges whether an agent may end.
pub(crate) fn stop(args: &HookArgs) -> CommandResult {
    answer(|input| {
        let (layout, active) = place(args, input)?;
        // Cursor counts how often it went on.
        let again = input["stop_hook_active"].as_bool() == Some(true)
            || input["loop_count"].as_u64().is_some_and(|count| count > 0);
        // Of several tasks it is unknown which one the agent works on.
        let [task] = active.as_slice() else {
            return Ok(None);
        };
        let settings = build::settings_of(layout.root())?;
        Ok(guard::unfinished(task, again, settings)?)
    })
}

/// How an agent takes a refusal: by the exit code and standard error, or as JSON of a form that it has.
enum Form {
    Exit,
    CopilotCall,
    CopilotStop,
    CursorStop,
}

fn answer(judge: impl FnOnce(&Value) -> Result<Option<String>, Failure>) -> CommandResult {
    let input = read();
    let has = |key: &str| input.as_ref().is_ok_and(|input| input.get(key).is_some());
    let form = match () {
        () if has("toolName") => Form::CopilotCall,
        () if has("stopReason") => Form::CopilotStop,
        () if has("loop_count") => Form::CursorStop,
        () => Form::Exit,
    };
    let verdict = input.and_then(|input| judge(&input));
    let why = match verdict {
        Ok(None) => {
            output::result("{}\n")?;
            return Ok(0);
        }
        Ok(Some(why)) => why,
        Err(failure) => {
            let error = failure.result().error;
            let help = error.help.map(|help| format!(" ({help})"));
            format!("ftl cannot judge this: {}{}", error.message, help.unwrap_or_default())
        }
    };
    let answer = match form {
        Form::CopilotCall => json!({"permissionDecision": "deny", "permissionDecisionReason": why}),
        Form::CopilotStop => json!({"decision": "block", "reason": why}),
        Form::CursorStop => json!({"followup_message": why}),
        Form::Exit => Value::Null,
    };
    if !answer.is_null() {
        return output::json(&answer).map(|()| 0);
    }
    output::message(&format!("ftl: {}", ftl_text::terminal_text(why.as_bytes())));
    Ok(FORBID)
}

fn read() -> Result<Value, Failure> {
    let refused = |why: String| Failure::usage("usage::hook", format!("the hook's input is {why}"));
    let mut bytes = Vec::new();
    let read = io::stdin().lock().take(MAX_INPUT + 1).read_to_end(&mut bytes);
    read.map_err(|error| refused(format!("unreadable: {error}")))?;
    if bytes.len() as u64 > MAX_INPUT {
        return Err(refused("too large".to_owned()));
    }
    let value =
        serde_json::from_slice(&bytes).map_err(|error| refused(format!("no JSON: {error}")))?;
    match value {
        Value::Object(_) => Ok(value),
        _ => Err(refused("no JSON object".to_owned())),
    }
}

/// The project that the agent works in, and its tasks.
fn place(args: &HookArgs, input: &Value) -> Result<(Layout, Vec<WorkspaceFile>), Failure> {
    let cwd = cwd(input)?;
    let root = globals::root().map(Path::to_owned).or_else(|| project(&cwd));
    let Some(root) = root else {
        // Not in a project.
        return Ok((Layout::new(cwd), Vec::new()));
    };
    let layout = find(Some(&root), None)?;
    let active = match &args.workspace {
        Some(named) => vec![WorkspaceFile::find(named, Some(&root))?],
        None => WorkspaceFile::all_active(&layout)?,
    };
    // As they are found from anywhere.
    let directory = layout.workspace_dir();
    let at =
        |task: WorkspaceFile| WorkspaceFile { path: directory.join(task.name.to_string()), ..task };
    Ok((layout, active.into_iter().map(at).collect()))
}

/// The nearest directory with a `.ftl`.
fn project(cwd: &Path) -> Option<PathBuf> {
    let mut above = cwd.ancestors();
    above.find(|dir| dir.join(".ftl").is_dir()).map(Path::to_owned)
}

/// Where the agent works: it need not start its hooks there.
fn cwd(input: &Value) -> Result<PathBuf, Failure> {
    let here = env::current_dir()
        .map_err(|error| Failure::failed("store::current_directory", error.to_string()))?;
    let named = input["cwd"].as_str().or_else(|| input["workspace_roots"][0].as_str());
    Ok(named.map_or_else(|| here.clone(), |cwd| here.join(cwd)))
}

fn text<'v>(input: &'v Value, keys: &[&str]) -> Option<&'v str> {
    keys.iter().find_map(|key| input.get(*key)?.as_str())
}

/// The files that a call names and writes.
fn written(name: &str, input: &Value) -> Vec<String> {
    let arguments = ["tool_input", "toolArgs", "toolInput"];
    let arguments = arguments.iter().find_map(|key| input.get(*key)).cloned().unwrap_or_default();
    // Copilot's are JSON within JSON.
    let arguments = match arguments.as_str().map(serde_json::from_str) {
        Some(Ok(inner)) => inner,
        Some(Err(_)) | None => arguments,
    };
    let name = name.to_ascii_lowercase();
    let mut paths = Vec::new();
    collect(&arguments, WRITERS.iter().any(|part| name.contains(part)), &mut paths);
    paths
}

fn collect(value: &Value, writes: bool, paths: &mut Vec<String>) {
    match value {
        Value::Object(entries) => {
            for (key, value) in entries {
                match value {
                    Value::String(path) if writes && PATHS.contains(&key.as_str()) => {
                        paths.push(path.to_owned());
                    }
                    Value::Array(all) if writes && LISTS.contains(&key.as_str()) => {
                        paths.extend(all.iter().filter_map(Value::as_str).map(str::to_owned));
                        collect(value, writes, paths);
                    }
                    _ => collect(value, writes, paths),
                }
            }
        }
        Value::Array(values) => values.iter().for_each(|value| collect(value, writes, paths)),
        Value::String(text) => patched(text, paths),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// The files of a patch in the form of Codex, wherever it is: its shell takes it too.
fn patched(text: &str, paths: &mut Vec<String>) {
    if !text.contains("*** Begin Patch") {
        return;
    }
    for line in text.lines() {
        let words = ["*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: "];
        let path = words.iter().find_map(|word| line.trim_start().strip_prefix(word));
        paths.extend(path.map(|path| path.trim().to_owned()));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::written;

    #[test]
    fn the_files_that_a_call_writes_are_found_in_every_agents_form() {
        let patch = "*** Begin Patch\n*** Update File: a.py\n*** Move to: b.py\n@@\n*** Add File: c.py\n+x\n*** End Patch";
        let cases: [(&str, Value, &[&str]); 12] = [
            ("editFiles", json!({"files": ["a.py", "b.py"]}), &["a.py", "b.py"]),
            ("Edit", json!({"file_path": "/p/a.py", "old_string": "x"}), &["/p/a.py"]),
            ("MultiEdit", json!({"file_path": "a.py", "edits": []}), &["a.py"]),
            ("NotebookEdit", json!({"notebook_path": "a.ipynb"}), &["a.ipynb"]),
            ("write_file", json!({"file_path": "a.py", "content": "x"}), &["a.py"]),
            ("apply_patch", json!({"command": patch}), &["a.py", "b.py", "c.py"]),
            ("shell", json!({"command": ["bash", "-lc", patch]}), &["a.py", "b.py", "c.py"]),
            (
                "mcp__fs__move_file",
                json!({"path": "a.py", "destination": "b.py"}),
                &["b.py", "a.py"],
            ),
            ("multi", json!({"file_path": "a.py"}), &[]),
            ("Read", json!({"file_path": "a.py"}), &[]),
            ("TodoWrite", json!({"todos": [{"content": "x"}]}), &[]),
            ("Bash", json!({"command": "rm a.py"}), &[]),
        ];
        for (name, arguments, paths) in cases {
            let mut found = written(name, &json!({"tool_input": arguments}));
            let mut paths: Vec<&str> = paths.to_vec();
            found.sort();
            paths.sort_unstable();
            assert_eq!(found, paths, "{name}");
        }
        let inner = json!({"toolArgs": "{\"path\": \"a.py\"}"});
        assert_eq!(written("create", &inner), ["a.py"]);
    }
}
