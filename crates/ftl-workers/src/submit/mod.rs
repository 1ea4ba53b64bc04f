//! A request at the coordinator: published, waited for, and its result written where the engine reads it.
//!
//! This is a separate process, which the engine starts in place of the agent: see [`ftl_engine::performer`]. Its
//! standard output is that of the agent, as the worker sends it. Killed in the middle, it leaves the request on the
//! server: the same command takes up the result.

mod printing;
mod taking;
mod waiting;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use ftl_engine::performer::{
    AGAIN, CALL, Call, DONE, Done, NOTICES, REASON, UNREACHABLE, VERSION as CALL_VERSION,
};
use ftl_model::{Digest, Isolation};
use thiserror::Error;
use tokio::task::spawn_blocking;

use crate::access::{Access, ServerError, delay};
use crate::base::HeldBase;
use crate::git::{BaseError, file_error};
use crate::protocol::{
    BaseName, Content, MAX_INLINE, Paths, Presence, Request, Session, Taken, VERSION, version,
};
use crate::server::{Scope, Server, interrupted, json, part};
use waiting::Waiting;

pub(crate) use printing::{AT, at};

/// How requests are submitted.
#[derive(Clone, Debug)]
pub struct Submission {
    /// The server.
    pub access: Access,
    /// A directory of ftl's state for this project.
    pub state: PathBuf,
    /// The project's UUID.
    pub project: String,
    /// Globs of files that are not sent.
    pub exclude: Vec<String>,
    /// The build's process. An interrupt after its end is none of the user's: the same command goes on.
    pub build: u32,
}

