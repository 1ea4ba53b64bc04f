//! The history of a task, for people: its last run, the states with their times, and the result; or its diff or what it
//! printed, and nothing else.

use std::fmt::Write as _;
use std::io;

use ftl_agents::{Activity, Events, Listener};
use ftl_engine::result::{
    AccountSource, BuildResult, ImplementerAccount, RunAccount, RunSummary, StateStep, TaskHistory,
};
use ftl_text::{one_line, terminal_text};

use super::diff::{self, FileDiff};
use super::duration;
use super::outcome::{LinesOf, Page};
use crate::output;
use crate::paths::Here;

/// The page of a task.
pub(crate) fn of(task: &TaskHistory) -> String {
    let Some(run) = &task.run else {
        return untouched(task);
    };
    let mut page = Page::new(run.result.outcome, &task.id);
    headline(&mut page, task, run);
    page.line("objective", task.objective.trim());
    page.line("began", &began(run));
    page.line("by", &run.implementer.as_ref().map(by).unwrap_or_default());
    page.line("base", &base(&run.result));
    timeline(&mut page, run);
    let files = diff::files(run.diff.as_deref().unwrap_or_default());
    page.details(&run.result, &lines_of(&files));
    page.path("diff", run.diff_path.as_deref().unwrap_or_default());
    let logs: Vec<String> = run.logs.iter().map(|log| page.here.path(&log.path)).collect();
    page.line("logs", &logs.join("\n"));
    if task.runs.len() > 1 {
        let runs: Vec<String> = task.runs.iter().map(in_short).collect();
        page.line("runs", &runs.join("\n"));
    }
    page.text
}

/// A task that was never built.
fn untouched(task: &TaskHistory) -> String {
    let status = task.status;
    let id = terminal_text(task.id.as_str().as_bytes());
    let here = Here::at(&task.workspace, []);
    let mut page = Page { text: format!("{status}  {id}\n"), here };
    page.line("objective", task.objective.trim());
    let files: Vec<String> = task.delta.iter().map(|path| page.here.path(path)).collect();
    page.line("file", &files.join("\n"));
    page.line("verify", task.verify.trim());
    page.line("task", &task.workspace);
    page.line("runs", "none");
    page.text
}

fn headline(page: &mut Page, task: &TaskHistory, run: &RunAccount) {
    match run.number {
        Some(number) => page.append(&format!("  run {number}")),
        None => page.append("  manual"),
    }
    if let Some(total) = run.result.budget.total {
        page.append(&format!("  budget {}/{total}", run.result.budget.used));
    }
    let is_last = task.runs.last().is_some_and(|last| last.number == run.number);
    if task.status.as_str() != run.result.outcome.as_str() && is_last {
        page.append(&format!("  (the task is {})", task.status));
    }
    page.end_headline();
}

/// `2026-11-23T00:48:01Z, took 2.1 s`.
fn began(run: &RunAccount) -> String {
    let at = run.began_at.as_deref().or(run.ended_at.as_deref());
    let took: Option<u64> = run.timeline.iter().map(|step| step.duration_ms).sum();
    match (at, took.filter(|_| !run.timeline.is_empty())) {
        (Some(at), Some(took)) => format!("{at}, took {}", duration(took)),
        (Some(at), None) => at.to_owned(),
        (None, _) => String::new(),
    }
}

fn by(who: &ImplementerAccount) -> String {
    match who.name.as_ref().or(who.command.as_ref()) {
        Some(command) => format!("{}: {command}", who.kind),
        None => who.kind.clone(),
    }
}

/// The commit, and the branch that was checked out.
pub(super) fn base(result: &BuildResult) -> String {
    match &result.base {
        Some(base) => match &base.branch {
            Some(branch) => format!("{} ({branch})", base.commit),
            None => base.commit.clone(),
        },
        None => String::new(),
    }
}

/// A line for each state; the one that goes on has no end.
fn timeline(page: &mut Page, run: &RunAccount) {
    if run.source == AccountSource::Record {
        let states: Vec<&str> = run.timeline.iter().map(|step| step.state.as_str()).collect();
        page.line("states", &states.join(" → "));
        return;
    }
    let lines: Vec<String> = run.timeline.iter().map(step).collect();
    page.line("states", &lines.join("\n"));
}

fn step(step: &StateStep) -> String {
    let took = step.duration_ms.map_or_else(|| "running".to_owned(), duration);
    let at = step.at.as_deref().unwrap_or_default();
    let time = at.split_once('T').map_or(at, |(_, time)| time);
    let time = time.trim_end_matches('Z');
    format!("{:<10} {time}  {took:>9}", step.state.as_str())
}

fn in_short(run: &RunSummary) -> String {
    let number = run.number.map_or_else(|| "manual".to_owned(), |number| number.to_string());
    let mut line = format!("{number} {}", run.outcome);
    if let Some(kind) = &run.kind {
        let _ = write!(line, " ({kind})");
    }
    if let Some(at) = run.ended_at.as_deref().or(run.began_at.as_deref()) {
        let _ = write!(line, ", {at}");
    }
    line
}

fn lines_of<'d>(files: &[FileDiff<'d>]) -> LinesOf<'d> {
    let lines = files.iter();
    lines.map(|file| (file.path, (file.added, file.removed))).collect()
}

/// What a run changed in the delta, as a unified diff; empty where none is kept.
pub(crate) fn diff(run: &RunAccount) -> String {
    let has_colours = output::colour(&io::stdout());
    let mut text = String::new();
    for line in terminal_text(run.diff.as_deref().unwrap_or_default().as_bytes()).lines() {
        let code = match line.as_bytes() {
            [b'+', b'+', b'+', ..] | [b'-', b'-', b'-', ..] => "1",
            [b'@', ..] => "36",
            [b'+', ..] => "32",
            [b'-', ..] => "31",
            _ => "",
        };
        if has_colours && !code.is_empty() {
            let _ = writeln!(text, "\u{1b}[{code}m{line}\u{1b}[0m");
        } else {
            let _ = writeln!(text, "{line}");
        }
    }
    text
}

/// What the agent and the commands of a run printed, one after another: of an agent whose events ftl knows, what it did
/// and said.
pub(crate) fn transcript(task: &TaskHistory, run: &RunAccount, events: Events) -> String {
    let here = Here::at(&task.workspace, []);
    let mut text = String::new();
    for log in &run.logs {
        let _ = writeln!(text, "==> {} <==", one_line(&here.path(&log.path)));
        match &log.text {
            Some(said) => text.push_str(&readable(said, events)),
            None => text.push_str("(it cannot be read)"),
        }
        if !text.ends_with('\n') {
            text.push('\n');
        }
        text.push('\n');
    }
    text
}

/// The activities in an output, a line or a paragraph each; the output itself where it has none.
fn readable(said: &str, events: Events) -> String {
    let mut lines = Vec::new();
    let mut listener = Listener::new(events);
    let mut tell = |activity: Activity| {
        let is_said = activity.tool.is_none() && activity.command.is_none();
        lines.push(match &activity.text {
            Some(text) if is_said => text.clone(),
            _ => format!("  {}", activity.line()),
        });
    };
    listener.hear(said.as_bytes(), &mut tell);
    let report = listener.finish(&mut tell);
    if lines.is_empty() {
        return terminal_text(said.as_bytes());
    }
    lines.extend(report.words.filter(|words| lines.last() != Some(words)));
    terminal_text(lines.join("\n").as_bytes())
}
