//! A person at work in a project whose build is interrupted: nothing that they do is undone in silence.
//!
//! A build of each ending is interrupted by each signal, at system calls of `ftl` and at chosen places
//! within its requests. Then, or while the agent works, a person acts, and the build goes on in each of
//! the ways there are. The person's work is compared by complete listings of the project: whatever
//! differs must have been reported with a command, and the command must bring it back.

mod action;
mod reported;
mod scenario;
mod setting;
mod step;
mod trial;
mod way;

use std::path::Path;
use std::sync::Mutex;

use ftl_testkit::Result;
use ftl_testkit::build::named_or_release;

use crate::isolation::{self, Isolation};
use crate::tally::{Column, TrialTally};
use crate::{Size, has_tools, workers};
use action::{ACTIONS, Action, EDIT_ALL};
use scenario::{SCENARIOS, Scenario};
use setting::Setting;
use step::{Signal, TrialStep};
use trial::Trial;
use way::Way;

/// Without `--full`, so many trials of all are taken, evenly; `FTL_TRIALS` names another number, also
/// with it.
const SAMPLE: usize = 36;

/// Every third build that goes on is killed in its turn, at one of so many first steps.
const AGAIN: usize = 8;

/// Interrupts every scenario at its steps.
pub(super) fn run(size: Size) -> Result {
    if !has_tools(&["strace", "git"]) {
        return Ok(());
    }
    let ftl = named_or_release()?;
    let trials = chosen(all(&ftl)?, size)?;
    let tally = Mutex::new(TrialTally::new(&["build", "`--isolate`"], &COLUMNS));
    workers::each("person", &trials, |sandbox, trial| {
        let outcome = trial.run(sandbox)?;
        let name = [trial.scenario.name, trial.isolation.name()];
        let counts = [
            1,
            usize::from(outcome.killed),
            usize::from(outcome.interrupted),
            usize::from(outcome.asked),
            usize::from(outcome.brought_back),
            outcome.builds,
        ];
        let mut tally = tally.lock().map_err(|error| error.to_string())?;
        tally.take(&name, &counts, &trial.describe(), &outcome.broken);
        Ok(())
    })?;
    tally.into_inner()?.verdict()
}

/// What is counted of a trial.
const COLUMNS: [Column; 6] = [
    Column::Sum("trials"),
    Column::Sum("killed"),
    Column::Sum("interrupted"),
    Column::Sum("asked whose"),
    Column::Sum("brought back"),
    Column::Most("builds after"),
];

/// Every trial. Actions and ways to go on take turns, so that each meets each in time.
fn all(ftl: &Path) -> Result<Vec<Trial>> {
    let only = std::env::var("FTL_SCENARIO").ok();
    let step_meant = std::env::var("FTL_STEP").unwrap_or_default();
    let ways = Way::known_to(ftl)?;
    let mut trials = Vec::new();
    for isolation in isolation::available(ftl)? {
        for scenario in SCENARIOS {
            if only.as_deref().is_some_and(|name| name != scenario.name) {
                continue;
            }
            let interruptions = interruptions(ftl, scenario, isolation)?;
            for (turn, (step, signal, action)) in interruptions.into_iter().enumerate() {
                if !step.describe().contains(&step_meant) {
                    continue;
                }
                trials.push(Trial {
                    ftl: ftl.to_owned(),
                    scenario,
                    isolation,
                    setting: Setting::ALL[(turn / 2) % Setting::ALL.len()],
                    step,
                    signal,
                    action,
                    way: ways[turn % ways.len()],
                    again: (turn % 3 == 2).then_some(1 + turn / 3 % AGAIN),
                });
            }
        }
    }
    Ok(trials)
}

/// When a build is interrupted, by which signal, and what a person does then.
fn interruptions(
    ftl: &Path,
    scenario: &'static Scenario,
    isolation: Isolation,
) -> Result<Vec<(TrialStep, Signal, &'static Action)>> {
    let only = std::env::var("FTL_ACTION").ok();
    let is_meant = |action: &Action| only.as_deref().is_none_or(|name| name == action.name);
    let fits = |action: &&Action| (scenario.git || !action.git) && is_meant(action);
    let actions: Vec<&Action> = ACTIONS.iter().filter(fits).collect();
    let mut found = Vec::new();
    if actions.is_empty() {
        return Ok(found);
    }
    let calls = step::calls(ftl, scenario, isolation)?;
    for (turn, step) in calls.into_iter().enumerate() {
        let polite = Signal::POLITE[turn % Signal::POLITE.len()];
        for (round, signal) in [Signal::Kill, polite].into_iter().enumerate() {
            // Neither shares a factor with the number of ways to go on.
            let action = actions[(turn * 3 + round * 5) % actions.len()];
            found.push((step.clone(), signal, action));
        }
        if let TrialStep::Call(point) = step {
            let action = actions.iter().find(|action| action.name == EDIT_ALL.name);
            found.push((TrialStep::Stopped(point), Signal::None, action.unwrap_or(&actions[0])));
        }
    }
    for (turn, step) in step::in_requests(scenario).into_iter().enumerate() {
        for (round, action) in actions.iter().enumerate() {
            let signals = Signal::with_none(&step);
            let signal = signals[(turn + round) % signals.len()];
            found.push((step.clone(), signal, action));
            if signal != Signal::Kill {
                found.push((step.clone(), Signal::Kill, action));
            }
        }
    }
    Ok(found)
}

/// All of them, or a sample, evenly.
fn chosen(trials: Vec<Trial>, size: Size) -> Result<Vec<Trial>> {
    let wanted = match (std::env::var("FTL_TRIALS"), size) {
        (Ok(number), _) => number.parse()?,
        (Err(_), Size::Sample) => SAMPLE,
        (Err(_), Size::Full) => trials.len(),
    };
    let mut stride = (trials.len() / wanted.max(1)).max(1);
    // An odd stride meets interruptions of both kinds.
    stride += usize::from(stride.is_multiple_of(2));
    Ok(trials.into_iter().step_by(stride).collect())
}
