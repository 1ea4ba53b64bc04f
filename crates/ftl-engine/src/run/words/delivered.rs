//! The `delivered` text of a record: a summary of the work, or the hand-off of a block.

use ftl_machine::{Outcome, Verdict};
use ftl_model::Touched;

use super::tried::all_tried;
use super::wording::{self, Advice, BlockText};
use crate::text::one_line;

/// The `delivered` text.
pub(in crate::run) fn delivered(verdict: &Verdict, advice: Advice) -> String {
    match &verdict.outcome {
        Outcome::Complete | Outcome::Planned => summary(verdict),
        Outcome::Blocked(block) => {
            let text = wording::block(block, verdict, advice);
            blocked(&text, &all_tried(&verdict.log.tried))
        }
    }
}

/// The hand-off text. Others read it line by line, so its two labels occur once.
fn blocked(block: &BlockText, tried: &str) -> String {
    let plain =
        |text: &str| one_line(text).replace("Tried:", "Tried -").replace("Unknown:", "Unknown -");
    format!(
        "BLOCKED: {}\nTried: {}\nUnknown: {}",
        plain(&block.error),
        plain(tried),
        plain(&block.unknown)
    )
}

/// The implementer's own summary, else one made from the facts.
fn summary(verdict: &Verdict) -> String {
    if let Some(summary) = verdict.log.summary.as_ref().filter(|text| !text.trim().is_empty()) {
        return summary.clone();
    }
    let mut lines: Vec<String> = verdict
        .files
        .iter()
        .map(|(file, _)| format!("{} {}{}", file.change, file.path, lines(verdict, file)))
        .collect();
    if lines.is_empty() {
        lines.push("no change was needed".into());
    }
    if let Some(verify) = verdict.log.verify.last() {
        lines.push(format!("verified by `{}`", one_line(&verify.command)));
    }
    match verdict.retries {
        0 => {}
        1 => lines.push("after 1 retry".into()),
        retries => lines.push(format!("after {retries} retries")),
    }
    lines.join("\n")
}

/// ` (+2 -1 lines)`, where they were counted.
fn lines(verdict: &Verdict, file: &Touched) -> String {
    let lines = verdict.log.lines.get(&file.path);
    lines.map_or_else(String::new, |lines| format!(" (+{} -{} lines)", lines.added, lines.removed))
}
