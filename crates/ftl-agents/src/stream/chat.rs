//! Messages of a chat, one a line, as Kimi Code and Mistral Vibe print them: `role`, `content`, `tool_calls`; Kimi says at the
//! end how its session goes on.

use serde_json::Value;

use super::{Said, text, tools};

pub(super) fn read(line: &Value) -> Vec<Said> {
    if line["type"] == "session.resume_hint" {
        return text(line, "session_id").map(Said::Session).into_iter().collect();
    }
    if line["role"] != "assistant" {
        return Vec::new();
    }
    let words = match &line["content"] {
        Value::Array(_) => Some(tools::content(&line["content"])),
        _ => text(line, "content"),
    };
    let words = words.filter(|words| !words.is_empty()).map(Said::Message);
    let calls = line["tool_calls"].as_array().into_iter().flatten();
    let calls = calls.map(|call| {
        let function = &call["function"];
        let tool = function["name"].as_str().unwrap_or("tool");
        tools::call(call["id"].as_str(), tool, &function["arguments"])
    });
    words.into_iter().chain(calls).collect()
}
