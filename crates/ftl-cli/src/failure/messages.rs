//! What to do about a diagnostic whose message has no better help: a sentence for each code.
//!
//! The same table makes docs/messages.md. A test holds it against the codes that the sources name.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use serde::Deserialize;

const TABLE: &str = include_str!("messages.toml");

#[derive(Debug, Deserialize)]
struct Message {
    #[serde(rename = "do")]
    advice: String,
}

/// What to do about a diagnostic with this code, in general.
pub(super) fn advice(code: &str) -> Option<&'static str> {
    static ALL: OnceLock<BTreeMap<String, Message>> = OnceLock::new();
    let all = ALL.get_or_init(|| toml::from_str(TABLE).unwrap_or_default());
    all.get(code).map(|message| message.advice.as_str())
}

#[cfg(test)]
mod tests {
    use super::advice;

    #[test]
    fn the_table_is_read_and_an_unknown_code_has_no_advice() {
        assert!(advice("build::changed").unwrap().contains("--restart"));
        assert_eq!(advice("x::y"), None);
    }
}
