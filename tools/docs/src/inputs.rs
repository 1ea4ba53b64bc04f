//! The schemas of what people write: `ftl.toml`, for editors, and plans. The keys of the first are those of
//! docs/configuration.md, which a test of ftl-task compares with the reader.

use std::fs;

use ftl_testkit::{Result, root};
use serde_json::{Map, Value, json};

const DRAFT: &str = "https://json-schema.org/draft/2020-12/schema";

/// `ftl.toml`, and the user's own file.
pub(crate) fn configuration() -> Result<Value> {
    let page = fs::read_to_string(root().join("docs/configuration.md"))?;
    let mut sections = Map::new();
    let mut names: Vec<String> = Vec::new();
    for line in page.lines() {
        if line.starts_with('#') {
            names = ticked(line)
                .into_iter()
                .map(|name| name.trim_matches(['[', ']']).to_owned())
                .collect();
        } else if let Some(row) = line.strip_prefix("| `") {
            let cells: Vec<&str> = row.trim_end_matches('|').split(" | ").collect();
            let [key, values, default, meaning] = cells[..] else { continue };
            let key = key.trim_matches('`');
            for name in &names {
                let described = format!("{} (default: {})", plain(meaning), plain(default));
                let mut schema = of(values);
                schema["description"] = described.into();
                place(&mut sections, name, key, schema);
            }
        }
    }
    Ok(json!({
        "$schema": DRAFT,
        "title": "`ftl.toml`",
        "type": "object",
        "properties": sections,
        "additionalProperties": false,
    }))
}

/// Puts a key into the table of this name, which it may be the first of.
fn place(sections: &mut Map<String, Value>, name: &str, key: &str, schema: Value) {
    let mut parts = name.split('.');
    let first = parts.next().unwrap_or_default();
    let mut table = sections.entry(first).or_insert_with(table);
    for part in parts {
        table = match part {
            // Agents have names that the user chooses.
            "NAME" => {
                let slot = &mut table["additionalProperties"];
                if !slot.is_object() {
                    *slot = self::table();
                }
                slot
            }
            part => {
                let slot = &mut table["properties"][part];
                match slot["type"].as_str() {
                    Some("array") => slot["items"] = merged(slot["items"].take()),
                    _ if slot["properties"].is_object() => {}
                    _ => {
                        let described = slot["description"].take();
                        let may_be_text = slot["type"].is_array();
                        *slot = self::table();
                        slot["description"] = described;
                        if may_be_text {
                            slot["type"] = json!(["string", "object"]);
                        }
                    }
                }
                if slot["type"] == "array" { &mut slot["items"] } else { slot }
            }
        };
    }
    table["properties"][key] = schema;
}

fn merged(items: Value) -> Value {
    if items["properties"].is_object() { items } else { table() }
}

fn table() -> Value {
    json!({"type": "object", "properties": {}, "additionalProperties": false})
}

/// The values of a key, as the page says them.
fn of(values: &str) -> Value {
    let words = ticked(values);
    match values {
        values if values.starts_with("text, or a table") => json!({"type": ["string", "object"]}),
        values if values.starts_with("list of tables") => json!({"type": "array"}),
        values if values.starts_with("list of texts") => {
            json!({"type": "array", "items": {"type": "string"}})
        }
        values if values.starts_with("list of") => {
            json!({"type": "array", "items": {"enum": words}})
        }
        values if values.starts_with("text") => json!({"type": "string"}),
        values if values.starts_with("time limit") => json!({
            "anyOf": [
                {"type": "integer", "minimum": 1},
                {"type": "string", "pattern": "^[0-9]+(\\.[0-9]+)?(s|m|h)?$"},
            ]
        }),
        values if values.starts_with("number") => json!({"type": "integer", "minimum": 1}),
        values if values.starts_with("bytes") => json!({"type": "integer", "minimum": 0}),
        values if values.starts_with("boolean") => json!({"type": "boolean"}),
        values if values.starts_with("table") => json!({"type": "object"}),
        _ => json!({"enum": words}),
    }
}

/// Words in backticks.
fn ticked(text: &str) -> Vec<String> {
    text.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// Text without links and backticks.
fn plain(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text.trim();
    while let Some((before, link)) = rest.split_once('[') {
        plain.push_str(before);
        let Some((words, after)) = link.split_once("](") else {
            plain.push('[');
            rest = link;
            continue;
        };
        plain.push_str(words);
        rest = after.split_once(')').map_or("", |(_, after)| after);
    }
    (plain + rest).replace('`', "")
}
