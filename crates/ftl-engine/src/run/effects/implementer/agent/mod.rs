//! An agent command: a shell command that gets the task on standard input and writes the delta.
//!
//! Everything that the agent gets is also a file of the run, so that a request can be read, and repeated
//! manually, after the run. What the agent may write is not limited here: strays are found afterwards.

mod call;
mod performed;

use std::ffi::OsStr;
use std::path::Path;
use std::time::Duration;

use ftl_agents::Agent;
use ftl_machine::{Phase, Request};
use ftl_model::{DeltaPath, Failure};
use ftl_process::{Command, Ended, Environment, How, Overfull};
use ftl_store::{RUN_DIFF, ensure_private_dir_unsynced, write_out_later};
use ftl_xml::{ParsedFailure, ParsedWorkspace};

use super::reply::MAX_REPLY;
use super::{AgentListener, Answer, reply, without_variables};
use crate::project::{Repository, read_regular, read_tests, repository_of};
use crate::protocol::{
    AgentRequest, Asked, FoundIn, LastFile, LastRun, LastVerify, Ledger, Since, TestFile,
};
use crate::result::Doing;
use crate::run::Fault;
use crate::run::commands::output::{last_lines, left_behind, shown};
use crate::run::commands::secrets::written;
use crate::run::commands::task_commands;
use crate::run::journal::recorder::Recorder;
use crate::run::session::last_block;
use crate::run::site::files;
use crate::run::work::diff::UNDERNEATH;
use crate::run::world::World;

pub(in crate::run) use performed::{add_to, lay_in};

/// The agent's reply, in the directory of its request.
const REPLY: &str = "reply.json";
/// Bytes of a diff that the next implementer gets whole; it gets no longer one.
const MAX_DIFF: u64 = 1 << 17;

/// What a call is made from.
struct Call<'c, 'w> {
    world: &'c World<'w>,
    request: &'c Request,
    agent: &'c Agent,
    failure: Option<&'c Failure>,
    tests: Option<&'c TestFile>,
    request_file: &'c Path,
    dir: &'c Path,
}

/// Asks the agent. One that fails or runs out of time gives an answer that says so; a [`Fault`] is ftl's
/// own.
pub(in crate::run) fn ask(
    world: &World<'_>,
    request: &Request,
    agent: &Agent,
    failure: Option<&Failure>,
    recorder: &mut Recorder<'_>,
) -> Result<Answer, Fault> {
    let dir = world.request_dir();
    ensure_private_dir_unsynced(files(), &dir)?;
    // Read again for every request: an earlier one may have changed the test.
    let (tests, unread) = tests(world, request);
    let secrets = &world.site.secrets;
    let last = last_run(world);
    let body = body(world, request, tests.as_ref(), failure, last);
    let body = written(&world.site.settings.redactor, &body)?;
    let body = world.as_seen(body.get());
    let request_file = write_out_later(files(), &dir, "request.json", body.as_bytes())?.path;
    let call = Call {
        world,
        request,
        agent,
        failure,
        tests: tests.as_ref(),
        request_file: &request_file,
        dir: &dir,
    };
    let earlier = match request.phase {
        Phase::Implement => None,
        Phase::FixSyntax | Phase::ApplyFix => world.conversation.id(agent),
    };
    let mut warnings = Vec::new();
    let mut report = call.make(earlier, "agent.log", recorder)?;
    if earlier.is_some() && report.has_not_begun() {
        recorder.rely_on(&report.log);
        let log = shown(world.site, &report.log);
        warnings.push(format!(
            "the agent did not continue its conversation, and began a new one; what it said is in `{log}`"
        ));
        report = call.make(None, "agent-again.log", recorder)?;
    }
    let reply_file = dir.join(REPLY);
    task_commands::fetch(world, &reply_file)?;
    // Also of a child that failed: what it reports to need explains the failure.
    let in_delta = |path: &str| world.brief().paths().any(|known| known.as_str() == path);
    let said = report.reply(agent);
    let mut answer = reply::read(&reply_file, said, &in_delta, &|text| secrets.hide_counted(text));
    hide_reply(world, &dir)?;
    answer.failure = failure_of("the agent", &report.ended, world.site.settings.requests.limit);
    answer.outage = report.outage(agent);
    if let (Some(outage), Some(worker)) = (&mut answer.outage, &report.work.worker) {
        outage.said.push_str(&format!(" (at the worker `{worker}`)"));
    }
    if report.ended.output.total > 0 {
        recorder.rely_on(&report.log);
        answer.log = Some(shown(world.site, &report.log));
        answer.last_lines = report.last_lines();
    }
    answer.warnings.extend(warnings);
    answer.warnings.extend(report.useless_tools(agent));
    answer.warnings.extend(unread);
    answer.warnings.extend(left_behind("the agent", &report.ended));
    answer.agent = Some(report.work);
    answer.performed = report.done;
    Ok(answer)
}

