//! When a build is interrupted, and by what.

use std::fs;
use std::path::Path;

use ftl_testkit::Result;
use ftl_testkit::program::Program;

use super::scenario::{Scenario, TASK};
use crate::isolation::Isolation;
use crate::kill::points::{self, Point};
use crate::sandbox::Sandbox;

/// No command here takes longer, in seconds, however busy the machine is.
const LIMIT: &str = "240";

/// What interrupts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Signal {
    Int,
    Term,
    Hup,
    Kill,
    /// Nothing does: the person works while the agent does.
    None,
}

impl Signal {
    /// Those that `ftl` hears.
    pub(super) const POLITE: [Self; 3] = [Self::Int, Self::Term, Self::Hup];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Int => "INT",
            Self::Term => "TERM",
            Self::Hup => "HUP",
            Self::Kill => "KILL",
            Self::None => "nothing",
        }
    }

    /// Which make sense at a step: where the person acts during the request, the build may also go on.
    pub(super) const fn with_none(step: &TrialStep) -> &'static [Self] {
        match step {
            TrialStep::Beside(_) => &[Self::Int, Self::None, Self::Term, Self::None, Self::Hup],
            TrialStep::Call(_) | TrialStep::Place(_) => &Self::POLITE,
            TrialStep::Stopped(_) => &[Self::None],
        }
    }
}

