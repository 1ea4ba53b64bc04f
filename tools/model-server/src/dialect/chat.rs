//! Chat completions.

use serde_json::{Value, json};

use super::{MODEL, TOKENS, data, each};
use crate::conversation::text_of;
use crate::script::Say;
use crate::{Conversation, Tool, Turn};

pub(super) fn read(body: &Value) -> Conversation {
    let turn = |message: &Value| {
        let text = text_of(&message["content"]);
        Some(match message["role"].as_str()? {
            "user" => Turn::User(text),
            "tool" => Turn::Result(text),
            "assistant" => Turn::Model,
            _ => return None,
        })
    };
    let tool = |tool: &Value| {
        Some(Tool {
            name: tool["function"]["name"].as_str()?.to_owned(),
            group: None,
            schema: tool["function"]["parameters"].clone(),
        })
    };
    Conversation {
        turns: each(&body["messages"]).filter_map(turn).collect(),
        tools: each(&body["tools"]).filter_map(tool).collect(),
        form: None,
    }
}

fn usage() -> Value {
    let (input, output) = TOKENS;
    json!({"prompt_tokens": input, "completion_tokens": output, "total_tokens": input + output})
}

/// The message, and why it ends.
fn message(say: &Say) -> (Value, &'static str) {
    match say {
        Say::Text(text) => (json!({"role": "assistant", "content": text}), "stop"),
        Say::Call(id, tool, arguments) => {
            let call = json!({"index": 0, "id": id, "type": "function", "function": {
                "name": tool.name, "arguments": arguments.to_string(),
            }});
            let message = json!({"role": "assistant", "content": null, "tool_calls": [call]});
            (message, "tool_calls")
        }
    }
}

pub(super) fn whole(say: &Say) -> Value {
    let (message, why) = message(say);
    json!({
        "id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": MODEL, "usage": usage(),
        "choices": [{"index": 0, "message": message, "finish_reason": why}],
    })
}

pub(super) fn streamed(say: &Say) -> String {
    let (message, why) = message(say);
    let chunk = |choices: Value, usage: Value| {
        data(&json!({
            "id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": MODEL,
            "choices": choices, "usage": usage,
        }))
    };
    let said = json!([{"index": 0, "delta": message, "finish_reason": null}]);
    let ended = json!([{"index": 0, "delta": {}, "finish_reason": why}]);
    chunk(said, Value::Null)
        + &chunk(ended, Value::Null)
        + &chunk(json!([]), usage())
        + "data: [DONE]\n\n"
}
