//! Which tasks a build is of: those that were named, the only active one, or all active ones.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use ftl_engine::author::reopen;
use ftl_engine::project::{Layout, LookupError, WorkspaceFile, display_path, find};
use ftl_model::{Status, WorkspaceName};

use crate::args::BuildOptions;
use crate::failure::Failure;
use crate::output;

/// What was asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Wanted<'a> {
    /// These tasks; none means the only active one.
    Named(&'a [PathBuf]),
    /// Every active task.
    All,
}

impl Wanted<'_> {
    /// Whether no task is named.
    pub(super) fn is_any(self) -> bool {
        match self {
            Self::Named(arguments) => arguments.is_empty(),
            Self::All => true,
        }
    }

    /// Whether one task is meant, whichever it is: then its result is the whole output.
    pub(super) fn is_single(self) -> bool {
        match self {
            Self::Named(arguments) => arguments.len() <= 1,
            Self::All => false,
        }
    }
}

/// The tasks to build, each once; none where nothing is left to build.
#[derive(Debug, Default)]
pub(super) struct Chosen {
    pub(super) active: Vec<WorkspaceFile>,
    /// Those that have their record already, and were named with others.
    pub(super) finished: Vec<Finished>,
}

/// A task that has its record.
#[derive(Debug)]
pub(super) struct Finished {
    pub(super) path: PathBuf,
    pub(super) status: Status,
}

pub(super) fn choose(wanted: Wanted<'_>, options: &BuildOptions) -> Result<Chosen, Failure> {
    match wanted {
        Wanted::Named([]) => only_active(options),
        Wanted::Named(arguments) => named(arguments, options),
        Wanted::All => Ok(Chosen { active: all_active(options)?, finished: Vec::new() }),
    }
}

fn only_active(options: &BuildOptions) -> Result<Chosen, Failure> {
    let active = all_active(options)?;
    if active.len() < 2 {
        return Ok(Chosen { active, finished: Vec::new() });
    }
    let ids: Vec<String> = active.iter().map(|task| format!("`{}`", task.id())).collect();
    let message = format!("{} tasks are active: {}", active.len(), ids.join(", "));
    Err(Failure::usage("usage::workspace_ambiguous", message)
        .help("name those to build, or pass `--all`"))
}

/// Every active task, in the order of the names, but for files that came back beside their record, as `git stash pop`
/// brings them.
fn all_active(options: &BuildOptions) -> Result<Vec<WorkspaceFile>, Failure> {
    let layout = find(options.root.as_deref(), None)?;
    let record = |task: &WorkspaceFile| {
        let name = WorkspaceName { id: task.id().clone(), status: Status::Complete };
        task.path.with_file_name(name.to_string())
    };
    let all = WorkspaceFile::all_active(&layout)?;
    let (returned, active): (Vec<_>, Vec<_>) =
        all.into_iter().partition(|task| record(task).exists());
    for task in &returned {
        output::warn(&format!(
            "`{0}` is complete, and `{1}` came back beside its record: it is left out; remove it, or build it again by its name",
            task.id(),
            task.path.display()
        ));
    }
    Ok(active)
}

/// Why there is nothing to build: all tasks that were named are finished, or none is active.
pub(super) fn nothing_left(mut finished: Vec<Finished>, layout: &Layout) -> Failure {
    if finished.len() > 1 {
        let state =
            |task: &Finished| Some(format!("`{}` is already {}", task.name()?.id, task.status));
        let states: Vec<String> = finished.iter().filter_map(state).collect();
        let message = format!("nothing is left to build: {}", states.join(", "));
        return Failure::usage("usage::workspace_finished", message)
            .help("write a new task with `ftl new`, or make one active again with `ftl reopen`");
    }
    if let Some(last) = finished.pop() {
        return LookupError::Finished { path: last.path, status: last.status }.into();
    }
    let directory = display_path(&layout.workspace_dir());
    let message = format!("no task is active in `{}`", directory.display());
    Failure::usage("usage::workspace_missing", message)
        .help("create one with `ftl new`, or make a blocked one active again with `ftl reopen`")
}

fn named(arguments: &[PathBuf], options: &BuildOptions) -> Result<Chosen, Failure> {
    let mut chosen = Chosen::default();
    let mut known = BTreeSet::new();
    for argument in arguments {
        let workspace = match lookup(argument, options)? {
            NamedTask::Active(workspace) => workspace,
            NamedTask::Finished(finished) => {
                // The same file may be named by its number and by its path.
                if known.insert(finished.path.clone()) {
                    chosen.finished.push(finished);
                }
                continue;
            }
        };
        if arguments.len() == 1 || known.insert(workspace.real_path()) {
            chosen.active.push(workspace);
        }
    }
    Ok(chosen)
}

enum NamedTask {
    Active(WorkspaceFile),
    Finished(Finished),
}

/// The task that an argument names.
fn lookup(argument: &Path, options: &BuildOptions) -> Result<NamedTask, Failure> {
    match WorkspaceFile::find(argument, options.root.as_deref()) {
        Err(LookupError::Finished { path, status }) => finished(path, status, options),
        found => Ok(NamedTask::Active(found?)),
    }
}

/// A task with a record; ftl may have been killed while it made the task active again, or dropped it.
fn finished(path: PathBuf, status: Status, options: &BuildOptions) -> Result<NamedTask, Failure> {
    let root = options.root.as_deref();
    let layout = find(root, Some(&path))?;
    match reopen::finish(&path, &layout)? {
        None => Ok(NamedTask::Finished(Finished { path, status })),
        Some(now) => match WorkspaceFile::of_path(&now, root) {
            Err(LookupError::Finished { path, status }) => {
                Ok(NamedTask::Finished(Finished { path, status }))
            }
            active => Ok(NamedTask::Active(active?)),
        },
    }
}

impl Finished {
    /// The name that its file has.
    pub(super) fn name(&self) -> Option<WorkspaceName> {
        self.path.file_name()?.to_str()?.parse().ok()
    }
}
