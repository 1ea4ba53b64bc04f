//! The Test Anything Protocol, version 13 and 14: failed points, with the message in the YAML block
//! or the comments below; and bats, which writes its own report in the same form. The block is read
//! line by line, since runners differ in how they quote.

use super::super::shape::{Telling, is_between, telling};
use super::general;
use crate::constants::ConstPattern;

static NOT_OK: ConstPattern = ConstPattern::new(r"^\s*not ok\b(?: \d+)?(?: -)?\s*(.*)$");
/// A point as bats and node show it to people.
static CROSS: ConstPattern = ConstPattern::new(r"^ ✗ (.*)$");
static ERROR: ConstPattern =
    ConstPattern::new(r#"^\s+(?:error|message):\s*(?:[|>][-+]?|['"]?(.*?)['"]?)$"#);
static VALUE: ConstPattern =
    ConstPattern::new(r"^\s*((?:actual|expected|got|wanted|found)\s*:\s*[^\s|>].*)$");
static DIAGNOSIS: ConstPattern = ConstPattern::new(r"^\s*# +Failed test\b");
static COMMENT: ConstPattern = ConstPattern::new(r"^\s*#\s?(.*)$");
/// The text before the message in comments.
static LEAD: ConstPattern = ConstPattern::new(
    r"(?i)^(?:failed (?:\(TODO\) )?test\b.*|at \S+ line \d+\.?|looks like .*|in test .*|\(from function.*|from function.*|on the way.*)$",
);
static LABEL: ConstPattern = ConstPattern::new(r"^(?:Failure|Error) message:\s*");
/// The command that failed, as bats quotes it.
static COMMAND: ConstPattern = ConstPattern::new(r"^`.*' failed(?: with status \d+)?$");
/// Messages that say nothing.
const EMPTY: [&str; 4] = ["failed", "fail", "test failed", ""];

/// The messages of failed points; the point itself when it has none.
pub(super) fn messages(lines: &[&str]) -> Vec<String> {
    let points = (0..lines.len()).filter(|&at| is_failure(lines, at));
    points
        .map(|at| {
            let below = message_below(lines[at], &lines[at + 1..]);
            let said = below.or_else(|| said_before(&lines[..at]));
            said.unwrap_or_else(|| lines[at].to_owned())
        })
        .collect()
}

/// What a file said that failed as a whole, in comments before its point.
fn said_before(above: &[&str]) -> Option<String> {
    let said = above.iter().filter_map(|line| Some(COMMENT.captures(line)?.get(1)?.as_str()));
    let said: Vec<&str> = said.collect();
    let first = general::lines(&said).into_iter().next()?;
    (telling(&first) >= Telling::Complaint).then_some(first)
}

fn is_failure(lines: &[&str], at: usize) -> bool {
    let line = lines[at];
    let is_shown =
        CROSS.is_match(line) && lines.get(at + 1).is_some_and(|below| below.starts_with("   "));
    // Test::More writes its comments to another stream: they may come without their point.
    let is_alone = DIAGNOSIS.is_match(line) && !(at > 0 && NOT_OK.is_match(lines[at - 1]));
    (NOT_OK.is_match(line) || is_shown || is_alone)
        && !line.contains("# TODO")
        && !line.contains("# SKIP")
}

/// The message in the block of data or the comments that follow a point.
fn message_below(point: &str, below: &[&str]) -> Option<String> {
    let is_next = |at: usize, line: &str| is_point(line) || at > 0 && DIAGNOSIS.is_match(line);
    let block = below.iter().enumerate().take_while(|(at, line)| !is_next(*at, line));
    let block: Vec<&str> = block.map(|(_, line)| *line).collect();
    let data = in_data(&block);
    if let Some(message) = data.filter(|message| !EMPTY.contains(&message.as_str())) {
        return Some(message);
    }
    let values: Vec<&str> =
        block.iter().filter_map(|line| Some(VALUE.captures(line)?.get(1)?.as_str())).collect();
    if block.iter().any(|line| line.trim() == "---") && !values.is_empty() {
        let name = NOT_OK.captures(point).map(|parts| parts[1].to_owned());
        return Some([vec![name.unwrap_or_default().as_str()], values].concat().join(" "));
    }
    in_comments(point, &block)
}

/// What follows `error:` or `message:`, its first line when it is long.
fn in_data(block: &[&str]) -> Option<String> {
    let mut block = block.iter();
    let parts = block.find_map(|line| ERROR.captures(line))?;
    if let Some(text) = parts.get(1) {
        return Some(text.as_str().to_owned());
    }
    let mut said = block.map(|line| line.trim()).filter(|line| !line.is_empty());
    let first = said.next()?;
    Some(match said.next() {
        Some(second) if first.ends_with(':') => format!("{first} {second}"),
        _ => first.to_owned(),
    })
}

/// What the failed command or assertion wrote; else the command.
fn in_comments(point: &str, block: &[&str]) -> Option<String> {
    let is_shown = CROSS.is_match(point);
    let text = block.iter().map_while(|line| match COMMENT.captures(line) {
        Some(parts) => parts.get(1).map(|text| text.as_str().trim()),
        None => is_shown.then(|| line.trim()),
    });
    let said: Vec<&str> = text
        .map(|line| LABEL.find(line).map_or(line, |label| &line[label.end()..]))
        .filter(|line| !is_between(line) && !LEAD.is_match(line))
        .collect();
    // Test::More lists what differs below a heading.
    if said.first().is_some_and(|line| line.ends_with(':')) {
        return Some(said[..said.len().min(3)].join(" "));
    }
    let output: Vec<&&str> = said.iter().filter(|line| !COMMAND.is_match(line)).collect();
    let most = output.iter().map(|line| telling(line)).max();
    let quoted = match most {
        Some(most) if most >= Telling::Complaint => {
            output.into_iter().find(|line| telling(line) == most)
        }
        Some(_) => output.first().copied(),
        None => said.first(),
    }?;
    // Of two values the first, whichever of them is called expected.
    let first = said.iter().find(|line| VALUE.is_match(line));
    let quoted = first.filter(|_| VALUE.is_match(quoted)).unwrap_or(quoted);
    let next = said.iter().skip_while(|line| *line != quoted).nth(1);
    let values = |line: &str| VALUE.is_match(line);
    Some(match next.filter(|next| values(quoted) && values(next)) {
        Some(next) => format!("{quoted} {next}"),
        None => (*quoted).to_owned(),
    })
}

fn is_point(line: &str) -> bool {
    let is_shown = line.starts_with(" ✓ ") || line.starts_with(" ✗ ");
    let line = line.trim_start();
    is_shown || line.starts_with("ok ") || line.starts_with("not ok ") || line == "..."
}
