//! A reply at the end of what an agent says, for agents that can't write it into its file.

use serde_json::Value;

/// Keys of a reply.
const KEYS: [&str; 4] = ["summary", "utilized", "no_change", "needs"];
/// Bytes at the end of a text in which the block is searched for.
const LOOKED_AT: usize = 64 << 10;

/// The reply in the last fenced block of a text, where that block is one: a JSON object with no other keys than
/// those of a reply. Only white space may follow it.
#[must_use]
pub fn reply_in(text: &str) -> Option<Value> {
    let text = text.trim_end();
    let mut from = text.len().saturating_sub(LOOKED_AT);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    let lines: Vec<&str> = text[from..].lines().collect();
    let (last, before) = lines.split_last()?;
    let fence = last.trim();
    if fence.len() < 3 || !fence.bytes().all(|byte| byte == b'`') {
        return None;
    }
    let begins = |line: &&str| {
        let line = line.trim();
        line.starts_with(fence) && matches!(line[fence.len()..].trim(), "" | "json")
    };
    let at = before.iter().rposition(begins)?;
    let value: Value = serde_json::from_str(&before[at + 1..].join("\n")).ok()?;
    let object = value.as_object()?;
    let known = |key: &String| KEYS.contains(&key.as_str());
    (!object.is_empty() && object.keys().all(known)).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::reply_in;

    #[test]
    fn a_reply_is_the_last_block_and_nothing_but_a_reply() {
        for (text, found) in [
            ("Done.\n\n```json\n{\"needs\": [\"a.py\"]}\n```\n", true),
            ("```\n{\"no_change\": true}\n```", true),
            ("  ```json\n  {\"summary\": \"x\",\n  \"no_change\": true}\n  ```\n\n", true),
            ("````\n{\"no_change\": true}\n````", true),
            ("```json\n{\"needs\": [\"a.py\"]}\n```\nThat was it.", false),
            ("```json\n{\"needs\": [\"a.py\"], \"more\": 1}\n```", false),
            ("```json\n{}\n```", false),
            ("```json\n[1]\n```", false),
            ("```python\n{\"no_change\": true}\n```", false),
            ("{\"no_change\": true}", false),
            ("```", false),
            ("", false),
        ] {
            assert_eq!(reply_in(text).is_some(), found, "{text}");
        }
    }
}
