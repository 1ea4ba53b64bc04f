//! When a build is interrupted, and by what.

use std::process::Output;

use ftl_testkit::Result;
use ftl_testkit::sweep::build::Build;
use ftl_testkit::sweep::sandbox::Sandbox;
use ftl_testkit::sweep::scenario::Scenario;

use crate::strace::{self, Call, inject};

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
    /// Those that `ftl` handles.
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
    Call(Call),
    /// Where the agent waits; the person acts afterwards.
    Place(&'static str),
    /// Where the agent waits; the person acts before the signal comes.
    Beside(&'static str),
    /// After a system call of `ftl`'s, which is stopped there until the person has acted.
    Stopped(Call),
}

impl TrialStep {
    pub(super) fn describe(&self) -> String {
        match self {
            Self::Call(call) => format!("at {}", call.shown),
            Self::Place(place) => format!("in the request, at `{place}`"),
            Self::Stopped(call) => format!("stopped after {}", call.shown),
            Self::Beside(place) => format!("after acting in the request, at `{place}`"),
        }
    }

    /// Whether the person acts while the build is under way.
    pub(super) fn is_during(&self) -> bool {
        matches!(self, Self::Beside(_) | Self::Stopped(_))
    }

    /// Runs the build and interrupts it. `acts` is the person's script, for a step at which they act during it.
    pub(super) fn interrupt(
        &self,
        build: &Build,
        sandbox: &Sandbox,
        signal: Signal,
        acts: &str,
    ) -> Result<Output> {
        let watched = strace::watched();
        let name = signal.name();
        let signalled = match signal {
            Signal::None => "echo go > ../go".to_owned(),
            _ => format!("kill -{name} $build"),
        };
        let program = match self {
            Self::Call(call) => {
                let injected = [inject(&call.name, &format!("signal={name}"), call.number)];
                build.program(sandbox, &strace::words(&watched, &injected), &[])
            }
            Self::Place(place) | Self::Beside(place) => {
                let acts = if self.is_during() { acts } else { ":" };
                let script = format!(
                    "\"$@\" & build=$!\nread at < ../at\n{acts}\n{signalled}\nwait $build\nexit $?\n"
                );
                build.program(sandbox, &["sh", "-c", &script, "sh"], &[]).env("STEP", place)
            }
            Self::Stopped(call) => {
                let script = format!(
                    "rm -f {trace}; : > {trace}; \"$@\" & tracer=$!\n\
                     until grep -q 'stopped by SIGSTOP' {trace}; do kill -0 $tracer || break; sleep 0.02; done 2>/dev/null\n\
                     ftl=$(ps -o pid= --ppid $tracer)\n\
                     {acts}\n[ -z \"$ftl\" ] || kill -CONT $ftl\nwait $tracer\n",
                    trace = strace::TRACE
                );
                let injected = [inject(&call.name, "signal=STOP", call.number)];
                let traced = strace::words(&watched, &injected);
                let prefix = [&["sh", "-c", &script, "sh"][..], &traced].concat();
                build.program(sandbox, &prefix, &[])
            }
        };
        program.output()
    }
}

/// The steps between system calls: those that change the outside world.
pub(super) fn calls(build: &Build, sandbox: &mut Sandbox) -> Result<Vec<Call>> {
    let watched = strace::watched();
    let traced = strace::words(&watched, &[]);
    build.undisturbed(sandbox, |build, sandbox| build.program(sandbox, &traced, &[]))?;
    let calls = strace::calls(&sandbox.read(strace::TRACE)?).into_iter();
    Ok(calls.filter(|call| call.changes).collect())
}

/// A build with options that is killed before one of its syncs or renames.
pub(super) fn killed_again(
    build: &Build,
    sandbox: &Sandbox,
    options: &[&str],
    at: usize,
) -> Result<Output> {
    let writes = "?fsync,?fdatasync,?rename,?renameat,?renameat2";
    let injected = [inject(writes, "signal=KILL", at)];
    build.program(sandbox, &strace::words(&strace::watched(), &injected), options).output()
}

/// The steps within requests.
pub(super) fn in_requests(scenario: &Scenario) -> Vec<TrialStep> {
    let places = scenario.places().iter();
    places.flat_map(|place| [TrialStep::Place(place), TrialStep::Beside(place)]).collect()
}
