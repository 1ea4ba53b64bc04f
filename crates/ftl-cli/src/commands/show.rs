//! `ftl show`: what became of a task.
//!
//! The engine reads it from the task's runs and its record; this module decides which task is meant and what goes
//! on from there.

use std::path::PathBuf;

use clap::Parser;
use ftl_agents::Events;
use ftl_engine::history::{HistoryError, Wanted, latest, of_task};
use ftl_engine::project::{WorkspaceFile, find};
use ftl_engine::result::{OutcomeWord, RunAccount, Skipped, TaskHistory, WorkspaceResult};
use ftl_engine::run::{Agent, Implementer};
use ftl_model::Status;

use crate::args::{ReportFormat, ShowArgs, ShowFormat, TrailingOptions};
use crate::commands::build;
use crate::failure::Failure;
use crate::render::findings::{self, TaskResults};
use crate::render::history as page;
use crate::{CommandResult, advice, globals, implementer, output};

/// Shows a task.
pub(crate) fn run(args: &ShowArgs) -> CommandResult {
    let task = task(args)?;
    let wanted = Wanted { run: args.run, logs: args.log };
    let mut history = of_task(&task, wanted, advice::for_records()).map_err(failure)?;
    add_next(&mut history, &task);
    let format = match args.format {
        ShowFormat::Json => return output::json(&history).map(|()| 0),
        ShowFormat::Human => return print(&history, args).map(|()| 0),
        ShowFormat::Junit => ReportFormat::Junit,
        ShowFormat::Sarif => ReportFormat::Sarif,
        ShowFormat::Github => ReportFormat::Github,
        ShowFormat::Gitlab => ReportFormat::Gitlab,
        ShowFormat::Markdown => ReportFormat::Markdown,
        ShowFormat::InToto => ReportFormat::InToto,
    };
    let results = [as_result(&history, &task)];
    let all = TaskResults { results: &results, checks: &[] };
    output::result(&findings::of_tasks(format, &all))?;
    Ok(0)
}

/// Prints for people: the page, or the diff and the transcript alone.
fn print(history: &TaskHistory, args: &ShowArgs) -> Result<(), Failure> {
    if !args.diff && !args.log {
        return output::result(&page::of(history));
    }
    let mut text = String::new();
    let run = history.run.as_ref();
    if args.diff {
        let diff = run.map(page::diff).unwrap_or_default();
        if diff.is_empty() {
            output::message("no diff is kept of this run");
        }
        text += &diff;
    }
    if args.log {
        let transcript = transcript(history);
        if transcript.is_empty() {
            output::message("no output is kept of this run");
        }
        text += &transcript;
    }
    output::paged(&text)
}

/// What the agent of the shown run printed and did.
fn transcript(history: &TaskHistory) -> String {
    let Some(run) = &history.run else {
        return String::new();
    };
    let name = run.implementer.as_ref().and_then(|who| who.name.as_ref());
    let events = name.map_or(Events::Text, |name| implementer::by_name(name, None).events());
    page::transcript(history, run, events)
}

/// The run that is shown as the result of a build.
fn as_result(history: &TaskHistory, task: &WorkspaceFile) -> WorkspaceResult {
    match &history.run {
        Some(run) => WorkspaceResult::Built(Box::new(run.result.clone())),
        None => WorkspaceResult::Skipped(Skipped {
            v: 1,
            outcome: OutcomeWord::Unfinished,
            id: task.id().clone(),
            workspace: history.workspace.clone(),
            cause: "it was not built yet".to_owned(),
        }),
    }
}

fn task(args: &ShowArgs) -> Result<WorkspaceFile, Failure> {
    let root = globals::root();
    if let Some(task) = &args.task {
        return Ok(WorkspaceFile::find_any(task, root)?);
    }
    let layout = find(root, None)?;
    latest(&layout)?.ok_or_else(|| {
        let message = format!("there is no task in `{}`", layout.workspace_dir().display());
        Failure::usage("usage::workspace_missing", message).help("create one with `ftl new`")
    })
}

pub(crate) fn failure(error: HistoryError) -> Failure {
    match error {
        HistoryError::Lookup(error) => error.into(),
        error @ HistoryError::NoSuchRun { .. } => {
            Failure::usage("usage::run_missing", error.to_string())
                .help("leave `--run` out to see the last one")
        }
        error => Failure::failed("store::runs", ftl_text::with_causes(&error)),
    }
}

/// The commands that go on from the last run of a task, and what its agent printed and did.
pub(super) fn last_of(task: &WorkspaceFile) -> Result<(Vec<String>, String), Failure> {
    let wanted = Wanted { run: None, logs: true };
    let mut history = of_task(task, wanted, advice::for_records()).map_err(failure)?;
    add_next(&mut history, task);
    let transcript = transcript(&history);
    Ok((history.run.map(|run| run.result.next).unwrap_or_default(), transcript))
}

/// The commands that go on from the last run, with the agent that it had.
fn add_next(history: &mut TaskHistory, task: &WorkspaceFile) {
    let is_last = |run: &RunAccount| {
        let last = history.runs.last().map(|last| last.number);
        last == Some(run.number)
    };
    let Some(run) = history.run.as_ref().filter(|run| is_last(run)) else {
        return;
    };
    let goes_on = match run.result.outcome {
        OutcomeWord::Blocked => history.status == Status::Blocked,
        OutcomeWord::Unfinished => history.status == Status::Active,
        _ => false,
    };
    if !goes_on {
        return;
    }
    let command = run.implementer.as_ref();
    let command = command.and_then(|who| who.name.clone().or_else(|| who.command.clone()));
    let words: Vec<String> = match &command {
        Some(command) => vec!["--agent".to_owned(), command.clone()],
        None => Vec::new(),
    };
    let Ok(options) = TrailingOptions::try_parse_from(words) else {
        return;
    };
    let implementer = match command {
        Some(command) => Implementer::Agent(Box::new(Agent::of_command(command))),
        None => Implementer::Tree { base: None },
    };
    let root: PathBuf = task.layout.root().to_owned();
    let next = build::next_of(&options.options, root, implementer);
    if let Some(run) = &mut history.run {
        next.fill(&mut run.result);
    }
}
