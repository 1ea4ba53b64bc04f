//! The tools that an agent offers, each by its own name and with its own arguments.

use serde_json::{Map, Value, json};

/// A tool that an agent offers.
#[derive(Clone, Debug, PartialEq)]
pub struct Tool {
    /// The agent's name for it.
    pub name: String,
    /// The group of tools that it belongs to, where the API has such.
    pub group: Option<String>,
    /// The JSON schema of its arguments.
    pub schema: Value,
}

/// What a script wants of a tool, and what agents call it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    Read,
    Edit,
    Write,
    Shell,
    Needs,
    NoChange,
}

impl Wanted {
    const fn names(self) -> &'static [&'static str] {
        match self {
            Self::Read => &["read", "read_file", "view"],
            Self::Edit => &["edit", "replace", "edit_file"],
            Self::Write => &["write", "write_file", "create"],
            Self::Shell => &["bash", "run_shell_command", "exec_command", "shell", "shell_command"],
            Self::Needs => &["needs"],
            Self::NoChange => &["no_change"],
        }
    }
}

/// What agents put before the names of a server's tools.
const PREFIXES: [&str; 3] = ["mcp__ftl__", "mcp_ftl_", "ftl_"];

impl Tool {
    /// Whether it is one of `ftl mcp`.
    pub(crate) fn is_ftls(&self) -> bool {
        let names = [Some(&self.name), self.group.as_ref()];
        let starts = |name: &String| name.starts_with("ftl_") || name.starts_with("mcp__ftl");
        names.into_iter().flatten().any(starts)
    }

    fn is(&self, wanted: Wanted) -> bool {
        let name = self.name.to_lowercase();
        let bare = PREFIXES.iter().find_map(|it| name.strip_prefix(it));
        wanted.names().contains(&bare.unwrap_or(&name))
    }

    /// Arguments under the tool's own names for them. What it insists on beside them gets a plain value.
    fn arguments(&self, values: &[(&[&str], Value)]) -> Value {
        let none = Map::new();
        let properties = self.schema["properties"].as_object().unwrap_or(&none);
        let mut filled = Map::new();
        for (names, value) in values {
            let name = names.iter().find(|name| properties.contains_key(**name));
            if let Some(name) = name {
                filled.insert((*name).to_owned(), fitted(value, &properties[*name]));
            }
        }
        let required = self.schema["required"].as_array();
        for name in required.into_iter().flatten().filter_map(Value::as_str) {
            if !filled.contains_key(name) {
                filled.insert(name.to_owned(), plain(&properties[name]));
            }
        }
        Value::Object(filled)
    }
}

/// A command as words where the tool takes words.
fn fitted(value: &Value, schema: &Value) -> Value {
    match value {
        Value::String(text) if schema["type"] == "array" => json!(["bash", "-lc", text]),
        value => value.clone(),
    }
}

/// A value of this form, with what it must hold and no more. Some servers' clients write the types in capitals.
pub(crate) fn plain(schema: &Value) -> Value {
    match schema["type"].as_str().map(str::to_lowercase).as_deref() {
        Some("boolean") => json!(false),
        Some("number" | "integer") => json!(1),
        Some("array") => json!([]),
        Some("object") => {
            let required = schema["required"].as_array().into_iter().flatten();
            let names = required.filter_map(Value::as_str);
            let values = names.map(|name| (name.to_owned(), plain(&schema["properties"][name])));
            Value::Object(values.collect())
        }
        _ => json!("because the script says so"),
    }
}

/// A call of the tool that does what is wanted; none where the agent offers none.
pub(crate) fn call(
    tools: &[Tool],
    wanted: Wanted,
    values: &[(&[&str], Value)],
) -> Option<(Tool, Value)> {
    let tool = tools.iter().find(|tool| tool.is(wanted))?;
    Some((tool.clone(), tool.arguments(values)))
}
