//! Which value of each key is in force, and where it comes from.

use std::path::Path;

use serde::Serialize;
use toml::{Table, Value};

use super::{Config, FILE, read, user};

/// The keys with their defaults, which a test compares with the reader.
const PAGE: &str = include_str!("../../configuration.md");

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
    for line in PAGE.lines() {
        if line.starts_with('#') {
            // Of what the user names, and of lists, there is none.
            let name = line.split('`').nth(1).unwrap_or_default();
            let is_one = !name.starts_with("[[") && !name.contains(['N', ',']);
            section = if is_one { name.trim_matches(['[', ']']) } else { "" };
        }
        let cells: Vec<&str> = line.split(" | ").collect();
        let ([key, _, default, _], false) = (&cells[..], section.is_empty()) else { continue };
        let Some(key) = key.strip_prefix("| `").and_then(|key| key.strip_suffix('`')) else {
            continue;
        };
        let value = default.strip_prefix('`').and_then(|default| default.split('`').next());
        defaults.push(Setting {
            key: format!("{section}.{key}"),
            value: value.map(quoted),
            origin: "default".to_owned(),
        });
    }
    defaults
}

/// A default of the page as TOML: there texts are without quotes.
fn quoted(default: &str) -> String {
    let is_toml = format!("x = {default}").parse::<Table>().is_ok();
    if is_toml { default.to_owned() } else { format!("\"{default}\"") }
}

#[cfg(test)]
mod tests {
    use super::defaults;

    #[test]
    fn the_defaults_are_those_of_the_page() {
        let all = defaults();
        let of = |key: &str| all.iter().find(|setting| setting.key == key).unwrap().value.clone();
        assert_eq!(of("build.jobs").as_deref(), Some("1"));
        assert_eq!(of("agent.default"), None);
        assert_eq!(of("preflight.timeout").as_deref(), Some("\"30s\""));
        assert!(all.len() > 25, "{all:#?}");
    }
}
