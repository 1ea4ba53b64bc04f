//! opencode's `run --format json`: every line names the session; `text`, `tool_use` when a call has ended,
//! `step_finish` with the tokens and the cost of a step, `error`.

use ftl_model::Tokens;
use serde_json::Value;

use super::{Said, text, tools};

pub(super) fn read(line: &Value) -> Vec<Said> {
    let part = &line["part"];
    let mut said: Vec<Said> = text(line, "sessionID").map(Said::Session).into_iter().collect();
    match line["type"].as_str() {
        Some("text") => said.extend(text(part, "text").map(Said::Message)),
        Some("tool_use") => {
            let tool = part["tool"].as_str().unwrap_or("tool");
            let state = &part["state"];
            said.push(tools::call(part["callID"].as_str(), tool, &state["input"]));
            if state["status"] == "error" {
                let why = text(state, "error").unwrap_or_else(|| "a call failed".into());
                said.push(Said::Failed(why));
            }
        }
        Some("step_finish") => {
            let tokens = &part["tokens"];
            let cached = tokens["cache"]["read"].as_u64();
            let input = tokens["input"].as_u64();
            let spent = Tokens {
                // Its input leaves out what was read from the cache.
                input: input.map(|input| input.saturating_add(cached.unwrap_or_default())),
                cached,
                output: tokens["output"].as_u64(),
            };
            if tokens.is_object() {
                said.push(Said::Spent(spent, part["cost"].as_f64()));
            }
        }
        Some("error") => {
            let error = &line["error"];
            let words = text(&error["data"], "message")
                .or_else(|| text(error, "message"))
                .or_else(|| text(error, "name"))
                .or_else(|| text(line, "error"));
            said.push(Said::Error(words.unwrap_or_else(|| "it failed".into())));
        }
        _ => {}
    }
    said
}
