//! Calls of tools, by what is common to agents: names of tools, and of their arguments.

use serde_json::Value;

use super::{Activity, ActivityKind, Said, bounded};

/// Names of tools that change files, and of those that run commands; lower case, without `_` and `-`.
const CHANGES: &[&str] = &[
    "edit",
    "write",
    "multiedit",
    "notebookedit",
    "replace",
    "writefile",
    "editfile",
    "applypatch",
    "filechange",
    "create",
    "createfile",
    "strreplace",
    "strreplaceeditor",
    "strreplacefile",
    "searchreplace",
    "patch",
    "writetofile",
    "replaceinfile",
];
const COMMANDS: &[&str] = &[
    "bash",
    "shell",
    "runshellcommand",
    "execcommand",
    "commandexecution",
    "localshell",
    "shellcommand",
    "executecommand",
    "terminal",
];
const PATHS: &[&str] =
    &["file_path", "filePath", "path", "absolute_path", "notebook_path", "filename", "file"];
const CALLS: &[&str] = &["command", "cmd", "script"];

/// A call of a tool with its arguments.
pub(super) fn call(id: Option<&str>, tool: &str, arguments: &Value) -> Said {
    // Some hand over the arguments as the text of their JSON.
    let parsed = arguments.as_str().and_then(|text| serde_json::from_str::<Value>(text).ok());
    let arguments = parsed.as_ref().unwrap_or(arguments);
    let known: String =
        tool.chars().filter(|c| !matches!(c, '_' | '-')).flat_map(char::to_lowercase).collect();
    let path = PATHS.iter().find_map(|key| words(&arguments[*key]));
    let command = CALLS.iter().find_map(|key| words(&arguments[*key]));
    let kind = if CHANGES.contains(&known.as_str()) {
        ActivityKind::File
    } else if COMMANDS.contains(&known.as_str()) {
        ActivityKind::Command
    } else {
        ActivityKind::Tool
    };
    Said::Call {
        id: id.map(bounded),
        activity: Activity {
            kind,
            tool: Some(super::shortened(tool)),
            path: path.filter(|_| kind != ActivityKind::Command),
            command: command.filter(|_| kind == ActivityKind::Command),
            text: None,
        },
    }
}

/// A text, or a list of words.
fn words(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Array(words) => {
            let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
            words.join(" ")
        }
        _ => return None,
    };
    let text = super::shortened(&text);
    (!text.is_empty()).then_some(text)
}

/// The text of a tool's result: a string, or blocks with texts.
pub(super) fn content(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(blocks) => {
            let texts: Vec<&str> =
                blocks.iter().filter_map(|block| block["text"].as_str()).collect();
            texts.join("\n")
        }
        _ => String::new(),
    }
}
