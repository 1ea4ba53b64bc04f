//! A person at work in a project whose build is interrupted: nothing that they do is undone in silence.
//!
//! A build of each ending is interrupted by each signal, at system calls of `ftl` and at chosen places
//! within its requests. Then, or while the agent works, a person acts, and the build goes on. The person's
//! work is compared by complete listings of the project: nothing may differ but the delta, which lands, and what
//! the person wrote there must still be in it.

mod action;
mod step;
mod trial;

use ftl_testkit::Result;
use ftl_testkit::build::named_or_release;
use ftl_testkit::sweep::build::Build;
use ftl_testkit::sweep::isolation::{self, Isolation};
use ftl_testkit::sweep::sandbox::Setting;
use ftl_testkit::sweep::scenario::Scenario;
use ftl_testkit::sweep::tally::Column;
use ftl_testkit::sweep::{self, Size, Sweep, has_tools};

use crate::scenarios::*;
use crate::strace::Call;
use action::{ACTIONS, Action, EDIT_ALL};
use step::{Signal, TrialStep};
use trial::PersonTrial;

/// Every fourth build that goes on is killed in its turn, at one of so many first steps.
const AGAIN: usize = 8;

/// Options of the builds that go on, in turn.
const OPTIONS: [&[&str]; 3] = [&[], &["--restart"], &[]];

/// A build of each ending, in a git repository or not.
const BUILDS: [(&Scenario, bool); 16] = [
    (&AGENT, true),
    (&AGENT, false),
    (&TWO_TRIES, true),
    (&ALLOWED_FILES, true),
    (&SYNTAX_AND_FIX, true),
    (&PROSE_FIX, true),
    (&PATCH, true),
    (&STRAYS, true),
    (&STRAYS, false),
    (&STRAYS_BLOCK, true),
    (&STRAYS_IGNORED, true),
    (&AGENT_FAILS, true),
    (&UNKNOWN_FAILURE, true),
    (&USELESS_FIX, true),
    (&SYNTAX, true),
    (&LANDS, true),
];

const SWEEP: Sweep = Sweep {
    name: "person",
    rows: Build::ROW,
    columns: &[
        Column::Sum("trials"),
        Column::Sum("killed"),
        Column::Sum("interrupted"),
        Column::Most("builds after"),
    ],
    sample: 36,
};

/// Interrupts every build at its steps.
pub(super) fn run(size: Size) -> Result {
    if !has_tools(&["strace", "git"]) {
        return Ok(());
    }
    let ftl = named_or_release()?;
    let mut builds = Vec::new();
    for isolation in isolation::available(&ftl)? {
        let build = |(scenario, git)| Build {
            ftl: &ftl,
            scenario,
            git,
            setting: Setting::Plain,
            isolation,
        };
        // Those beside others are built in mounted workplaces.
        let fits = |build: &Build| isolation == Isolation::Bind || build.scenario.beside.is_empty();
        builds.extend(BUILDS.map(build).into_iter().filter(fits));
    }
    let calls = sweep::each("person", &builds, |sandbox, build| step::calls(build, sandbox))?;
    let mut trials = Vec::new();
    for (build, calls) in builds.iter().zip(calls) {
        // Settings and options take turns, so that each meets each in time.
        let interruptions = interruptions(build, calls).into_iter().enumerate();
        trials.extend(interruptions.map(|(turn, (step, signal, action))| PersonTrial {
            build: Build { setting: Setting::ALL[(turn / 2) % Setting::ALL.len()], ..*build },
            step,
            signal,
            action,
            options: OPTIONS[turn % OPTIONS.len()],
            again: (turn % 4 == 3).then_some(1 + turn / 4 % AGAIN),
        }));
    }
    SWEEP.run(size, trials)
}

/// When a build is interrupted, by which signal, and what a person does then.
fn interruptions(build: &Build, calls: Vec<Call>) -> Vec<(TrialStep, Signal, &'static Action)> {
    let fits = |action: &&Action| build.git || !action.git;
    let actions: Vec<&Action> = ACTIONS.iter().filter(fits).collect();
    let mut found = Vec::new();
    for (turn, call) in calls.into_iter().enumerate() {
        let polite = Signal::POLITE[turn % Signal::POLITE.len()];
        for (round, signal) in [Signal::Kill, polite].into_iter().enumerate() {
            let action = actions[(turn * 3 + round * 5) % actions.len()];
            found.push((TrialStep::Call(call.clone()), signal, action));
        }
        found.push((TrialStep::Stopped(call), Signal::None, &EDIT_ALL));
    }
    for (turn, step) in step::in_requests(build.scenario).into_iter().enumerate() {
        for (round, action) in actions.iter().enumerate() {
            let signals = Signal::with_none(&step);
            let signal = signals[(turn + round) % signals.len()];
            found.push((step.clone(), signal, action));
            if signal != Signal::Kill {
                found.push((step.clone(), Signal::Kill, action));
            }
        }
    }
    found
}
