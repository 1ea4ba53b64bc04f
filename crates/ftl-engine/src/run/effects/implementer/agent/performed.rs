//! A call of an agent that another program performs: see [`crate::performer`].

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use ftl_machine::event::Work;
use ftl_model::{DeltaPath, Digest};
use ftl_process::{Command, Ended, Environment, How};
use ftl_store::{Operation, ensure_private_dir_unsynced, unless_missing, write_out_later};

use super::super::AgentListener;
use super::Call;
use crate::performer::{
    AGAIN, CALL, CalledAgent, DONE, Done, DoneFile, FILES, MAX_DONE, NOTICES, Performer, REASON,
    UNREACHABLE, VERSION,
};
use crate::project::read_regular;
use crate::result::Doing;
use crate::run::Fault;
use crate::run::journal::recorder::Recorder;
use crate::run::site::files;
use crate::run::world::World;
use crate::text::{listed, one_line};

/// The directory of a call, beside the workplace: the program may write there, and nowhere in the run.
const DIR: &str = "call";

/// How often a program is run for one call at most.
const MOST_RUNS: u32 = 5;

/// The most bytes of a reason.
const MAX_REASON: u64 = 16 << 10;

/// Which conversation is meant.
pub(super) struct Conversations<'c> {
    pub(super) earlier: Option<&'c str>,
    pub(super) begun: &'c str,
}

/// Has the program perform a call. How the agent ended is what the program reports.
pub(super) fn run(
    call: &Call<'_, '_>,
    performer: &Performer,
    conversations: &Conversations<'_>,
    log: &Path,
    (doing, shown): (Doing, &str),
    recorder: &mut Recorder<'_>,
    listener: &mut AgentListener,
) -> Result<(Ended, Done), Fault> {
    let site = &call.world.site;
    let dir = dir(call.world)?;
    // Those of the same run's earlier requests stay: they say which worker has the conversation.
    let of_run = dir.ancestors().nth(2).filter(|_| call.world.made.requests == 1);
    let old = of_run.unwrap_or(&dir);
    unless_missing(fs::remove_dir_all(old))
        .map_err(|error| Operation::Remove.failed(old, error))?;
    ensure_private_dir_unsynced(files(), &dir)?;
    let asked = serde_json::to_vec(&asked(call, conversations)?);
    let asked = asked.map_err(ftl_store::StoreError::JournalData)?;
    write_out_later(files(), &dir, CALL, &asked)?;
    let words = performer.words.iter().cloned().chain([dir.clone().into_os_string()]);
    let child = Command::new(&performer.program, words)
        .dir(site.root())
        .env(Environment::inherit())
        .grace(site.settings.grace)
        .capture(site.capture(log));
    listener.look_for_notices(dir.join(NOTICES));
    recorder.begins(doing, shown);
    let mut ended = site.run_implementer(&child, recorder, Some(listener))?;
    for _ in 1..MOST_RUNS {
        if ended.how == How::Exit(AGAIN) {
            listener.restart();
            ended = site.run_implementer(&child, recorder, Some(listener))?;
        }
    }
    let done = read(&dir, &ended)?;
    ended.how = match (done.exit, done.signal) {
        (_, Some(signal)) => How::Signal(signal),
        (code, None) => How::Exit(code.unwrap_or(1)),
    };
    ended.timed_out = done.timed_out;
    Ok((ended, done))
}

fn dir(world: &World<'_>) -> Result<PathBuf, Fault> {
    let run = world.site.run.number();
    let place = world.workplace.as_ref().ok_or(Fault::NoWork { run })?;
    let request = world.made.requests.to_string();
    Ok(place.place.dir().with_file_name("calls").join(request).join(DIR))
}

