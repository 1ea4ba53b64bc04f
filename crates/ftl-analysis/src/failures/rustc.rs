//! rustc and cargo: `error[E0308]: …` above ` --> src/lib.rs:5:5`, or in one line with `--message-format short`.

use super::draft::{Draft, dedented};
use super::source_line::SourceLine;
use crate::constants::ConstPattern;

static HEADING: ConstPattern = ConstPattern::new(r"^error(?:\[E\d+\])?: \S");
static ARROW: ConstPattern = ConstPattern::new(r"^\s*--> (\S+?):(\d+):\d+$");
static FAREWELL: ConstPattern = ConstPattern::new(
    r"^error: (?:could not compile|aborting due to|(?:doc)?test failed, to rerun|test run failed|\d+ targets? failed|could not document|build failed)",
);
/// A label in the excerpt: the text behind the carets.
static LABEL: ConstPattern = ConstPattern::new(r"^\s*\|.*?(?:\^+|-{2,}) (\S.*)$");
static NOTE: ConstPattern = ConstPattern::new(r"^\s*= ((?:note|help): .*)$|^(help: .*)$");

/// Errors with a place; those without one only when there is no other.
pub(super) fn failures(lines: &[&str]) -> Vec<Draft> {
    let starts: Vec<usize> = (0..lines.len())
        .filter(|&at| HEADING.is_match(lines[at]) && !FAREWELL.is_match(lines[at]))
        .collect();
    let drafts: Vec<Draft> = starts.iter().map(|&start| error(lines, start)).collect();
    if !drafts.iter().any(|draft| draft.place.is_some()) {
        return Vec::new();
    }
    drafts
}

fn error(lines: &[&str], start: usize) -> Draft {
    let is_end = |line: &&str| {
        HEADING.is_match(line)
            || line.starts_with("warning")
            || line.starts_with("For more information")
            || line.starts_with("Some errors have")
    };
    let below = lines[start + 1..].iter().take(200).take_while(|line| !is_end(line));
    let block: Vec<&str> = below.copied().collect();
    let place = block.iter().find_map(|line| SourceLine::captured(&ARROW, line));
    let labels = block.iter().filter_map(|line| LABEL.captures(line)?.get(1));
    let notes = block.iter().filter_map(|line| {
        let parts = NOTE.captures(line)?;
        parts.get(1).or_else(|| parts.get(2))
    });
    let detail = dedented(labels.chain(notes).map(|it| it.as_str()));
    // A message may go on in the lines above the arrow.
    let more = block.iter().take_while(|line| {
        !line.trim_start().starts_with("-->")
            && !line.trim().is_empty()
            && !line.trim_start().starts_with('|')
    });
    let more: Vec<&str> = more.copied().filter(|_| place.is_some()).collect();
    let message = std::iter::once(lines[start]).chain(more).collect::<Vec<&str>>().join("\n");
    let detail = (!detail.is_empty()).then_some(detail);
    Draft { place, message, detail, ..Draft::of(start..start + 1 + block.len()) }
}
