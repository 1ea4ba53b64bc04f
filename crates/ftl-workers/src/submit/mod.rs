//! A request at the coordinator: published, waited for, and its result written where the engine reads it.
//!
//! This is a separate process, which the engine starts in place of the agent: see [`ftl_engine::performer`]. Its
//! standard output is that of the agent, as the worker sends it. Killed in the middle, it leaves the request on the
//! server: the same command takes up the result.

mod waiting;

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use ftl_engine::performer::{CALL, Call, DONE, Done, FILES, REASON, VERSION as CALL_VERSION};
use ftl_model::{Digest, Isolation};
use thiserror::Error;
use tokio::signal::unix::{SignalKind, signal};

use crate::access::{Access, ServerError, delay};
use crate::base::{self, TravelError};
use crate::git::{BaseError, file_error};
use crate::protocol::{
    BaseName, Content, End, Outcome, Paths, Presence, Request, Session, VERSION, Work, version,
};
use crate::server::{Server, json, part};
use waiting::Waiting;

pub(crate) use waiting::AT;

/// How long the server may be gone.
const PATIENCE: Duration = Duration::from_secs(60 * 60);

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
    #[error("the workers {} took the request, and none had a result", .0.join(", "))]
    Withdrawn(Vec<String>),
    /// A result is not what it should be.
    #[error("the result of the worker `{worker}` is not used: {why}")]
    Unusable {
        /// Its name.
        worker: String,
        /// What is wrong.
        why: String,
    },
    /// The worker has gone that held the agent's conversation.
    #[error("the worker that held the agent's conversation has gone")]
    SessionLost,
    /// The user interrupted.
    #[error("interrupted")]
    Interrupted,
}

impl From<TravelError> for SubmitError {
    fn from(error: TravelError) -> Self {
        match error {
            TravelError::Server(error) => error.into(),
            TravelError::Base(error) => error.into(),
        }
    }
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
    let server = connect(&submission.access).await?;
    let holder = holder(dir, &call);
    if call.session.is_some() && !is_alive(&server, holder.as_deref()).await? {
        return without_session(dir);
    }
    let request = request(&server, submission, &call, holder).await?;
    let waiting = Waiting::new(&server, &request, dir);
    let (outcome, name) = match waiting.result().await {
        Err(SubmitError::SessionLost) => return without_session(dir),
        found => found?,
    };
    take(&server, dir, &call, &outcome).await?;
    // What was stored for this request alone.
    server.delete_object(&name.sha256.to_string()).await;
    Ok(())
}

/// Connects, and tries again while the server does not answer.
async fn connect(access: &Access) -> Result<Server, SubmitError> {
    let began = Instant::now();
    for attempts in 0.. {
        match Server::connect(access, "ftl build").await {
            Err(error) if error.is_transient() && began.elapsed() < PATIENCE => {
                eprint(&format!("{error}; trying again"));
                tokio::select! {
                    () = tokio::time::sleep(delay(attempts)) => {}
                    () = interrupted() => return Err(SubmitError::Interrupted),
                }
            }
            server => return Ok(server?),
        }
    }
    Err(SubmitError::Interrupted)
}

/// A line among those of the agent: it shows where the agent's last line would.
fn eprint(line: &str) {
    drop(writeln!(io::stderr().lock(), "ftl: {line}"));
}

async fn interrupted() {
    let all = [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()].map(signal);
    let [Ok(mut int), Ok(mut term), Ok(mut hup)] = all else {
        return std::future::pending().await;
    };
    tokio::select! {
        _ = int.recv() => {}
        _ = term.recv() => {}
        _ = hup.recv() => {}
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
    let presence: Option<Presence> = server.value(&server.workers, &part(worker)).await?;
    Ok(presence.is_some())
}

/// The result of an agent that could not go on with its conversation: the engine asks again without one.
fn without_session(dir: &Path) -> Result<(), SubmitError> {
    let done = Done {
        v: CALL_VERSION,
        worker: String::new(),
        exit: Some(1),
        signal: None,
        timed_out: false,
        isolation: Isolation::Off,
        files: Vec::new(),
        strays: Vec::new(),
        failure: None,
        warnings: Vec::new(),
    };
    let path = dir.join(DONE);
    fs::write(&path, json(&done)).map_err(file_error(&path))?;
    Ok(())
}

async fn request(
    server: &Server,
    submission: &Submission,
    call: &Call,
    holder: Option<String>,
) -> Result<Request, SubmitError> {
    let repository = submission.state.join("base.git");
    let commit = {
        let _held = base::hold(&repository)?;
        let commit = base::make(call, &repository, &submission.exclude)?;
        base::store(server, &repository, &commit).await?;
        commit
    };
    let read = |path: &Path| fs::read(path).map_err(file_error(path));
    let (prompt, body) = (read(&call.prompt)?, read(&call.request_file)?);
    let agent = json(&call.agent);
    let all = [prompt.as_slice(), &body, commit.as_bytes(), &agent].join(&0);
    let digest = Digest::of(&all).to_string();
    let below = call.root.strip_prefix(&call.top).unwrap_or(Path::new(""));
    let names = [&*submission.project, &*call.task].map(part).join(".");
    Ok(Request {
        v: VERSION,
        ftl: version(),
        id: format!("{names}.{}.{}.{}", call.run, call.request, &digest[..16]),
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
        prompt: server.content(prompt).await?,
        body: server.content(body).await?,
        paths: Paths {
            root: call.root.to_string_lossy().into_owned(),
            reply: call.reply.to_string_lossy().into_owned(),
        },
        session: call.session.clone().zip(holder).map(|(id, worker)| Session { id, worker }),
        begun: call.begun.clone(),
        limit_ms: call.limit_ms,
    })
}

/// Writes a result where the engine reads it, after a look at everything that the engine does not look at.
async fn take(
    server: &Server,
    dir: &Path,
    call: &Call,
    outcome: &Outcome,
) -> Result<(), SubmitError> {
    let work = match &outcome.end {
        End::Done(work) => work,
        End::Refused(reason) => return Err(SubmitError::Refused(reason.clone())),
        End::Withdrawn(workers) => return Err(SubmitError::Withdrawn(workers.clone())),
    };
    let files = dir.join(FILES);
    fs::create_dir_all(&files).map_err(file_error(&files))?;
    let wanted: BTreeSet<String> =
        work.done.files.iter().filter_map(|file| Some(file.sha256?.to_string())).collect();
    for name in wanted {
        let content = content_of(work, &name, &outcome.worker)?;
        let bytes = server.bytes(content).await?;
        let path = files.join(&name);
        fs::write(&path, bytes).map_err(file_error(&path))?;
    }
    if let Some(reply) = &work.reply {
        let bytes = server.bytes(reply).await?;
        fs::write(&call.reply, bytes).map_err(file_error(&call.reply))?;
    }
    let done = Done { worker: outcome.worker.clone(), ..work.done.clone() };
    let path = dir.join(DONE);
    fs::write(&path, json(&done)).map_err(file_error(&path))?;
    Ok(())
}

fn content_of<'w>(work: &'w Work, name: &str, worker: &str) -> Result<&'w Content, SubmitError> {
    work.contents.get(name).ok_or_else(|| SubmitError::Unusable {
        worker: worker.to_owned(),
        why: "it lacks the bytes of a file".to_owned(),
    })
}
