//! GitHub Copilot CLI's `--output-format json`: events of its session, each with its `data`, and at the end a
//! `result` with the session's ID.

use ftl_model::Tokens;
use serde_json::Value;

use super::{Said, text, tools};

pub(super) fn read(line: &Value) -> Vec<Said> {
    let data = &line["data"];
    match line["type"].as_str() {
        Some("session.start") => {
            let version = text(data, "copilotVersion");
            let said = [
                text(data, "sessionId").map(Said::Session),
                text(data, "selectedModel").map(Said::Model),
                version.map(Said::Version),
            ];
            said.into_iter().flatten().collect()
        }
        Some("session.model_change") => {
            text(data, "newModel").map(Said::Model).into_iter().collect()
        }
        Some("assistant.message") => text(data, "content").map(Said::Message).into_iter().collect(),
        Some("tool.execution_start") => {
            let tool = data["toolName"].as_str().unwrap_or("tool");
            vec![tools::call(data["toolCallId"].as_str(), tool, &data["arguments"])]
        }
        Some("tool.execution_complete") if data["success"] == false => {
            let why = text(&data["error"], "message").or_else(|| text(data, "error"));
            vec![Said::Failed(why.unwrap_or_else(|| "a call failed".into()))]
        }
        Some("assistant.usage") => {
            let tokens = Tokens {
                input: data["inputTokens"].as_u64(),
                cached: data["cacheReadTokens"].as_u64(),
                output: data["outputTokens"].as_u64(),
            };
            // Its `cost` counts premium requests, not money.
            let model = text(data, "model").map(Said::Model);
            model.into_iter().chain([Said::Spent(tokens, None)]).collect()
        }
        Some("session.error") => text(data, "message").map(Said::Error).into_iter().collect(),
        Some("result") => text(line, "sessionId").map(Said::Session).into_iter().collect(),
        _ => Vec::new(),
    }
}
