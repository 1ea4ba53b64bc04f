//! JSON that a terminal, an editor and a reader of lines can all be given.

use crate::chars::is_plain;

/// Escapes what [`chars`](crate::chars) lists in a JSON text, as `\u009b`; a parser gets the
/// same values. A serializer escapes only what JSON itself forbids, which is C0.
///
/// Outside of its strings JSON is ASCII without DEL, so everything found here is in a string.
#[must_use]
pub fn escape_json(json: String) -> String {
    let is_plain = |c: char| c.is_ascii() && c != '\u{7F}' || is_plain(c);
    let Some(first) = json.find(|c| !is_plain(c)) else {
        return json;
    };
    let (plain, rest) = json.split_at(first);
    let mut escaped = String::with_capacity(json.len() + 64);
    escaped.push_str(plain);
    for c in rest.chars() {
        if is_plain(c) {
            escaped.push(c);
        } else {
            let mut units = [0; 2];
            for unit in c.encode_utf16(&mut units) {
                escaped.push_str(&format!("\\u{unit:04x}"));
            }
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::escape_json;

    #[test]
    fn a_hidden_character_is_escaped_and_parses_to_itself() {
        for (text, expected) in [
            ("plain ä 日本 \u{200D}", "\"plain ä 日本 \u{200D}\""),
            ("a\u{7F}\u{9B}b", r#""a\u007f\u009bb""#),
            ("\u{202E}\u{2028}", r#""\u202e\u2028""#),
            ("\u{E0041}\u{10FFFF}", r#""\udb40\udc41\udbff\udfff""#),
            ("\u{1B}\"\\\n", r#""\u001b\"\\\n""#),
        ] {
            let plain = serde_json::to_string(text).unwrap();
            let escaped = escape_json(plain);
            assert_eq!(escaped, expected);
            let again: String = serde_json::from_str(&escaped).unwrap();
            assert_eq!(again, text);
        }
    }
}