/// Where a build is interrupted.
#[derive(Clone, Debug)]
pub(super) enum TrialStep {
    /// At a system call of `ftl`'s.
    Call(Point),
    /// Where the agent waits; the person acts afterwards.
    Place(&'static str),
    /// Where the agent waits; the person acts before the signal comes.
    Beside(&'static str),
    /// After a system call of `ftl`'s, which is stopped there until the person has acted.
    Stopped(Point),
}

impl TrialStep {
    pub(super) fn describe(&self) -> String {
        match self {
            Self::Call(point) => format!("at {}", point.shown),
            Self::Place(place) => format!("in the request, at `{place}`"),
            Self::Stopped(point) => format!("stopped after {}", point.shown),
            Self::Beside(place) => format!("after acting in the request, at `{place}`"),
        }
    }
}

/// The steps between system calls: those after which the world is another.
pub(super) fn calls(
    ftl: &Path,
    scenario: &Scenario,
    isolation: Isolation,
) -> Result<Vec<TrialStep>> {
    let sandbox = Sandbox::new("person")?;
    scenario.lay_out(&sandbox)?;
    let output = traced(ftl, scenario, isolation, &sandbox, &[])?;
    if output.status.code() != Some(scenario.end.1) {
        let said = String::from_utf8_lossy(&output.stderr);
        let name = scenario.name;
        return Err(format!("`{name}` ended with {} undisturbed: {said}", output.status).into());
    }
    let trace = fs::read_to_string(sandbox.beside("trace"))?;
    let points = points::of_trace(&trace).into_iter();
    Ok(points.filter(|point| point.changes).map(TrialStep::Call).collect())
}

/// The steps within requests.
pub(super) fn in_requests(scenario: &Scenario) -> Vec<TrialStep> {
    let places = scenario.places.iter();
    places.flat_map(|place| [TrialStep::Place(place), TrialStep::Beside(place)]).collect()
}

/// `ftl build` under strace, in one thread: children and helping threads are not followed.
pub(super) fn traced(
    ftl: &Path,
    scenario: &Scenario,
    isolation: Isolation,
    sandbox: &Sandbox,
    faults: &[String],
) -> Result<std::process::Output> {
    program(sandbox, "timeout")
        .args(["--signal=KILL", LIMIT, "strace", "-qq", "-o"])
        .args([sandbox.beside("trace")])
        .args(["-e", &points::watched(), "-e", "signal=none"])
        .args(faults)
        .args([ftl])
        .args(["build", TASK])
        .args(scenario.options)
        .args(isolation.options(ftl)?)
        .output()
}

/// A build with options that is killed before one of its syncs or renames.
pub(super) fn killed_again(
    (ftl, scenario, isolation): (&Path, &Scenario, Isolation),
    sandbox: &Sandbox,
    options: &[&str],
    at: usize,
) -> Result<std::process::Output> {
    let faults =
        format!("inject=?fsync,?fdatasync,?rename,?renameat,?renameat2:signal=KILL:when={at}");
    program(sandbox, "timeout")
        .args(["--signal=KILL", LIMIT, "strace", "-qq", "-o"])
        .args([sandbox.beside("trace")])
        .args(["-e", &points::watched(), "-e", "signal=none"])
        .args(["-e", &faults])
        .args([ftl])
        .args(["build", TASK])
        .args(scenario.options)
        .args(isolation.options(ftl)?)
        .args(options)
        .output()
}

/// A build with options.
pub(super) fn built(
    ftl: &Path,
    scenario: &Scenario,
    isolation: Isolation,
    sandbox: &Sandbox,
    options: &[&str],
) -> Result<std::process::Output> {
    program(sandbox, "timeout")
        .args(["--signal=KILL", LIMIT])
        .args([ftl])
        .args(["build", TASK])
        .args(scenario.options)
        .args(isolation.options(ftl)?)
        .args(options)
        .output()
}

/// A build whose agent waits at `place`. Once it does, `script` runs; `$build` is ftl's process.
pub(super) fn met(
    ftl: &Path,
    scenario: &Scenario,
    isolation: Isolation,
    sandbox: &Sandbox,
    place: &str,
    script: &str,
) -> Result<std::process::Output> {
    let script =
        format!("\"$@\" & build=$!\nread at < ../at\n{script}\nwait $build\ncode=$?\nexit $code\n");
    program(sandbox, "timeout")
        .env("STEP", place)
        .args(["--signal=KILL", LIMIT, "sh", "-c", &script, "sh"])
        .args([ftl])
        .args(["build", TASK])
        .args(scenario.options)
        .args(isolation.options(ftl)?)
        .output()
}

/// A build that is stopped after a system call. Once it is, or has ended without that call, `script` runs.
pub(super) fn stopped(
    ftl: &Path,
    scenario: &Scenario,
    isolation: Isolation,
    sandbox: &Sandbox,
    point: &Point,
    script: &str,
) -> Result<std::process::Output> {
    let script = format!(
        "\"$@\" & tracer=$!\n\
         until grep -q 'stopped by SIGSTOP' ../trace; do kill -0 $tracer || break; sleep 0.02; done 2>/dev/null\n\
         ftl=$(ps -o pid= --ppid $tracer)\n\
         {script}\n[ -z \"$ftl\" ] || kill -CONT $ftl\nwait $tracer\n"
    );
    drop(fs::remove_file(sandbox.beside("trace")));
    let at = format!("inject={}:signal=STOP:when={}", point.name, point.number);
    program(sandbox, "timeout")
        .args(["--signal=KILL", LIMIT, "sh", "-c", &script, "sh", "strace", "-qq", "-o"])
        .args([sandbox.beside("trace")])
        .args(["-e", &points::watched(), "-e", "signal=stop", "-e", &at])
        .args([ftl])
        .args(["build", TASK])
        .args(scenario.options)
        .args(isolation.options(ftl)?)
        .output()
}

/// A program of the person's, in the project.
pub(super) fn program(sandbox: &Sandbox, name: &str) -> Program {
    let path = std::env::var("PATH").unwrap_or_default();
    let own = sandbox.beside("bin");
    sandbox
        .program(name)
        .env("PATH", format!("{}:{path}", own.display()))
        .env("GIT_AUTHOR_NAME", "person")
        .env("GIT_AUTHOR_EMAIL", "person@localhost")
        .env("GIT_COMMITTER_NAME", "person")
        .env("GIT_COMMITTER_EMAIL", "person@localhost")
}
