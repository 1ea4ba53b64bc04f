//! Claude Code's `--output-format stream-json`, and Qwen Code's, which is like it.
//!
//! `system`/`init` says the session, model and version; `assistant` holds texts and calls of tools, `user` their
//! results; `result` the last words, tokens and cost. A message may come in several lines, each with the same usage,
//! so that only the result's counts.

use ftl_model::Tokens;
use serde_json::Value;

use super::{Said, text, tools};

pub(super) fn read(line: &Value) -> Vec<Said> {
    match line["type"].as_str() {
        Some("system") if line["subtype"] == "init" => init(line),
        Some("assistant") => assistant(line),
        Some("user") => results(line),
        Some("result") => result(line),
        _ => Vec::new(),
    }
}

fn init(line: &Value) -> Vec<Said> {
    let version = ["claude_code_version", "qwen_code_version"];
    let version = version.iter().find_map(|key| text(line, key));
    let said = [
        text(line, "session_id").map(Said::Session),
        text(line, "model").map(Said::Model),
        version.map(Said::Version),
    ];
    said.into_iter().flatten().collect()
}

fn assistant(line: &Value) -> Vec<Said> {
    let message = &line["message"];
    // What the program says in place of a model's answer.
    let is_made_up = message["model"] == "<synthetic>";
    let mut said = Vec::new();
    for block in message["content"].as_array().into_iter().flatten() {
        match block["type"].as_str() {
            Some("text") => said.extend(text(block, "text").map(|words| match is_made_up {
                true => Said::Error(words),
                false => Said::Message(words),
            })),
            Some("tool_use") => {
                let name = block["name"].as_str().unwrap_or("tool");
                // Its answer in the form that was asked for is no work on the task.
                if name != "StructuredOutput" && name != "structured_output" {
                    said.push(tools::call(block["id"].as_str(), name, &block["input"]));
                }
            }
            _ => {}
        }
    }
    said
}

fn results(line: &Value) -> Vec<Said> {
    let blocks = line["message"]["content"].as_array().into_iter().flatten();
    let failed = blocks.filter(|block| block["type"] == "tool_result" && block["is_error"] == true);
    failed.map(|block| Said::Failed(tools::content(&block["content"]))).collect()
}

fn result(line: &Value) -> Vec<Said> {
    let usage = &line["usage"];
    let tokens = usage.is_object().then(|| {
        let count = |key: &str| usage[key].as_u64();
        let cached = count("cache_read_input_tokens");
        let parts = [
            count("input_tokens"),
            count("cache_creation_input_tokens"),
            // Qwen's input holds what was read from the cache.
            cached.filter(|_| usage["total_tokens"].is_null()),
        ];
        Tokens {
            input: count("input_tokens").map(|_| parts.iter().flatten().sum()),
            cached,
            output: count("output_tokens"),
        }
    });
    let failed =
        line["is_error"] == true || line["subtype"].as_str().is_some_and(|word| word != "success");
    let error = text(&line["error"], "message").or_else(|| text(line, "error"));
    let words = text(line, "result").or(error).unwrap_or_default();
    let words = match (words.is_empty(), failed) {
        (true, true) => line["subtype"].as_str().unwrap_or("error").to_owned(),
        _ => words,
    };
    let reply = &line["structured_output"];
    let said = [
        text(line, "session_id").map(Said::Session),
        Some(Said::Total(tokens, line["total_cost_usd"].as_f64())),
        reply.is_object().then(|| Said::Reply(reply.clone())),
        Some(Said::Ended { words, failed }),
    ];
    said.into_iter().flatten().collect()
}