/// Runs a fix that is a command. It is no agent: it gets no task and gives no reply.
pub(in crate::run) fn run_fix(
    world: &World<'_>,
    command: &str,
    recorder: &mut Recorder<'_>,
) -> Result<Answer, Fault> {
    let dir = world.request_dir();
    ensure_private_dir_unsynced(files(), &dir)?;
    let env = without_variables(world.site.settings.requests.env.clone());
    let log = dir.join("fix.log");
    let called = (Doing::Fix, &mut *recorder, None);
    let ended = run(world, command, env, Vec::new(), &log, called)?;
    let failure = failure_of("the fix command", &ended, world.site.settings.requests.limit);
    let mut answer =
        Answer { failure, warnings: left_behind("the fix command", &ended), ..Answer::default() };
    if ended.output.total > 0 {
        recorder.rely_on(&log);
        answer.log = Some(shown(world.site, &log));
        answer.last_lines = last_lines(&ended);
    }
    Ok(answer)
}

/// Runs the command as `sh -c COMMAND ftl DELTA…`, so that `"$@"` are the delta files.
fn run(
    world: &World<'_>,
    command: &str,
    env: Environment,
    input: Vec<u8>,
    log: &Path,
    (doing, recorder, listener): (Doing, &mut Recorder<'_>, Option<&mut AgentListener>),
) -> Result<Ended, Fault> {
    let site = world.site;
    let place = world.workplace.as_ref().ok_or(Fault::NoWork { run: site.run.number() })?;
    task_commands::show_runs(world)?;
    let env = env.set("FTL_SLOT", place.number.to_string());
    let delta = world.brief().paths();
    let delta = delta.map(|path| OsStr::new(path.as_str()));
    let child = Command::shell(command, std::iter::once(OsStr::new("ftl")).chain(delta))
        .env(env)
        .input(input)
        .time_limit(Some(site.settings.requests.limit))
        .grace(site.settings.grace)
        .capture(world.capture(log));
    recorder.begins(doing, command);
    let child = place.placed(site, child, world.view.clone());
    site.run_implementer(&child, recorder, listener)
}

/// Whether a git that can be asked finds a repository around the root.
pub(in crate::run) fn is_in_git(root: &Path) -> bool {
    matches!(repository_of(root), Ok(Repository::At(_)))
}

/// The environment of a request with what an agent's preset sets in it. What the user has set is the user's.
pub(in crate::run) fn with_preset(
    own: &Environment,
    preset: &[(&'static str, String)],
) -> Environment {
    let set = own.resolve();
    let unset = preset
        .iter()
        .filter(|(name, _)| !set.contains_key(OsStr::new(name)) || name.starts_with("FTL_"));
    unset.fold(own.clone(), |env, (name, value)| env.set(*name, value))
}

const fn doing(phase: Phase) -> Doing {
    match phase {
        Phase::Implement => Doing::Agent,
        Phase::FixSyntax => Doing::Mend,
        Phase::ApplyFix => Doing::Fix,
    }
}

/// The current test file, for the implementer to read; a warning where it can't be read any more.
fn tests(world: &World<'_>, request: &Request) -> (Option<TestFile>, Option<String>) {
    let Some(path) = &request.plan.tests else {
        return (None, None);
    };
    match read_tests(path, world.site.root()) {
        Ok(content) => {
            let path = path.clone();
            (Some(TestFile { path, content }), None)
        }
        Err(why) => (None, Some(format!("the verify source `{path}` could not be shown: {why}"))),
    }
}

/// Why a child counts as failed, if it does.
pub(in crate::run) fn failure_of(who: &str, ended: &Ended, limit: Duration) -> Option<String> {
    if let Some(Overfull::Bound { bytes, place }) = &ended.overfull {
        let place = place.display();
        return Some(format!(
            "{who} wrote more than the {bytes} bytes of `scope.max_written`, into `{place}`, and was ended"
        ));
    }
    if ended.timed_out {
        return Some(format!("{who} did not end within {} s", limit.as_secs_f64()));
    }
    match ended.how {
        How::Exit(0) => None,
        // What POSIX shells return for a command that is not executable, or not found.
        How::Exit(code @ (126 | 127)) => {
            Some(format!("{who} could not be run by the shell (exit {code})"))
        }
        How::Exit(code) => Some(format!("{who} ended with exit {code}{}", full_disk(ended))),
        How::Signal(signal) => {
            Some(format!("{who} was ended by signal {signal}{}", full_disk(ended)))
        }
    }
}

/// The disk that has no room for what a child writes in a view, as the end of a sentence.
fn full_disk(ended: &Ended) -> String {
    match &ended.overfull {
        Some(Overfull::Disk { place }) => {
            format!("; the disk of `{}`, which takes what it writes, is full", place.display())
        }
        Some(Overfull::Bound { .. }) | None => String::new(),
    }
}

/// The request for agents that read JSON: the prompt's facts, and everything that prose leaves out.
fn body<'a>(
    world: &'a World<'_>,
    request: &'a Request,
    tests: Option<&'a TestFile>,
    failure: Option<&'a Failure>,
    last_run: Option<LastRun<'a>>,
) -> AgentRequest<'a> {
    let budget = request.budget;
    let found = request.checks.iter().flat_map(|check| {
        let path = check.path.as_str();
        let found = check.diagnostics.iter();
        found.map(move |found| FoundIn { path, found })
    });
    AgentRequest {
        asked: Asked { phase: request.phase, attempt: request.attempt },
        workspace: ParsedWorkspace::new(&world.brief().workspace, true),
        tests,
        diagnostics: found.collect(),
        verify: last_verify(world, request),
        failure: failure.map(|failure| ParsedFailure::new(failure, true)),
        budget: Ledger { total: budget.total, used: budget.used, remaining: budget.remaining() },
        last_run,
    }
}

/// The verify that failed last: in this run, else in the one before it.
pub(super) fn last_verify<'a>(
    world: &'a World<'_>,
    request: &'a Request,
) -> Option<LastVerify<'a>> {
    if let Some(verify) = &request.verification {
        return Some(LastVerify {
            command: &verify.command,
            exit: verify.exit,
            output: &verify.output,
            failures: &verify.failures,
            more_failures: verify.more_failures,
            log: verify.log.as_deref(),
        });
    }
    let verify = world.brief().last.as_ref()?.verify.as_ref()?;
    Some(LastVerify {
        command: &verify.command,
        exit: verify.exit,
        output: &verify.output,
        failures: &verify.failures,
        more_failures: verify.more_failures,
        log: verify.log.as_deref(),
    })
}

