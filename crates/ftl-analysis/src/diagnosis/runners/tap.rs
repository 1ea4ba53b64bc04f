//! The Test Anything Protocol, version 13 and 14: failed points, with the message in the YAML block
//! below. The block is read line by line, since runners differ in how they quote.

use std::sync::LazyLock;

use regex::Regex;

use super::pattern;

static NOT_OK: LazyLock<Regex> = LazyLock::new(|| pattern(r"^\s*not ok \d+"));
static ERROR: LazyLock<Regex> =
    LazyLock::new(|| pattern(r#"^\s+(?:error|message):\s*(?:[|>][-+]?|['"]?(.*?)['"]?)$"#));

/// The messages of failed points of the Test Anything Protocol, as `node --test` writes it; the
/// point itself when it has none.
pub(super) fn messages(lines: &[&str]) -> Vec<String> {
    let points = lines
        .iter()
        .enumerate()
        .filter(|(_, line)| is_failure(line));
    points
        .map(|(at, line)| message_below(&lines[at + 1..]).unwrap_or_else(|| (*line).to_owned()))
        .collect()
}

fn is_failure(line: &str) -> bool {
    NOT_OK.is_match(line) && !line.contains("# TODO") && !line.contains("# SKIP")
}

/// The message in the block of data that follows a point, its first line when it is long.
fn message_below(below: &[&str]) -> Option<String> {
    let mut block = below.iter().take_while(|line| !is_point(line));
    let parts = block.find_map(|line| ERROR.captures(line))?;
    if let Some(text) = parts.get(1) {
        return Some(text.as_str().to_owned());
    }
    let mut said = block
        .map(|line| line.trim())
        .filter(|line| !line.is_empty());
    let first = said.next()?;
    Some(match said.next() {
        Some(second) if first.ends_with(':') => format!("{first} {second}"),
        _ => first.to_owned(),
    })
}

fn is_point(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("ok ") || line.starts_with("not ok ") || line == "..."
}
