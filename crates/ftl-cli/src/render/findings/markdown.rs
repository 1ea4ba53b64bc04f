//! A summary in Markdown, as job summaries and comments of code hosts show it.

use std::fmt::Write as _;

use ftl_engine::result::WorkspaceResult;
use ftl_text::{one_line, shortened};

use super::Findings;
use super::tasks::{TaskEnd, TaskResults};
use crate::render::duration;

/// Characters of an error in the table.
const ERROR: usize = 200;

/// A heading with the counts, a row for each task, and what failed.
pub(crate) fn summary(all: &TaskResults<'_>) -> String {
    let ends: Vec<TaskEnd<'_>> = all.results.iter().map(TaskEnd::of).collect();
    let failed = ends.iter().filter(|end| end.failure.is_some()).count();
    let broken = all.checks.iter().filter(|check| !check.passed).count();
    let mark = if failed + broken > 0 { "❌" } else { "✅" };
    let complete = ends.len() - failed;
    let mut text = format!("## {mark} ftl: {complete} complete, {failed} not complete");
    if broken > 0 {
        let _ = write!(text, ", {broken} broken");
    }
    text.push_str("\n\n| | task | result | time |\n| --- | --- | --- | --- |\n");
    for (end, result) in ends.iter().zip(all.results) {
        let (mark, said) = match &end.failure {
            None => ("✅", "complete".to_owned()),
            Some((kind, error)) => ("❌", format!("{kind}: {}", cell(error))),
        };
        let time = match result {
            WorkspaceResult::Built(built) => duration(built.duration_of_all()),
            WorkspaceResult::Skipped(_) | WorkspaceResult::Failed(_) => String::new(),
        };
        let _ = writeln!(text, "| {mark} | {} | {said} | {time} |", cell(end.id.as_str()));
    }
    for check in all.checks.iter().filter(|check| !check.passed) {
        let error = cell(check.error.as_deref().unwrap_or_default());
        let _ = writeln!(text, "| ❌ | {} | broken: {error} | |", code(&check.command));
    }
    let findings = Findings::of_tasks(all);
    if !findings.found.is_empty() {
        text.push_str("\n### What failed\n\n");
    }
    for found in &findings.found {
        let place = format!("{}:{}", found.path.display(), found.region.line);
        let _ = writeln!(text, "- {} {}: {}", code(&place), found.rule, cell(&found.message));
        if let Some(next) = found.help.as_deref().and_then(|help| help.strip_prefix("next: ")) {
            let _ = writeln!(text, "  next: {}", code(next));
        }
    }
    text
}

/// Text on one line as code, in which nothing but the table's bar is markup.
fn code(text: &str) -> String {
    let text = one_line(text).replace('|', "\\|");
    match text.contains('`') {
        true => format!("`` {text} ``"),
        false => format!("`{text}`"),
    }
}

/// Text on one line that begins no other markup.
fn cell(text: &str) -> String {
    let text = shortened(&one_line(text), ERROR);
    let mut escaped = String::new();
    for c in text.chars() {
        if matches!(c, '|' | '<' | '>' | '*' | '_' | '`' | '[' | ']' | '\\' | '#' | '@') {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}
