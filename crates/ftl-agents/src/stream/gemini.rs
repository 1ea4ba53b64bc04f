//! Gemini CLI's `-o stream-json`: `init`, `message` in parts, `tool_use`, `tool_result`, `error`, and `result` with
//! the tokens of this run.

use ftl_model::Tokens;
use serde_json::Value;

use super::{Said, text, tools};

pub(super) fn read(line: &Value) -> Vec<Said> {
    match line["type"].as_str() {
        Some("init") => {
            let said =
                [text(line, "session_id").map(Said::Session), text(line, "model").map(Said::Model)];
            said.into_iter().flatten().collect()
        }
        Some("message") if line["role"] == "assistant" => {
            let words = text(line, "content");
            let said = words.map(|words| match line["delta"] == true {
                true => Said::More(words),
                false => Said::Message(words),
            });
            said.into_iter().collect()
        }
        Some("tool_use") => {
            let tool = line["tool_name"].as_str().unwrap_or("tool");
            vec![tools::call(line["tool_id"].as_str(), tool, &line["parameters"])]
        }
        Some("tool_result") if line["status"] == "error" => {
            let why = text(&line["error"], "message").or_else(|| text(line, "output"));
            vec![Said::Failed(why.unwrap_or_else(|| "a call failed".into()))]
        }
        Some("error") => text(line, "message").map(Said::Error).into_iter().collect(),
        Some("result") => result(line),
        _ => Vec::new(),
    }
}

fn result(line: &Value) -> Vec<Said> {
    let stats = &line["stats"];
    let count = |key: &str| stats[key].as_u64();
    let tokens = stats.is_object().then(|| Tokens {
        input: count("input_tokens"),
        cached: count("cached"),
        output: count("output_tokens"),
    });
    let failed = line["status"] == "error";
    let words = text(&line["error"], "message").unwrap_or_default();
    let said = [
        Some(Said::Total(tokens, None)),
        count("tool_calls").map(Said::Calls),
        failed.then_some(Said::Ended { words, failed }),
    ];
    said.into_iter().flatten().collect()
}
