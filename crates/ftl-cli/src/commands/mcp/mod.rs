//! `ftl mcp`: a task's tools for an agent, by the Model Context Protocol on standard input and output.
//!
//! A separate thread speaks the protocol (`server.rs`); this one calls the tools, one after the other, since
//! only one command of a project is to run at a time. It ends with its client, or on a signal.

mod project;
mod server;

use std::env;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use ftl_engine::project::{WorkspaceFile, find};
use ftl_engine::tools::{Tool, Toolbox};

use super::build;
use crate::CommandResult;
use crate::args::McpArgs;
use crate::config::Config;
use crate::failure::Failure;
use crate::globals;
use project::{Project, ProjectTool};
use server::{Job, Served, Server};

/// What an agent should know of a project in which none or several tasks are active.
const WITHOUT_TASK: &str = "These tools are of a project of ftl. Create a task with `new_task`, do it, and let \
    `build_task` decide whether it is done; `tasks` lists what there is.";

/// How often to look for a request to end.
const TURN: Duration = Duration::from_millis(100);

/// Serves until the client is gone.
pub(crate) fn run(args: &McpArgs) -> CommandResult {
    let place = ServedTask::of(args)?;
    let layout = match &place {
        Some(place) => place.workspace.layout.clone(),
        None => find(globals::root(), None)?,
    };
    let settings = build::settings_of(layout.root())?;
    let request = place.as_ref().and_then(|place| place.request.as_deref());
    let is_in_build = request.is_some();
    let toolbox = place.as_ref().map(|it| Toolbox::open(&it.workspace, request, settings));
    let mut toolbox = toolbox.transpose()?;
    // An agent of a build has the task already, and makes and builds none.
    let mut tools = Vec::new();
    if toolbox.is_some() {
        let own = Tool::ALL.into_iter().filter(|tool| !is_in_build || *tool != Tool::Task);
        tools.extend(own.map(Served::Task));
    }
    if !is_in_build {
        tools.extend(ProjectTool::ALL.map(Served::Project));
    }
    let introduction = match &toolbox {
        Some(toolbox) => toolbox.introduction(),
        None => WITHOUT_TASK.to_owned(),
    };
    let project = Project::new(layout.root(), Config::load(globals::config(), layout.root())?);
    let (jobs, queue) = mpsc::channel::<Job>();
    let server = Server::new(introduction, tools, jobs);
    let serving = thread::Builder::new()
        .name("mcp".into())
        .spawn(move || server.serve())
        .map_err(|error| Failure::failed("mcp::thread", error.to_string()))?;
    loop {
        match queue.recv_timeout(TURN) {
            Ok(job) => {
                let answer = match (job.tool, &mut toolbox) {
                    (Served::Project(tool), _) => {
                        project.call(tool, job.arguments, &job.is_cancelled)
                    }
                    (Served::Task(tool), Some(toolbox)) => {
                        toolbox.call(tool, job.arguments, &job.is_cancelled)
                    }
                    // Such a tool is not offered.
                    (Served::Task(_), None) => continue,
                };
                // A client that is gone does not wait for the answer.
                drop(job.answer.send(answer));
            }
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {
                if let Some(signal) = ftl_process::interrupted() {
                    return Ok(u8::try_from(128 + signal).unwrap_or(u8::MAX));
                }
            }
        }
    }
    match serving.join() {
        Ok(Ok(())) => Ok(0),
        Ok(Err(why)) => Err(Failure::failed("mcp::transport", why)
            .help("start `ftl mcp` from a client of the Model Context Protocol")),
        Err(_) => Err(Failure::failed("mcp::thread", "the server ended unexpectedly")),
    }
}

/// Whom the tools are for.
struct ServedTask {
    workspace: WorkspaceFile,
    request: Option<PathBuf>,
}

impl ServedTask {
    /// The task of a build, else the one that is named, else the only active one.
    fn of(args: &McpArgs) -> Result<Option<Self>, Failure> {
        let asked = Asked::by_environment().filter(|_| args.request.is_none());
        let Some(asked) = asked else {
            let request = args.request.clone();
            if args.workspace.is_none() && request.is_none() {
                let active = WorkspaceFile::all_active(&find(globals::root(), None)?)?;
                let only = <[WorkspaceFile; 1]>::try_from(active).ok();
                return Ok(only.map(|[workspace]| Self { workspace, request }));
            }
            return Ok(Some(Self { workspace: workspace(args)?, request }));
        };
        let workspace = WorkspaceFile::find(&asked.workspace, Some(&asked.root))?;
        if args.workspace.is_some() || globals::root().is_some() {
            let named = self::workspace(args)?;
            if named.real_path() != workspace.real_path() {
                return Err(other_task(&named, &workspace));
            }
        }
        Ok(Some(Self { workspace, request: Some(asked.request) }))
    }
}

/// The environment that a build gives its agent and the agent's children.
struct Asked {
    root: PathBuf,
    workspace: PathBuf,
    request: PathBuf,
}

impl Asked {
    fn by_environment() -> Option<Self> {
        let path = |name| env::var_os(name).map(PathBuf::from);
        Some(Self {
            root: path("FTL_ROOT")?,
            workspace: path("FTL_WORKSPACE")?,
            request: path("FTL_REQUEST")?,
        })
    }
}

/// The active task that is named, or the only one.
fn workspace(args: &McpArgs) -> Result<WorkspaceFile, Failure> {
    let root = globals::root();
    if let Some(named) = &args.workspace {
        return Ok(WorkspaceFile::find(named, root)?);
    }
    only_active(root)
}

/// The only active task of a project.
pub(crate) fn only_active(root: Option<&Path>) -> Result<WorkspaceFile, Failure> {
    let active = WorkspaceFile::all_active(&find(root, None)?)?;
    let count = active.len();
    let ids: Vec<String> = active.iter().map(|task| format!("`{}`", task.id())).collect();
    let mut active = active.into_iter();
    match (active.next(), count) {
        (Some(task), 1) => Ok(task),
        (Some(_), _) => Err(Failure::usage(
            "usage::workspace_missing",
            format!("{count} tasks are active: {}", ids.join(", ")),
        )
        .help("name one of them")),
        (None, _) => Err(Failure::usage("usage::workspace_missing", "no task is active")
            .help("create one with `ftl new`")),
    }
}

fn other_task(named: &WorkspaceFile, asked: &WorkspaceFile) -> Failure {
    let message = format!(
        "a build waits for an agent that works on `{}`, and not on `{}`",
        asked.id(),
        named.id()
    );
    Failure::usage("usage::in_request", message).help("leave the task out: the build has named it")
}
