//! Which value of each key is in force, and where it comes from.

use std::path::Path;

use serde::Serialize;
use toml::{Table, Value};

use super::{Config, FILE, read, user};

/// The keys with their defaults: lines that begin with `#:`.
const EXAMPLE: &str = include_str!("../../../../ftl.toml.example");
/// Sections whose names the user chooses: of the example, only its own text has them.
const NAMED: &str = "agent.";

/// A key, its value as TOML, and where that comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Setting {
    pub(crate) key: String,
    /// Null where nothing sets it.
    pub(crate) value: Option<String>,
    /// A file, or `default`.
    pub(crate) origin: String,
}

/// Every key that is set, and those that have a default.
pub(crate) fn settings(named: Option<&Path>, root: &Path) -> Vec<Setting> {
    let (path, _) = Config::place(named, root);
    let mut all = defaults();
    let layers = [
        user::raw().map(|(path, text)| (path.display().to_string(), text)),
        read(&path).ok().map(|text| (shown(&path, root), text)),
    ];
    for (origin, text) in layers.into_iter().flatten() {
        let table: Table = text.parse().unwrap_or_default();
        let mut found = Vec::new();
        flatten("", &table, &mut found);
        for (key, value) in found {
            let setting = Setting { key, value: Some(value), origin: origin.clone() };
            match all.iter_mut().find(|known| known.key == setting.key) {
                Some(known) => *known = setting,
                None => all.push(setting),
            }
        }
    }
    all.sort_by(|a, b| a.key.cmp(&b.key));
    all
}

fn shown(path: &Path, root: &Path) -> String {
    match path == root.join(FILE) {
        true => FILE.to_owned(),
        false => path.display().to_string(),
    }
}

fn flatten(prefix: &str, table: &Table, found: &mut Vec<(String, String)>) {
    for (key, value) in table {
        let key = if prefix.is_empty() { key.clone() } else { format!("{prefix}.{key}") };
        match value {
            // What is written inline is one value.
            Value::Table(inner) if !key.ends_with(".env") && !key.ends_with(".commands") => {
                flatten(&key, inner, found);
            }
            value => found.push((key, written(value))),
        }
    }
}

/// A value as TOML has it on one line.
fn written(value: &Value) -> String {
    match value {
        // JSON quotes as TOML's basic strings do.
        Value::String(text) => serde_json::Value::from(text.as_str()).to_string(),
        Value::Integer(number) => number.to_string(),
        Value::Float(number) => number.to_string(),
        Value::Boolean(flag) => flag.to_string(),
        Value::Datetime(time) => time.to_string(),
        Value::Array(values) => {
            format!("[{}]", values.iter().map(written).collect::<Vec<_>>().join(", "))
        }
        Value::Table(table) => {
            let pairs = table.iter().map(|(key, value)| format!("{key} = {}", written(value)));
            format!("{{ {} }}", pairs.collect::<Vec<_>>().join(", "))
        }
    }
}

fn defaults() -> Vec<Setting> {
    let mut section = "";
    let mut defaults = Vec::new();
    for line in EXAMPLE.lines() {
        if let Some(name) = line.strip_prefix('[') {
            section = name.trim_matches(['[', ']']);
        }
        let Some((key, value)) = line.trim_start_matches("#:").split_once(" = ") else {
            continue;
        };
        let is_key = key.chars().all(|c| c.is_ascii_lowercase() || c == '_');
        if section.starts_with(NAMED) || !is_key {
            continue;
        }
        let value = line.starts_with("#:").then(|| value.to_owned());
        let key = format!("{section}.{key}");
        defaults.push(Setting { key, value, origin: "default".to_owned() });
    }
    defaults
}

#[cfg(test)]
mod tests {
    use super::defaults;

    #[test]
    fn the_defaults_are_those_of_the_example() {
        let all = defaults();
        let jobs = all.iter().find(|setting| setting.key == "build.jobs").unwrap();
        assert_eq!(jobs.value.as_deref(), Some("1"));
        // The example sets it to what a project may want.
        let agent = all.iter().find(|setting| setting.key == "agent.default").unwrap();
        assert_eq!(agent.value, None);
        assert!(all.len() > 25, "{all:#?}");
    }
}
