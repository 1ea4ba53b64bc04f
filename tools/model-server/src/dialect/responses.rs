//! Responses.

use serde_json::{Value, json};

use super::{MODEL, TOKENS, each, event};
use crate::conversation::text_of;
use crate::script::Say;
use crate::{Conversation, Tool, Turn};

pub(super) fn read(body: &Value) -> Conversation {
    let turn = |item: &Value| {
        let kind = item["type"].as_str().unwrap_or("message");
        Some(match (kind, item["role"].as_str()) {
            (kind, _) if kind.ends_with("_output") => Turn::Result(text_of(&item["output"])),
            ("message", Some("user")) => Turn::User(text_of(&item["content"])),
            ("message", Some("assistant")) => Turn::Model,
            _ => return None,
        })
    };
    let turns = match &body["input"] {
        Value::String(text) => vec![Turn::User(text.clone())],
        items => each(items).filter_map(turn).collect(),
    };
    Conversation { turns, tools: each(&body["tools"]).flat_map(tools).collect(), form: None }
}

/// A function, or those of a group.
fn tools(entry: &Value) -> Vec<Tool> {
    let function = |entry: &Value, group: Option<&str>| {
        Some(Tool {
            name: entry["name"].as_str()?.to_owned(),
            group: group.map(str::to_owned),
            schema: entry["parameters"].clone(),
        })
    };
    match entry["type"].as_str() {
        Some("function") => function(entry, None).into_iter().collect(),
        Some("namespace") => {
            let group = entry["name"].as_str();
            let tools = each(&entry["tools"]);
            tools.filter_map(|entry| function(entry, group)).collect()
        }
        _ => Vec::new(),
    }
}

fn item(say: &Say) -> Value {
    match say {
        Say::Text(text) => json!({
            "type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
            "content": [{"type": "output_text", "text": text, "annotations": []}],
        }),
        Say::Call(id, tool, arguments) => {
            let mut call = json!({
                "type": "function_call", "id": format!("fc_{id}"), "call_id": id, "name": tool.name,
                "arguments": arguments.to_string(), "status": "completed",
            });
            if let Some(group) = &tool.group {
                call["namespace"] = json!(group);
            }
            call
        }
    }
}

pub(super) fn whole(say: &Say) -> Value {
    let (input, output) = TOKENS;
    json!({
        "id": "resp_1", "object": "response", "created_at": 1, "status": "completed", "model": MODEL,
        "output": [item(say)],
        "usage": {
            "input_tokens": input, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": output,
            "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": input + output,
        },
    })
}

pub(super) fn streamed(say: &Say) -> String {
    let begun = json!({"id": "resp_1", "object": "response", "status": "in_progress", "model": MODEL, "output": []});
    let events = [
        json!({"type": "response.created", "sequence_number": 0, "response": begun}),
        json!({"type": "response.output_item.added", "sequence_number": 1, "output_index": 0, "item": item(say)}),
        json!({"type": "response.output_item.done", "sequence_number": 2, "output_index": 0, "item": item(say)}),
        json!({"type": "response.completed", "sequence_number": 3, "response": whole(say)}),
    ];
    events.iter().map(event).collect()
}
