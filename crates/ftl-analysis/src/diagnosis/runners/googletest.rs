//! GoogleTest, and Catch2 and doctest, which write like it: a place that says `Failure`, then what
//! was compared.

use crate::constants::ConstPattern;

static HEADING: ConstPattern = ConstPattern::new(
    r"^(?:\S+:\d+|\S+\(\d+\)|unknown file): (?:Failure|FAILED:?|error: Failure)$",
);
static END: ConstPattern = ConstPattern::new(r"^(?:\[ |Stack trace|={5,}|-{5,}|\S+:\d+: )|^$");

/// Lines of one message.
const MAX_JOINED: usize = 6;

/// What each failed expectation says, in one line.
pub(super) fn messages(lines: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        if !HEADING.is_match(line) {
            continue;
        }
        let message = lines[at + 1..].iter().take_while(|line| !END.is_match(line));
        let message: Vec<&str> = message.take(MAX_JOINED).map(|line| line.trim()).collect();
        if !message.is_empty() {
            found.push(message.join(" "));
        }
    }
    found
}
