//! One request at a worker: the agent on a view over the checkout, and what it wrote.
//!
//! This is a separate process, which the worker starts for each request: so it can be ended with all that the agent
//! started, and the end of one request touches no other. Its standard output is the agent's, without secrets.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use ftl_agents::{Agent, Request as Wanted, Session as Conversation};
use ftl_engine::performer::{DONE, Done, DoneFile, FILES, REASON, VERSION};
use ftl_engine::project::Layout;
use ftl_engine::run::{
    Fault, Implementer, Placed, Relocating, Settings, Setup, place, redacting, relocated,
};
use ftl_model::{DeltaPath, Digest};
use ftl_process::{
    Capture, Command, Ended, Environment, Group, How, Observer, StartError, Trail, View,
};
use ftl_text::Redactor;
use ftl_tree::workplace::Workplace;
use ftl_tree::{Changes, DeltaChange, Settings as TreeSettings, Tree, TreeError};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::protocol::{MAX_FILE, MAX_FILES, MAX_LOG, MAX_REPLY, Request};
use crate::setup::{SetupError, set_up};

/// The file that says what is to be done, in the directory of the job.
pub(crate) const JOB: &str = "job.json";
/// What the agent printed.
pub(crate) const LOG: &str = "agent.log";
/// The agent's reply.
pub(crate) const REPLY: &str = "reply.json";

/// What is to be done.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Job {
    pub(crate) request: Request,
    pub(crate) worker: String,
    /// The checkout of the request's base.
    pub(crate) tree: PathBuf,
    /// The text of the prompt.
    pub(crate) prompt: String,
    /// The request for agents that read JSON.
    pub(crate) body: String,
    /// The slot of the worker.
    pub(crate) slot: u32,
}

/// Where and how the agent of a job runs.
#[derive(Debug)]
pub struct Means<'m> {
    /// The agent, by the worker's own configuration.
    pub agent: &'m Agent,
    /// Its environment.
    pub env: Environment,
    /// The worker's secrets.
    pub redactor: &'m Redactor,
    /// This program, whose first argument `view` enters a view.
    pub program: PathBuf,
    /// Runs first, whenever one of its files changed.
    pub setup: Option<&'m Setup>,
}

