//! A fault at every system call of whole builds, and what a user finds after building again.
//!
//! An undisturbed build is traced first. Its calls that touch the world are the points; at each of
//! them the program is killed, or the call fails in one of several ways, and then `ftl build` is
//! called again without faults, as a user would. A kill at any other call finds the same world as
//! one at the next of these. Faults strike the program's own main thread, which does all reading
//! and writing of its state; children and the threads that serve them are left alone.

mod fault;
mod order;
pub(crate) mod points;
mod records;
mod scenario;
mod trial;

use std::path::Path;
use std::sync::Mutex;

use crate::sandbox::Sandbox;
use crate::tally::{Column, TrialTally};
use crate::{Size, has_tools, workers};
use fault::Fault;
use ftl_testkit::Result;
use ftl_testkit::build::named_or_release;
use points::Point;
use scenario::{SCENARIOS, Scenario};
use trial::{Baseline, Trial, TrialOutcome};

/// Without `--full`, so many trials of each scenario are taken, evenly; `FTL_TRIALS` names another
/// number.
const SAMPLE: usize = 45;

/// Strikes every scenario at its points.
pub(super) fn run(size: Size) -> Result {
    if !has_tools(&["strace", "git", "python3"]) {
        return Ok(());
    }
    let ftl = named_or_release()?;
    let only = std::env::var("FTL_SCENARIO").ok();
    let meant = |scenario: &Scenario| only.as_deref().is_none_or(|name| name == scenario.name);
    let mut tally = TrialTally::new(&["build"], &COLUMNS);
    let mut struck: Vec<Vec<Point>> = Vec::new();
    for scenario in SCENARIOS {
        let sandbox = Sandbox::new("kill")?;
        let baseline = Baseline::observe(&ftl, scenario, &sandbox)?;
        if !meant(scenario) {
            struck.push(baseline.points);
            continue;
        }
        let shared = struck.iter().map(|others| points::in_common(&baseline.points, others));
        let shared = shared.max().unwrap_or_default();
        sweep(&ftl, scenario, &baseline, shared, size, &mut tally)?;
        struck.push(baseline.points);
        println!("{} is done", scenario.name);
    }
    tally.verdict()
}

/// What is counted of a trial.
const COLUMNS: [Column; 9] = [
    Column::Sum("calls"),
    Column::Sum("kill"),
    Column::Sum("once"),
    Column::Sum("from then on"),
    Column::Sum("all from then on"),
    Column::Sum("not reached"),
    Column::Sum("said in the record"),
    Column::Sum("`--restart`"),
    Column::Most("builds after"),
];

fn counts(fault: Fault, outcome: &TrialOutcome) -> [usize; 9] {
    let struck = |is_kind: bool| usize::from(outcome.struck && is_kind);
    [
        0,
        struck(matches!(fault, Fault::Kill)),
        struck(matches!(fault, Fault::Once(_))),
        struck(matches!(fault, Fault::Always(_))),
        struck(matches!(fault, Fault::Dead)),
        usize::from(!outcome.struck),
        usize::from(outcome.said),
        usize::from(outcome.restarted),
        outcome.builds,
    ]
}

/// Every trial of one scenario, on all workers. The first `shared` points are another's too, which
/// was struck there.
fn sweep(
    ftl: &Path,
    scenario: &Scenario,
    baseline: &Baseline,
    shared: usize,
    size: Size,
    tally: &mut TrialTally,
) -> Result {
    let sandbox = Sandbox::new("kill")?;
    let trials = trials(&baseline.points[shared..], size)?;
    let name = [scenario.name];
    tally.add(&name, &[baseline.points.len() - shared], false);
    let counted = Mutex::new((&mut *tally, Vec::new()));
    workers::each("kill", &trials, |sandbox, (point, fault)| {
        let trial = Trial { ftl, scenario, baseline, point, fault: *fault };
        let outcome = trial.run(sandbox)?;
        let described = trial.describe();
        let mut counted = counted.lock().map_err(|error| error.to_string())?;
        let (tally, records) = &mut *counted;
        tally.take(&name, &counts(*fault, &outcome), &described, &outcome.broken);
        records.push((described, outcome.record));
        Ok(())
    })?;
    let (tally, records) = counted.into_inner().map_err(|error| error.to_string())?;
    for described in records::refused(&sandbox, &records, scenario.runs())? {
        tally.take(&name, &[], described, &["no record that another parser accepts".to_owned()]);
    }
    Ok(())
}

/// What strikes where. A sample takes kills and errors alike, since kills are few among all.
fn trials(points: &[Point], size: Size) -> Result<Vec<(Point, Fault)>> {
    let wanted = match std::env::var("FTL_TRIALS") {
        Ok(number) => number.parse()?,
        Err(_) => SAMPLE,
    };
    let only = std::env::var("FTL_FAULT").ok();
    let meant = |fault: &Fault| only.as_deref().is_none_or(|name| fault.name() == name);
    let (kills, errors): (Vec<_>, Vec<_>) = points
        .iter()
        .flat_map(|point| {
            let faults = Fault::ALL.into_iter().filter(|fault| fault.fits(point));
            faults.map(|fault| (point.clone(), fault))
        })
        .filter(|(_, fault)| meant(fault))
        .partition(|(_, fault)| *fault == Fault::Kill);
    let sample = |all: Vec<_>, wanted| match size {
        Size::Full => all,
        Size::Sample => evenly(all, wanted),
    };
    let mut trials = sample(kills, wanted / 3);
    trials.extend(sample(errors, wanted - wanted / 3));
    Ok(trials)
}

/// About so many of `all`. The stride shares no factor with the number of faults, so that each of
/// them is met.
fn evenly<T>(all: Vec<T>, wanted: usize) -> Vec<T> {
    let mut stride = (all.len() / wanted.max(1)).max(1);
    while stride > 1 && (2..=stride).any(|factor| both_divide(factor, stride)) {
        stride += 1;
    }
    all.into_iter().step_by(stride).collect()
}

fn both_divide(factor: usize, stride: usize) -> bool {
    stride.is_multiple_of(factor) && (Fault::ALL.len() - 1).is_multiple_of(factor)
}
