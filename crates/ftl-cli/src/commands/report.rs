//! `ftl report`: tasks and their runs as one HTML page that needs no other file.

use std::fs;
use std::io::{self, IsTerminal};
use std::num::NonZero;
use std::path::Path;
use std::thread;

use ftl_engine::history;
use ftl_engine::project::{WorkspaceFile, find};
use ftl_engine::result::{RunAccount, TaskHistory};
use ftl_engine::status::status;
use ftl_engine::tasks::due;
use ftl_model::Status;
use jiff::Timestamp;

use crate::args::ReportArgs;
use crate::config::Config;
use crate::failure::Failure;
use crate::render::report::{self, ReportedTask};
use crate::{CommandResult, globals, output};

/// Writes the page.
pub(crate) fn run(args: &ReportArgs) -> CommandResult {
    if args.output.is_none() && io::stdout().is_terminal() {
        let message = "the page is HTML, which a terminal does not show";
        return Err(Failure::usage("usage::report", message)
            .help("name a file with `-o FILE`, or redirect standard output"));
    }
    let layout = find(globals::root(), None)?;
    let tasks = tasks(args)?;
    // What the configuration names as secret must not be in the page either.
    let config = Config::load(globals::config(), layout.root())?;
    output::hide(&output::secrets_of(std::env::vars_os(), &config.redact_off));
    let mut tasks = read(&tasks)?;
    let name = layout.root().file_name().unwrap_or_default();
    let at = Timestamp::now().strftime("%Y-%m-%d %H:%M UTC").to_string();
    let checks = due(&layout, &status(&layout)?);
    for check in checks.iter().filter(|check| check.failed.is_some()) {
        let broken = tasks.iter_mut().filter(|it| check.tasks.contains(&it.task.id));
        broken.for_each(|it| it.is_broken = true);
    }
    let checks = if args.tasks.is_empty() { checks } else { Vec::new() };
    let above = above(args.output.as_deref(), layout.root());
    let how = (output::redactor(), above.as_str());
    let page = report::page(&name.to_string_lossy(), &at, &tasks, &checks, how);
    match &args.output {
        None => output::result(&page)?,
        Some(path) => {
            fs::write(path, &page).map_err(|error| {
                let message = format!("cannot write the report to `{}`: {error}", path.display());
                Failure::usage("usage::report", message).help("name a file that can be written")
            })?;
            let noun = if tasks.len() == 1 { "task" } else { "tasks" };
            let path = ftl_text::one_line(&path.to_string_lossy());
            output::did("Wrote", format!("{path} ({} {noun})", tasks.len()))?;
        }
    }
    Ok(0)
}

/// What leads from the directory of the page to the root: `../` for each directory below it.
fn above(page: Option<&Path>, root: &Path) -> String {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let directory = page.and_then(Path::parent).filter(|path| !path.as_os_str().is_empty());
    let (directory, root) = (real(directory.unwrap_or(Path::new("."))), real(root));
    match directory.strip_prefix(&root) {
        Ok(below) => "../".repeat(below.components().count()),
        Err(_) => format!("{}/", root.display()),
    }
}

/// The tasks that were named, each once; without names all of them.
fn tasks(args: &ReportArgs) -> Result<Vec<WorkspaceFile>, Failure> {
    let root = globals::root();
    if args.tasks.is_empty() {
        return Ok(WorkspaceFile::all(&find(root, None)?)?);
    }
    let mut tasks: Vec<WorkspaceFile> = Vec::new();
    for name in &args.tasks {
        let task = WorkspaceFile::find_any(name, root)?;
        if !tasks.iter().any(|known| known.path == task.path) {
            tasks.push(task);
        }
    }
    Ok(tasks)
}

/// Reads the tasks on all cores, in their order.
fn read(tasks: &[WorkspaceFile]) -> Result<Vec<ReportedTask>, Failure> {
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    let share = tasks.len().div_ceil(threads).max(1);
    let shares: Vec<Result<Vec<ReportedTask>, Failure>> = thread::scope(|scope| {
        let start = |share: &'_ [WorkspaceFile]| {
            let share = share.to_vec();
            scope.spawn(move || {
                share.iter().map(one).collect::<Result<Vec<ReportedTask>, Failure>>()
            })
        };
        let started: Vec<_> = tasks.chunks(share).map(start).collect();
        let ended = started
            .into_iter()
            .map(|thread| thread.join().expect("because reading a task does not panic"));
        ended.collect()
    });
    let read: Result<Vec<Vec<ReportedTask>>, Failure> = shares.into_iter().collect();
    Ok(read?.into_iter().flatten().collect())
}

fn one(task: &WorkspaceFile) -> Result<ReportedTask, Failure> {
    let (history, mut runs): (TaskHistory, Vec<RunAccount>) =
        history::all_of_task(task).map_err(super::show::failure)?;
    let mut transcript = String::new();
    if let Some(last) = runs.last_mut() {
        let (next, said) = super::show::last_of(task)?;
        if history.status == Status::Blocked {
            last.result.next = next;
        }
        transcript = said;
    }
    Ok(ReportedTask { task: history, runs, transcript, is_broken: false })
}