/// Why a job has no result.
#[derive(Debug, Error)]
pub enum PerformError {
    /// The job, or a file of it, could not be read or written.
    #[error("cannot use `{}`: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The checkout could not be looked at.
    #[error(transparent)]
    Tree(#[from] TreeError),
    /// No workplace can be had.
    #[error(transparent)]
    Place(#[from] Fault),
    /// The agent could not be started.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The checkout is not prepared.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// A file is too large to be sent.
    #[error("`{path}` is larger than 256 MiB, or all files are larger than 1 GiB")]
    TooLarge {
        /// From the root.
        path: String,
    },
    /// The worker was asked to end it.
    #[error("the request was cancelled")]
    Interrupted,
}

fn file_error(path: &Path) -> impl FnOnce(io::Error) -> PerformError {
    move |source| PerformError::File { path: path.to_owned(), source }
}

/// The name of the agent that a job is for.
///
/// # Errors
/// When the job cannot be read.
pub fn agent_of(dir: &Path) -> Result<(String, Option<String>, Option<String>), PerformError> {
    let agent = read(dir)?.request.agent;
    Ok((agent.name, agent.model, agent.effort))
}

fn read(dir: &Path) -> Result<Job, PerformError> {
    let path = dir.join(JOB);
    let bytes = fs::read(&path).map_err(file_error(&path))?;
    serde_json::from_slice(&bytes).map_err(|error| file_error(&path)(error.into()))
}

/// Performs the job in `dir`, and leaves its result there, or the reason why there is none.
///
/// # Errors
/// When there is no result.
pub fn perform(dir: &Path, means: &Means<'_>) -> Result<(), PerformError> {
    let done = perform_job(dir, means);
    if let Err(error) = &done {
        let said = means.redactor.text(&ftl_text::with_causes(error));
        drop(fs::write(dir.join(REASON), said));
    }
    done
}

fn perform_job(dir: &Path, means: &Means<'_>) -> Result<(), PerformError> {
    let job = read(dir)?;
    if let Some(setup) = means.setup {
        let limit = Duration::from_millis(job.request.limit_ms);
        set_up(setup, &job.tree, &dir.join("setup.log"), limit)?;
    }
    let delta: Vec<DeltaPath> =
        job.request.delta.iter().filter_map(|path| DeltaPath::parse(path).ok()).collect();
    let settings = TreeSettings { allow: job.request.allowed.clone(), ..TreeSettings::default() };
    let root = job.tree.join(&job.request.base.below);
    let tree = Tree::open(&root, &delta, settings)?;
    let placed = placed(&root, dir, means, &tree)?;
    let at = dir.with_file_name(format!("workplace-{}", job.slot));
    let mut workplace = Workplace::open(&at, placed.placement())?;
    workplace.refresh(&tree)?;
    let copy = workplace.tree(&tree)?;
    let before = copy.save(&[], &delta, &dir.join("before"))?;
    let view = placed.view(&workplace.mounts(&tree)?, &dir.join("report"));
    let seen = if view.is_some() { tree.root() } else { copy.root() };
    let call = AgentCall { job: &job, dir, means, root: seen };
    let ended = call.run(view)?;
    let changes = workplace.changes(&tree, &before, &[])?;
    if ended.interrupted.is_some() {
        return Err(PerformError::Interrupted);
    }
    let mut done = Done {
        v: VERSION,
        worker: job.worker.clone(),
        exit: None,
        signal: None,
        timed_out: ended.timed_out,
        isolation: placed.word(),
        files: files(copy.root(), &changes, dir)?,
        strays: changes.strays.iter().map(|stray| tree.shown(&stray.path)).collect(),
        failure: odd(&changes),
        warnings: Vec::new(),
    };
    match ended.how {
        How::Exit(code) => done.exit = Some(code),
        How::Signal(signal) => done.signal = Some(signal),
    }
    call.hide_reply()?;
    let path = dir.join(DONE);
    fs::write(&path, crate::server::json(&done)).map_err(file_error(&path))
}

struct AgentCall<'c> {
    job: &'c Job,
    dir: &'c Path,
    means: &'c Means<'c>,
    /// The root's path as the agent sees it.
    root: &'c Path,
}

/// How the workplace of a job is placed.
fn placed(root: &Path, dir: &Path, means: &Means<'_>, tree: &Tree) -> Result<Placed, Fault> {
    let mut settings = Settings::new(root.to_owned(), Implementer::Tree { base: None });
    settings.layout = Layout::new(root).with_state(Some(dir.join("state")));
    settings.requests.view = Some(means.program.clone());
    place(&settings, tree)
}

impl AgentCall<'_> {
    /// Takes this machine's secrets and paths out of the agent's reply.
    fn hide_reply(&self) -> Result<(), PerformError> {
        let path = self.dir.join(REPLY);
        let is_file = |it: fs::Metadata| it.is_file() && it.len() <= MAX_REPLY;
        if !path.symlink_metadata().is_ok_and(is_file) {
            return Ok(());
        }
        let reply = fs::read(&path).map_err(file_error(&path))?;
        let (own, other) = (self.root.to_string_lossy(), &self.job.request.paths.root);
        let reply = self.means.redactor.text(&String::from_utf8_lossy(&reply));
        fs::write(&path, relocated(&reply, &own, other)).map_err(file_error(&path))
    }

