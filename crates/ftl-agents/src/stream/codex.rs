//! Codex's `exec --json`: `thread.started` says the session, `item.*` messages, commands and changes of files,
//! `turn.completed` the tokens of the whole session.

use ftl_model::Tokens;
use serde_json::Value;

use super::{Activity, ActivityKind, Said, text, tools};

pub(super) fn read(line: &Value) -> Vec<Said> {
    let said = match line["type"].as_str() {
        Some("thread.started") => text(line, "thread_id").map(Said::Session),
        Some("item.started") => return item(&line["item"], false),
        Some("item.completed") => return item(&line["item"], true),
        Some("turn.completed") => tokens(&line["usage"]),
        Some("turn.failed") => {
            let words = text(&line["error"], "message").unwrap_or_else(|| "the turn failed".into());
            Some(Said::Ended { words, failed: true })
        }
        Some("error") => text(line, "message").map(Said::Error),
        _ => None,
    };
    said.into_iter().collect()
}

fn item(item: &Value, ended: bool) -> Vec<Said> {
    let id = item["id"].as_str();
    let failed = ended && item["status"] == "failed";
    let mut said = match item["type"].as_str() {
        Some("agent_message") if ended => {
            text(item, "text").map(Said::Message).into_iter().collect()
        }
        Some("error") if ended => text(item, "message").map(Said::Error).into_iter().collect(),
        Some("command_execution") => vec![tools::call(id, "command_execution", item)],
        Some("file_change") => changes(id, item),
        Some("mcp_tool_call") => {
            let tool = item["tool"].as_str().unwrap_or("tool");
            vec![tools::call(id, tool, &item["arguments"])]
        }
        Some("web_search") => vec![tools::call(id, "web_search", &Value::Null)],
        _ => Vec::new(),
    };
    if failed {
        let why = text(item, "aggregated_output").or_else(|| text(&item["error"], "message"));
        said.push(Said::Failed(why.unwrap_or_else(|| "a call failed".into())));
    }
    said
}

/// A call may change several files: one call, and a line for each file.
fn changes(id: Option<&str>, item: &Value) -> Vec<Said> {
    let changes = item["changes"].as_array().into_iter().flatten().take(100);
    let change = |(at, change): (usize, &Value)| Said::Call {
        id: id.map(|id| if at == 0 { id.to_owned() } else { format!("{id}/{at}") }),
        activity: Activity {
            kind: ActivityKind::File,
            tool: Some(text(change, "kind").unwrap_or_else(|| "change".into())),
            path: text(change, "path"),
            command: None,
            text: None,
        },
    };
    changes.enumerate().map(change).collect()
}

fn tokens(usage: &Value) -> Option<Said> {
    let count = |key: &str| usage[key].as_u64();
    let tokens = usage.is_object().then(|| Tokens {
        input: count("input_tokens"),
        cached: count("cached_input_tokens"),
        output: count("output_tokens"),
    });
    Some(Said::Total(tokens, None))
}