fn asked(
    call: &Call<'_, '_>,
    conversations: &Conversations<'_>,
) -> Result<crate::performer::Call, Fault> {
    let (world, agent) = (call.world, call.agent);
    let settings = world.site.settings;
    let Some(name) = &agent.name else {
        let reason = "only an agent that has a name can be performed".to_owned();
        return Err(Fault::Performer { reason, unreachable: false });
    };
    let top = world.root_tree().top().to_owned();
    let copy = world.copy().top().to_owned();
    Ok(crate::performer::Call {
        v: VERSION,
        task: world
            .site
            .run
            .dir()
            .parent()
            .and_then(Path::file_name)
            .map_or_else(String::new, |id| id.to_string_lossy().into_owned()),
        run: world.site.run.number(),
        request: world.made.requests,
        phase: call.request.phase,
        attempt: call.request.attempt,
        agent: CalledAgent {
            name: name.clone(),
            model: agent.model.clone(),
            effort: agent.effort.clone(),
            output: agent.events().name().to_owned(),
        },
        delta: world.brief().paths().map(ToString::to_string).collect(),
        allowed: settings.tree.allow.clone(),
        root: world.site.root().to_owned(),
        top,
        copy,
        workspace: std::path::absolute(&world.source.path)
            .unwrap_or_else(|_| world.source.path.clone()),
        prompt: call.dir.join("prompt.md"),
        request_file: call.request_file.to_owned(),
        reply: call.dir.join(super::REPLY),
        session: conversations.earlier.map(str::to_owned),
        begun: conversations.begun.to_owned(),
        limit_ms: u64::try_from(settings.requests.limit.as_millis()).unwrap_or(u64::MAX),
        patience_ms: u64::try_from(settings.requests.patience.as_millis()).unwrap_or(u64::MAX),
    })
}

/// How the call ended, by what the program wrote.
fn read(dir: &Path, ended: &Ended) -> Result<Done, Fault> {
    let unreachable = ended.how == How::Exit(UNREACHABLE);
    let failed = |reason: String| Fault::Performer { reason, unreachable };
    let bytes = match read_regular(&dir.join(DONE), MAX_DONE) {
        Ok(bytes) if ended.how == How::Exit(0) && bytes.len() as u64 <= MAX_DONE => bytes,
        _ => return Err(failed(reason(dir, ended))),
    };
    let done: Done = serde_json::from_slice(&bytes)
        .map_err(|error| failed(format!("the result cannot be read: {error}")))?;
    if done.v != VERSION {
        let (theirs, ours) = (done.v, VERSION);
        return Err(failed(format!(
            "the result is of version {theirs}, and this ftl reads {ours}"
        )));
    }
    Ok(done)
}

fn reason(dir: &Path, ended: &Ended) -> String {
    let said = read_regular(&dir.join(REASON), MAX_REASON).unwrap_or_default();
    let said = String::from_utf8_lossy(&said);
    match (said.trim(), ended.how) {
        ("", How::Exit(code)) => format!("the program ended with exit {code} and no result"),
        ("", How::Signal(signal)) => format!("signal {signal} ended the program"),
        (said, _) => one_line(said),
    }
}

/// Lays the files of a result into the workplace, where the work of any other request would be. A path
/// that is neither in the delta nor allowed is a stray by its name.
pub(in crate::run) fn lay_in(world: &World<'_>, done: &Done) -> Result<Vec<String>, Fault> {
    let (tree, dir) = (world.copy(), dir(world)?.join(FILES));
    let delta: BTreeSet<&DeltaPath> = world.brief().paths().collect();
    let mut strays = Vec::new();
    for file in &done.files {
        let path = DeltaPath::parse(&file.path).ok();
        match path.filter(|path| delta.contains(path) || tree.allows(path)) {
            Some(path) => match content(&dir, file)? {
                Some((bytes, executable)) => {
                    tree.write(&path, &bytes, Some(tree.permissions(&path, executable)?))?;
                }
                None => tree.remove(&path)?,
            },
            None => strays.push(one_line(&file.path)),
        }
    }
    strays.extend(done.strays.iter().map(|path| one_line(path)));
    Ok(strays)
}

/// The bytes of a file, if they are those that the result names, and whether it is executable.
fn content(dir: &Path, file: &DoneFile) -> Result<Option<(Vec<u8>, bool)>, Fault> {
    let (Some(mode), Some(sha256)) = (file.mode, file.sha256) else {
        return Ok(None);
    };
    let from = dir.join(sha256.to_string());
    let bytes = fs::read(&from).map_err(|error| Operation::Read.failed(&from, error))?;
    if Digest::of(&bytes) != sha256 {
        let reason = format!("the bytes of `{}` are not those of its digest", one_line(&file.path));
        return Err(Fault::Performer { reason, unreachable: false });
    }
    Ok(Some((bytes, mode & 0o100 != 0)))
}

/// Adds what a result reports beside its files.
pub(in crate::run) fn add_to(work: &mut Work, done: &Done, strays: Vec<String>) {
    if !strays.is_empty() {
        work.warnings.push(format!(
            "written outside the delta by the worker `{}`, and left there: {}",
            one_line(&done.worker),
            listed(&strays)
        ));
        work.strays.extend(strays);
    }
    work.warnings.extend(done.warnings.iter().map(|warning| one_line(warning)));
    work.failure = work.failure.take().or_else(|| done.failure.as_deref().map(one_line));
    work.isolation = Some(done.isolation);
}
