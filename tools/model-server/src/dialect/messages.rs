//! Messages.

use serde_json::{Value, json};

use super::{MODEL, TOKENS, each, event};
use crate::conversation::text_of;
use crate::script::Say;
use crate::{Conversation, Tool, Turn};

pub(super) fn read(body: &Value) -> Conversation {
    let tool = |tool: &Value| {
        Some(Tool {
            name: tool["name"].as_str()?.to_owned(),
            group: None,
            schema: tool["input_schema"].clone(),
        })
    };
    Conversation {
        turns: each(&body["messages"]).flat_map(turns).collect(),
        tools: each(&body["tools"]).filter_map(tool).collect(),
        form: None,
    }
}

fn turns(message: &Value) -> Vec<Turn> {
    let content = &message["content"];
    if message["role"] == "assistant" {
        return vec![Turn::Model];
    }
    if let Some(text) = content.as_str() {
        return vec![Turn::User(text.to_owned())];
    }
    let block = |block: &Value| match block["type"].as_str() {
        Some("tool_result") => Turn::Result(text_of(&block["content"])),
        _ => Turn::User(block["text"].as_str().unwrap_or_default().to_owned()),
    };
    each(content).map(block).collect()
}

fn content(say: &Say) -> (Value, &'static str) {
    match say {
        Say::Text(text) => (json!({"type": "text", "text": text}), "end_turn"),
        Say::Call(id, tool, arguments) => (
            json!({"type": "tool_use", "id": format!("toolu_{id}"), "name": tool.name, "input": arguments}),
            "tool_use",
        ),
    }
}

fn message(content: &[Value], why: Option<&str>) -> Value {
    let (input, output) = TOKENS;
    json!({
        "id": "msg_1", "type": "message", "role": "assistant", "model": MODEL, "content": content,
        "stop_reason": why, "stop_sequence": null,
        "usage": {"input_tokens": input, "output_tokens": output},
    })
}

pub(super) fn whole(say: &Say) -> Value {
    let (content, why) = content(say);
    message(&[content], Some(why))
}

pub(super) fn streamed(say: &Say) -> String {
    let (content, why) = content(say);
    let mut begun = content.clone();
    let delta = match say {
        Say::Text(text) => {
            begun["text"] = json!("");
            json!({"type": "text_delta", "text": text})
        }
        Say::Call(_, _, arguments) => {
            begun["input"] = json!({});
            json!({"type": "input_json_delta", "partial_json": arguments.to_string()})
        }
    };
    let events = [
        json!({"type": "message_start", "message": message(&[], None)}),
        json!({"type": "content_block_start", "index": 0, "content_block": begun}),
        json!({"type": "content_block_delta", "index": 0, "delta": delta}),
        json!({"type": "content_block_stop", "index": 0}),
        json!({"type": "message_delta", "delta": {"stop_reason": why, "stop_sequence": null}, "usage": {"output_tokens": TOKENS.1}}),
        json!({"type": "message_stop"}),
    ];
    events.iter().map(event).collect()
}
