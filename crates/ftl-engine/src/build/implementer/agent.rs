//! An agent command: a shell command that gets the task on standard input and writes the delta.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use ftl_model::{DeltaPath, Failure};
use ftl_process::{Capture, Command, Ended, Environment, How};
use serde_json::{Value, json};

use ftl_xml::{ParsedFailure, ParsedWorkspace};

use super::{Answer, prompt, reply};
use crate::build::Fault;
use crate::build::chronicle::Chronicle;
use crate::build::output::left_behind;
use crate::build::world::World;
use crate::json::{AgentRequest, Asked, FoundIn, LastVerify, Ledger, Tests};
use crate::machine::Request;
use crate::store::{ensure_dir, write_out};

/// What an agent is told by its environment; none of it reaches a verify.
pub(in crate::build) const VARIABLES: [&str; 7] = [
    "FTL_PROMPT",
    "FTL_PHASE",
    "FTL_ATTEMPT",
    "FTL_ROOT",
    "FTL_WORKSPACE",
    "FTL_REQUEST",
    "FTL_REPLY",
];

/// Asks the agent.
pub(in crate::build) fn ask(
    world: &World<'_>,
    request: &Request,
    number: u32,
    command: &str,
    tests: &Option<String>,
    failure: Option<&Failure>,
    chronicle: &mut Chronicle<'_>,
) -> Result<Answer, Fault> {
    let dir = world.run().dir().join("requests").join(number.to_string());
    ensure_dir(World::files(), &dir)?;
    let tests = tests.as_deref().and_then(|path| {
        fs::read_to_string(world.root().join(path))
            .ok()
            .map(|text| (path, text))
    });
    let task = prompt::write(world, request, tests.as_ref(), failure);
    let prompt_file = write_out(World::files(), &dir, "prompt.md", task.as_bytes())?.path;
    let body = request_json(world, request, tests.as_ref(), failure).to_string();
    let request_file = write_out(World::files(), &dir, "request.json", body.as_bytes())?.path;
    let reply_file = dir.join("reply.json");
    remove(&reply_file);
    let env = world
        .settings
        .agent_env
        .clone()
        .set("FTL_PROMPT", &prompt_file)
        .set("FTL_PHASE", request.phase.as_str())
        .set("FTL_ATTEMPT", request.attempt.to_string())
        .set("FTL_ROOT", world.root())
        .set("FTL_WORKSPACE", absolute(&world.path))
        .set("FTL_REQUEST", &request_file)
        .set("FTL_REPLY", &reply_file);
    let ended = run(
        world,
        command,
        env,
        task.into_bytes(),
        &dir.join("agent.log"),
        chronicle,
    )?;
    let mut answer = reply::read(&reply_file, &delta(world));
    answer.failure = failure_of("the agent", &ended, world.settings.agent_limit);
    answer.warnings.extend(left_behind("the agent", &ended));
    Ok(answer)
}

/// Runs a fix that is a command. It is nobody's agent: it gets no task and gives no reply.
pub(in crate::build) fn run_fix(
    world: &World<'_>,
    number: u32,
    command: &str,
    chronicle: &mut Chronicle<'_>,
) -> Result<Answer, Fault> {
    let dir = world.run().dir().join("requests").join(number.to_string());
    ensure_dir(World::files(), &dir)?;
    let env = without_variables(world.settings.agent_env.clone());
    let ended = run(
        world,
        command,
        env,
        Vec::new(),
        &dir.join("fix.log"),
        chronicle,
    )?;
    let failure = failure_of("the fix command", &ended, world.settings.agent_limit);
    Ok(Answer {
        failure,
        warnings: left_behind("the fix command", &ended),
        ..Answer::default()
    })
}

/// An environment that tells nothing of agents.
pub(in crate::build) fn without_variables(env: Environment) -> Environment {
    VARIABLES.iter().fold(env, |env, name| env.remove(*name))
}

fn run(
    world: &World<'_>,
    command: &str,
    env: Environment,
    input: Vec<u8>,
    log: &Path,
    chronicle: &mut Chronicle<'_>,
) -> Result<Ended, Fault> {
    let delta = delta(world);
    let delta = delta.iter().map(|path| OsStr::new(path.as_str()));
    let child = Command::shell(command, std::iter::once(OsStr::new("ftl")).chain(delta))
        .dir(world.root())
        .env(env)
        .input(input)
        .time_limit(Some(world.settings.agent_limit))
        .grace(world.settings.grace)
        .capture(Capture::default().spill(log));
    chronicle.listener().begins("waiting for the implementer");
    world.run_child(&child, chronicle)
}

fn delta(world: &World<'_>) -> Vec<DeltaPath> {
    let texts = world.workspace.delta.iter().flatten();
    texts
        .filter_map(|text| DeltaPath::parse(text).ok())
        .collect()
}

/// Why a child counts as failed, if it does.
fn failure_of(who: &str, ended: &Ended, limit: Duration) -> Option<String> {
    if ended.timed_out {
        return Some(format!(
            "{who} did not end within {} s",
            limit.as_secs_f64()
        ));
    }
    match ended.how {
        How::Exit(0) => None,
        How::Exit(code @ (126 | 127)) => {
            Some(format!("{who} could not be run by the shell (exit {code})"))
        }
        How::Exit(code) => Some(format!("{who} ended with exit {code}")),
        How::Signal(signal) => Some(format!("{who} was ended by signal {signal}")),
    }
}

fn request_json(
    world: &World<'_>,
    request: &Request,
    tests: Option<&(&str, String)>,
    failure: Option<&Failure>,
) -> Value {
    let budget = request.budget;
    let found = request.checks.iter().flat_map(|check| {
        let path = check.path.as_str();
        let found = check.diagnostics.iter();
        found.map(move |found| FoundIn { path, found })
    });
    json!(AgentRequest {
        asked: Asked {
            phase: request.phase,
            attempt: request.attempt,
        },
        workspace: ParsedWorkspace::new(&world.workspace, true),
        tests: tests.map(|(path, content)| Tests { path, content }),
        diagnostics: found.collect(),
        verify: request.verification.as_ref().map(|verify| LastVerify {
            command: &verify.command,
            exit: verify.exit,
            output: &verify.output,
        }),
        failure: failure.map(|failure| ParsedFailure::new(failure, true)),
        budget: Ledger {
            total: budget.total,
            used: budget.used,
            remaining: budget.remaining(),
        },
    })
}

/// A reply of an interrupted request must not answer this one.
fn remove(path: &Path) {
    // Nothing there is what is wanted; anything else shows when the reply is read.
    let _ = fs::remove_file(path);
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}
