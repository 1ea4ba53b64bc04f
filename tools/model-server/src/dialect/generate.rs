//! `generateContent`.

use serde_json::{Value, json};

use super::{MODEL, TOKENS, each};
use crate::script::Say;
use crate::{Conversation, Tool, Turn};

pub(super) fn read(body: &Value) -> Conversation {
    let declared = each(&body["tools"]).flat_map(|entry| each(&entry["functionDeclarations"]));
    let tool = |tool: &Value| {
        let schemas = [&tool["parametersJsonSchema"], &tool["parameters"]];
        let schema = schemas.into_iter().find(|schema| schema.is_object());
        Some(Tool {
            name: tool["name"].as_str()?.to_owned(),
            group: None,
            schema: schema.cloned().unwrap_or_default(),
        })
    };
    let form = &body["generationConfig"]["responseJsonSchema"];
    Conversation {
        form: form.is_object().then(|| form.clone()),
        turns: each(&body["contents"]).flat_map(turns).collect(),
        tools: declared.filter_map(tool).collect(),
    }
}

fn turns(content: &Value) -> Vec<Turn> {
    if content["role"] == "model" {
        return vec![Turn::Model];
    }
    let part = |part: &Value| match part["text"].as_str() {
        Some(text) => Turn::User(text.to_owned()),
        None => Turn::Result(part["functionResponse"]["response"].to_string()),
    };
    each(&content["parts"]).map(part).collect()
}

pub(super) fn whole(say: &Say) -> Value {
    let part = match say {
        Say::Text(text) => json!({"text": text}),
        Say::Call(id, tool, arguments) => {
            json!({"functionCall": {"id": id, "name": tool.name, "args": arguments}})
        }
    };
    let (input, output) = TOKENS;
    json!({
        "candidates": [{
            "index": 0, "content": {"role": "model", "parts": [part]}, "finishReason": "STOP",
        }],
        "usageMetadata": {
            "promptTokenCount": input, "candidatesTokenCount": output, "totalTokenCount": input + output,
        },
        "modelVersion": MODEL,
    })
}
