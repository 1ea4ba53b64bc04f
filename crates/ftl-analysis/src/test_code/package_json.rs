//! What of a `package.json` defines tests: its scripts, and the runners' own keys.

use std::fmt;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

const KEYS: [&str; 10] =
    ["scripts", "jest", "mocha", "ava", "tap", "vitest", "jasmine", "nyc", "c8", "karma"];

/// The members of an object in their order, with their text.
struct Members<'t>(Vec<(String, &'t RawValue)>);

impl<'t> Deserialize<'t> for Members<'t> {
    fn deserialize<D: Deserializer<'t>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;
        impl<'t> Visitor<'t> for InOrder {
            type Value = Members<'t>;

            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("an object")
            }

            fn visit_map<A: MapAccess<'t>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(InOrder)
    }
}

/// The new text with the old test definitions; `None` where they are equal, or either is no object.
pub(super) fn with_old_tests(old: &str, new: &str) -> Option<String> {
    let [Members(old), Members(new)] =
        [serde_json::from_str(old).ok()?, serde_json::from_str(new).ok()?];
    let is_test = |(key, _): &&(String, &RawValue)| KEYS.contains(&key.as_str());
    let texts = |members: &[(String, &RawValue)]| -> Vec<(String, Option<serde_json::Value>)> {
        let of = members.iter().filter(is_test);
        let mut of: Vec<_> =
            of.map(|(key, text)| (key.clone(), serde_json::from_str(text.get()).ok())).collect();
        of.sort_by(|(a, _), (b, _)| a.cmp(b));
        of
    };
    if texts(&old) == texts(&new) {
        return None;
    }
    let kept = new.iter().filter(|member| !is_test(member)).chain(old.iter().filter(is_test));
    let lines =
        kept.map(|(key, text)| Some(format!("  {}: {text}", serde_json::to_string(key).ok()?)));
    let lines: Option<Vec<String>> = lines.collect();
    Some(format!("{{\n{}\n}}\n", lines?.join(",\n")))
}

#[cfg(test)]
mod tests {
    use super::with_old_tests;

    #[test]
    fn the_scripts_are_the_old_ones_and_everything_else_is_new() {
        let old = r#"{"name": "a", "scripts": {"test": "jest"}, "dependencies": {"b": "1"}}"#;
        let new = r#"{"name": "a", "scripts": {"test": "exit 0"},
            "exports": {"node": "1", "default": "2"}, "dependencies": {"b": "2"}}"#;
        let text = with_old_tests(old, new).unwrap();
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["scripts"]["test"], "jest");
        assert_eq!(value["dependencies"]["b"], "2");
        assert!(text.find("\"node\"").unwrap() < text.find("\"default\"").unwrap());
        let same = r#"{"scripts": {"test":"jest"}, "name": "b"}"#;
        assert_eq!(with_old_tests(old, same), None);
        assert_eq!(with_old_tests("[]", new), None);
    }
}