    fn run(&self, view: Option<View>) -> Result<Ended, PerformError> {
        let (request, agent) = (&self.job.request, self.means.agent);
        let (reply, prompt_file) = (self.dir.join(REPLY), self.dir.join("prompt.md"));
        let root = self.root.to_string_lossy().into_owned();
        let workspace = relocated(&request.paths.workspace, &request.paths.root, &root);
        let replied = reply.to_string_lossy();
        let here = |text: &str| {
            let text = relocated(text, &request.paths.reply, &replied);
            relocated(&text, &request.paths.root, &root)
        };
        let task = here(&self.job.prompt);
        let request_file = self.dir.join("request.json");
        for (path, text) in [(&prompt_file, &task), (&request_file, &here(&self.job.body))] {
            fs::write(path, text).map_err(file_error(path))?;
        }
        let delta: Vec<&str> = request.delta.iter().map(String::as_str).collect();
        let session = match &request.session {
            Some(session) => Conversation::Resume(&session.id),
            None => Conversation::Begin(&request.begun),
        };
        let started = agent.command(&Wanted {
            delta: &delta,
            allowed: &request.allowed,
            root: &root,
            in_git: true,
            length: task.len(),
            session,
        });
        if let Some(policy) = &started.policy {
            let path = self.dir.join("policy.toml");
            fs::write(&path, policy).map_err(file_error(&path))?;
        }
        let set = self.means.env.resolve();
        let unset = started
            .env
            .iter()
            .filter(|(name, _)| !set.contains_key(OsStr::new(name)) || name.starts_with("FTL_"));
        let env = unset.fold(self.means.env.clone(), |env, (name, value)| env.set(*name, value));
        let env = env
            .set("FTL_PROMPT", &prompt_file)
            .set("FTL_PHASE", request.phase.as_str())
            .set("FTL_ATTEMPT", request.attempt.to_string())
            .set("FTL_ROOT", &root)
            .set("FTL_WORKSPACE", &workspace)
            .set("FTL_REQUEST", &request_file)
            .set("FTL_REPLY", &reply)
            .set("FTL_SLOT", self.job.slot.to_string());
        let words = std::iter::once("ftl").chain(delta.iter().copied()).map(OsStr::new);
        let capture = Capture::default().spill_up_to(self.dir.join(LOG), MAX_LOG);
        let shown = Relocating::new(redacting(self.means.redactor), &root, &request.paths.root);
        let mut command = Command::shell(&started.command, words)
            .dir(self.root)
            .env(env)
            .input(task.into_bytes())
            .time_limit(Some(Duration::from_millis(request.limit_ms)))
            .capture(capture.filtered(Arc::new(shown)));
        if let Some(view) = view {
            command = command.within(view);
        }
        match command.run_observed(&mut Printing) {
            Err(StartError::Interrupted { .. }) => Err(PerformError::Interrupted),
            ended => Ok(ended?),
        }
    }
}

/// Prints what the agent prints, as it comes.
struct Printing;

impl Observer for Printing {
    fn starts(&mut self, _: &Trail) -> io::Result<()> {
        Ok(())
    }

    fn started(&mut self, _: &Group) -> io::Result<()> {
        Ok(())
    }

    fn listens(&self) -> bool {
        true
    }

    fn hear(&mut self, bytes: &[u8]) {
        let mut out = io::stdout().lock();
        // A worker that reads nothing has ended, and this process ends with it.
        drop(out.write_all(bytes).and_then(|()| out.flush()));
    }
}

/// A delta file that has become a link, a directory or a pipe is not sent.
fn odd(changes: &Changes) -> Option<String> {
    let (path, _) = changes.delta.iter().find(|(_, change)| change.now.is_odd())?;
    Some(format!("`{path}` is no longer a regular file"))
}

/// Copies the changed files of the delta, and those that are allowed, beside the job.
fn files(root: &Path, changes: &Changes, dir: &Path) -> Result<Vec<DoneFile>, PerformError> {
    let to = dir.join(FILES);
    fs::create_dir_all(&to).map_err(file_error(&to))?;
    let is_sent = |change: &DeltaChange| change.change.is_some() && !change.now.is_odd();
    let delta = changes.delta.iter().filter(|(_, change)| is_sent(change));
    let delta = delta.map(|(path, _)| path.to_string());
    let allowed = changes.allowed.iter().map(ToString::to_string);
    let mut room = MAX_FILES;
    delta.chain(allowed).map(|path| one_file(root, path, &to, &mut room)).collect()
}

fn one_file(
    root: &Path,
    path: String,
    to: &Path,
    room: &mut u64,
) -> Result<DoneFile, PerformError> {
    use std::os::unix::fs::PermissionsExt;
    let full = root.join(&path);
    let found = match full.symlink_metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Ok(DoneFile { path, mode: None, sha256: None });
        }
        found => found.map_err(file_error(&full))?,
    };
    let Some(left) = room.checked_sub(found.len()).filter(|_| found.len() <= MAX_FILE) else {
        return Err(PerformError::TooLarge { path });
    };
    *room = left;
    let bytes = fs::read(&full).map_err(file_error(&full))?;
    let digest = Digest::of(&bytes);
    let copy = to.join(digest.to_string());
    fs::write(&copy, bytes).map_err(file_error(&copy))?;
    Ok(DoneFile { path, mode: Some(found.permissions().mode() & 0o777), sha256: Some(digest) })
}