/// Why a request has no result.
#[derive(Debug, Error)]
pub enum SubmitError {
    /// The server could not be used.
    #[error("{0}; {help}", help = .0.help())]
    Server(#[from] ServerError),
    /// The base could not be made.
    #[error("{0}{help}", help = secrets_help(.0))]
    Base(#[from] BaseError),
    /// A worker refused it.
    #[error("{0}")]
    Refused(String),
    /// Several workers lost it.
    #[error("workers took the request, and none had a result: {}", listed(.0))]
    Withdrawn(Vec<Taken>),
    /// The server was gone for as long as is waited.
    #[error("{0}; {help}", help = .0.help())]
    Unreachable(ServerError),
    /// Another worker performed it again, and printed something else than was passed on of the first.
    #[error("the output is that of another performance")]
    OtherOutput,
    /// The worker has gone that held the agent's conversation.
    #[error("the worker that held the agent's conversation has gone")]
    SessionLost,
    /// The build has ended, and the same command takes up the result.
    #[error("the build has ended")]
    Abandoned,
    /// The user interrupted.
    #[error("interrupted")]
    Interrupted,
}

impl SubmitError {
    /// The exit code that the engine understands.
    #[must_use]
    pub fn exit(&self) -> i32 {
        match self {
            Self::Unreachable(_) => UNREACHABLE,
            Self::OtherOutput => AGAIN,
            _ => 1,
        }
    }
}

fn listed(all: &[Taken]) -> String {
    all.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

fn secrets_help(error: &BaseError) -> &'static str {
    match error {
        BaseError::Secrets { .. } => {
            "; let git ignore them, add them to git, or name them in `[workers] exclude` in ftl.toml"
        }
        _ => "",
    }
}

/// Performs the call in `dir`. On failure the reason is in a file there.
///
/// # Errors
/// When there is no result.
pub fn submit(dir: &Path, submission: &Submission) -> Result<(), SubmitError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(file_error(dir))?;
    let done = runtime.block_on(perform(dir, submission));
    if let Err(error) = &done {
        drop(fs::write(dir.join(REASON), error.to_string()));
    }
    done
}

async fn perform(dir: &Path, submission: &Submission) -> Result<(), SubmitError> {
    let path = dir.join(CALL);
    let bytes = fs::read(&path).map_err(file_error(&path))?;
    let call: Call =
        serde_json::from_slice(&bytes).map_err(|error| file_error(&path)(error.into()))?;
    let notices = Notices(dir.join(NOTICES));
    let patience = Duration::from_millis(call.patience_ms);
    let repository = submission.state.join("base.git");
    let making = {
        let (call, exclude) = (call.clone(), submission.exclude.clone());
        spawn_blocking(move || HeldBase::make(&call, &repository, &exclude))
    };
    let server = connect(&submission.access, patience, &notices).await?;
    let holder = holder(dir, &call);
    if call.session.is_some() && !is_alive(&server, holder.as_deref()).await? {
        return without_session(dir);
    }
    let base = making.await.map_err(|error| file_error(dir)(error.into()))?;
    let base = Arc::new(base?);
    let commit = base.commit().to_owned();
    let request = request(submission, &call, (commit, holder))?;
    let made = (&call, submission.build);
    let waiting = Waiting::new(&server, &request, made, (dir, Arc::clone(&base)), notices);
    let found = waiting.result().await;
    if let Err(SubmitError::Abandoned) = found {
        return found;
    }
    // What was stored for this request alone.
    let scope = Scope::of_request(&request.id);
    for content in [&request.prompt, &request.body] {
        server.delete(&scope, content).await;
    }
    if let Some(base) = Arc::into_inner(base) {
        let scope = Scope::of_bases(&request.project);
        for digest in base.give_up()? {
            server.delete_object(&scope, digest).await;
        }
    }
    match found {
        Err(SubmitError::SessionLost) => without_session(dir),
        found => found,
    }
}

/// Whether a process has ended.
fn has_ended(process: u32) -> bool {
    match fs::read_to_string(format!("/proc/{process}/stat")) {
        // Killed, and its parent has not noticed.
        Ok(stat) => stat.rsplit(") ").next().is_some_and(|state| state.starts_with(['Z', 'X'])),
        Err(_) => Path::new("/proc/self").exists(),
    }
}

/// Connects, and tries again while the server does not answer.
async fn connect(
    access: &Access,
    patience: Duration,
    notices: &Notices,
) -> Result<Server, SubmitError> {
    let began = Instant::now();
    for attempts in 0.. {
        let said = notices.clone();
        let said = Box::new(move |line: &str| said.add(line));
        let error = match Server::connect(access, "ftl build", said).await {
            Err(error) if error.is_transient() => error,
            server => return Ok(server?),
        };
        let left = patience.saturating_sub(began.elapsed());
        if left.is_zero() {
            return Err(SubmitError::Unreachable(error));
        }
        if attempts == 0 {
            notices.add(&format!("{error}; it is tried again for {} s", left.as_secs()));
        }
        tokio::select! {
            () = tokio::time::sleep(delay(attempts).min(left)) => {}
            () = interrupted() => return Err(SubmitError::Interrupted),
        }
    }
    Err(SubmitError::Interrupted)
}

/// The file of what the user should know at once.
#[derive(Clone)]
struct Notices(PathBuf);

impl Notices {
    fn add(&self, line: &str) {
        let file = fs::OpenOptions::new().create(true).append(true).open(&self.0);
        let line = format!("{}\n", ftl_text::one_line(line));
        // A notice that can't be written changes no result.
        drop(file.and_then(|mut file| file.write_all(line.as_bytes())));
    }
}

/// The worker that performed the last request of this run: it has the conversation.
fn holder(dir: &Path, call: &Call) -> Option<String> {
    let requests = dir.parent()?.parent()?;
    let done = |request: u32| {
        let path = requests.join(request.to_string()).join(dir.file_name()?).join(DONE);
        let done: Done = serde_json::from_slice(&fs::read(path).ok()?).ok()?;
        Some(done.worker)
    };
    (1..call.request).rev().find_map(done)
}

async fn is_alive(server: &Server, worker: Option<&str>) -> Result<bool, ServerError> {
    let Some(worker) = worker else {
        return Ok(false);
    };
    Ok(server.value::<Presence>(&server.workers, &part(worker)).await?.is_some())
}

/// The result of an agent that could not go on with its conversation: the engine asks again without one.
fn without_session(dir: &Path) -> Result<(), SubmitError> {
    let done = Done {
        v: CALL_VERSION,
        worker: String::new(),
        exit: Some(1),
        signal: None,
        timed_out: false,
        isolation: Isolation::Copy,
        files: Vec::new(),
        strays: Vec::new(),
        failure: None,
        warnings: Vec::new(),
    };
    let path = dir.join(DONE);
    fs::write(&path, json(&done)).map_err(file_error(&path))?;
    Ok(())
}

fn request(
    submission: &Submission,
    call: &Call,
    (commit, holder): (String, Option<String>),
) -> Result<Request, SubmitError> {
    let read = |path: &Path| fs::read(path).map_err(file_error(path));
    let (prompt, body) = (read(&call.prompt)?, read(&call.request_file)?);
    let agent = json(&call.agent);
    let all = [prompt.as_slice(), &body, commit.as_bytes(), &agent].join(&0);
    let digest = Digest::of(&all).to_string();
    let below = call.root.strip_prefix(&call.top).unwrap_or(Path::new(""));
    let names = [&*submission.project, &*call.task].map(part).join(".");
    let id = format!("{names}.{}.{}.{}", call.run, call.request, &digest[..16]);
    let mut room = MAX_INLINE;
    Ok(Request {
        v: VERSION,
        ftl: version(),
        id,
        project: submission.project.clone(),
        task: call.task.clone(),
        run: call.run,
        request: call.request,
        phase: call.phase,
        attempt: call.attempt,
        agent: call.agent.clone(),
        delta: call.delta.clone(),
        allowed: call.allowed.clone(),
        base: BaseName { commit, below: below.to_string_lossy().into_owned() },
        prompt: Content::of(&prompt, &mut room),
        body: Content::of(&body, &mut room),
        paths: Paths {
            root: call.root.to_string_lossy().into_owned(),
            workspace: call.workspace.to_string_lossy().into_owned(),
            reply: call.reply.to_string_lossy().into_owned(),
        },
        session: call.session.clone().zip(holder).map(|(id, worker)| Session { id, worker }),
        begun: call.begun.clone(),
        limit_ms: call.limit_ms,
    })
}