/// How the run before this one blocked the task, and what became of its work.
fn last_run<'a>(world: &World<'a>) -> Option<LastRun<'a>> {
    let last = world.brief().last.as_ref()?;
    let now = |file: &last_block::LastFile| {
        let path = DeltaPath::parse(&file.path).ok()?;
        let state = world.tree().state(&path).ok()?;
        Some(match (file.sha256, state.digest()) {
            (left, now) if left == now => Since::AsLeft,
            (_, None) => Since::Gone,
            (_, Some(_)) => Since::Changed,
        })
    };
    let is_apart = LastRun::is_apart(&last.kind);
    let dir = last.number.zip(world.site.run.dir().parent()).filter(|_| is_apart);
    let dir = dir.map(|(number, runs)| runs.join(number.to_string()).join("diffs"));
    let diff = |name: &str| {
        let bytes = read_regular(&dir.as_ref()?.join(name), MAX_DIFF).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    };
    Some(LastRun {
        run: last.number,
        kind: &last.kind,
        error: &last.error,
        tried: &last.tried,
        unknown: &last.unknown,
        delivered: &last.delivered,
        files: last
            .files
            .iter()
            .map(|file| LastFile {
                path: &file.path,
                change: &file.change,
                now: now(file).unwrap_or(Since::Changed),
            })
            .collect(),
        strays: &last.strays,
        work: diff(RUN_DIFF),
        underneath: diff(UNDERNEATH),
    })
}

/// The reply stays with the run, so what it holds is no less secret than what the agent printed.
fn hide_reply(world: &World<'_>, dir: &Path) -> Result<(), Fault> {
    let reply = read_regular(&dir.join(REPLY), MAX_REPLY).unwrap_or_default();
    // Its strings one by one, where it is JSON: with its escapes, a secret may look like none.
    let hidden = match serde_json::from_slice(&reply) {
        Ok(value) => world.site.secrets.hide_json(value),
        Err(_) => world.site.secrets.hide_bytes(&reply),
    };
    if let Some(hidden) = hidden {
        write_out_later(files(), dir, REPLY, &hidden)?;
    }
    Ok(())
}
