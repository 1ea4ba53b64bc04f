//! Ruby's test-unit: `Failure: test_sum(ShopTest)`, an excerpt of the code, then the message.

use super::message;
use crate::constants::ConstPattern;

static HEADING: ConstPattern =
    ConstPattern::new(r"^(?:Failure|Error): \w+[?!]?\(\w[\w:]*\)(?::\s*(.*))?$");
static END: ConstPattern = ConstPattern::new(r"^(?:={10,}|-{10,}|Finished in )");

/// The message of each failure.
pub(super) fn messages(lines: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        match HEADING.captures(line).map(|parts| parts.get(1)) {
            Some(Some(text)) if !text.is_empty() => found.push((*line).to_owned()),
            Some(_) => found.extend(message::below(&lines[at + 1..], |line| END.is_match(line))),
            None => {}
        }
    }
    found
}
