//! `ftl knowledge list`.

use std::fmt::Write as _;

use ftl_engine::result::{KnowledgeEntry, KnowledgeList};
use ftl_text::one_line;

use super::Project;
use crate::args::{Format, ListArgs};
use crate::config::knowledge::Shared;
use crate::{CommandResult, output};

/// Lists the shared failures, in the order in which they are tried.
pub(crate) fn run(args: &ListArgs) -> CommandResult {
    let project = Project::load()?;
    let shared = project.config.shared(project.root())?;
    let entries: Vec<KnowledgeEntry> = shared.iter().map(entry).collect();
    match args.format {
        Format::Json => output::json(&KnowledgeList { failures: entries })?,
        Format::Human => output::result(&table(&entries))?,
    }
    Ok(0)
}

fn entry(shared: &Shared) -> KnowledgeEntry {
    let failure = &shared.failure;
    KnowledgeEntry {
        name: failure.name.clone().unwrap_or_default(),
        file: shared.file.clone(),
        line: shared.line,
        trigger: failure.trigger.clone(),
        pattern: failure.pattern.clone(),
        kind: failure.fix_kind.clone().unwrap_or_else(|| "prose".to_owned()),
        fix: failure.fix.clone(),
        tags: failure.tags.clone(),
        cost: failure.cost,
    }
}

/// A line for each, and what it is known by below it.
fn table(entries: &[KnowledgeEntry]) -> String {
    let mut text = String::new();
    for entry in entries {
        let tags = match entry.tags.as_slice() {
            [] => String::new(),
            tags => format!(" [{}]", one_line(&tags.join(", "))),
        };
        let (name, file) = (one_line(&entry.name), one_line(&entry.file));
        let _ = writeln!(text, "{name}{tags}  {file}:{}", entry.line);
        let mut row = |label: &str, value: &str| {
            if !value.trim().is_empty() {
                let _ = writeln!(text, "  {label:8} {}", one_line(value.trim()));
            }
        };
        row("trigger", &entry.trigger);
        row("match", entry.pattern.as_deref().unwrap_or_default());
        row(&entry.kind, &entry.fix);
        if entry.kind == "rerun" {
            row("rerun", "the verify command runs again");
        }
    }
    let _ = writeln!(text, "{} shared failures", entries.len());
    text
}
