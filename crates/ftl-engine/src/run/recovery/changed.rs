//! Which options differ from those of an unfinished run, from what to what.

use ftl_text::{one_line, shortened};
use serde::Serialize;
use serde_json::{Map, Value};

/// Characters of a value.
const LONGEST: usize = 100;

/// `implementer command from `a` to `b``, for each option that differs.
pub(super) fn options(before: &impl Serialize, now: &impl Serialize) -> Vec<String> {
    let value = |options: &dyn Fn() -> serde_json::Result<Value>| {
        options().expect("because every key is a string")
    };
    let (before, now) =
        (value(&|| serde_json::to_value(before)), value(&|| serde_json::to_value(now)));
    let mut found = Vec::new();
    compare(&mut Vec::new(), &before, &now, &mut found);
    found
}

fn compare(path: &mut Vec<String>, before: &Value, now: &Value, found: &mut Vec<String>) {
    match (before, now) {
        (Value::Object(before), Value::Object(now)) if share_a_key(before, now) => {
            let keys = before.keys().chain(now.keys().filter(|key| !before.contains_key(*key)));
            for key in keys {
                path.push(key.to_lowercase().replace('_', " "));
                let of = |side: &Map<String, Value>| side.get(key).cloned().unwrap_or_default();
                compare(path, &of(before), &of(now), found);
                path.pop();
            }
        }
        _ if before == now => {}
        _ => found.push(format!("{} from {} to {}", path.join(" "), shown(before), shown(now))),
    }
}

/// Two variants of one choice share none.
fn share_a_key(before: &Map<String, Value>, now: &Map<String, Value>) -> bool {
    before.keys().any(|key| now.contains_key(key)) || before.is_empty() || now.is_empty()
}

fn shown(value: &Value) -> String {
    let short = |text: &str| format!("`{}`", shortened(&one_line(text), LONGEST));
    match value {
        Value::Null => "none".to_owned(),
        Value::String(text) => short(text),
        // A variant with what belongs to it.
        Value::Object(variant) if variant.len() == 1 => {
            variant.keys().map(|key| key.to_lowercase()).collect()
        }
        other => short(&other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::options;

    #[test]
    fn a_changed_option_is_named_with_both_values() {
        let before =
            json!({"implementer": {"Agent": {"command": "a", "args": []}}, "baseline": false});
        let mut now = before.clone();
        now["implementer"]["Agent"]["command"] = json!("b\nc");
        now["baseline"] = json!(true);
        assert_eq!(
            options(&before, &now),
            ["baseline from `false` to `true`", "implementer agent command from `a` to `b␤c`"]
        );
        now["implementer"] = json!({"Tree": {"base": null}});
        assert_eq!(
            options(&before, &now),
            ["baseline from `false` to `true`", "implementer from agent to tree"]
        );
        assert!(options(&now, &now).is_empty());
    }
}
