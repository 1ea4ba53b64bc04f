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
mod tally;
mod trial;

use std::path::Path;
use std::sync::Mutex;

use crate::sandbox::Sandbox;
use crate::{Size, workers};
use fault::Fault;
use ftl_testkit::Result;
use ftl_testkit::build::named_or_release;
use ftl_testkit::program::Program;
use points::Point;
use scenario::{SCENARIOS, Scenario};
use tally::Tally;
use trial::{Baseline, Trial};

/// Without `--full`, so many trials of each scenario are taken, evenly; `FTL_TRIALS` names another
/// number.
const SAMPLE: usize = 45;

/// Strikes every scenario at its points.
pub(super) fn run(size: Size) -> Result {
    for (tool, probe) in [("strace", "--version"), ("git", "--version"), ("python3", "--version")] {
        if !Program::new(tool, Path::new(".")).args([probe]).succeeds() {
            println!("skipped: needs {tool}");
            return Ok(());
        }
    }
    let ftl = named_or_release()?;
    let only = std::env::var("FTL_SCENARIO").ok();
    let meant = |scenario: &Scenario| only.as_deref().is_none_or(|name| name == scenario.name);
    let mut all = Tally::default();
    println!("{}", Tally::HEADING);
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
        let tally = sweep(&ftl, scenario, &baseline, shared, size)?;
        struck.push(baseline.points);
        println!("{}", tally.row(scenario.name));
        all.add(tally);
    }
    println!("{}", all.row("all"));
    all.verdict()
}

/// Every trial of one scenario, on all workers. The first `shared` points are another's too, which
/// was struck there.
fn sweep(
    ftl: &Path,
    scenario: &Scenario,
    baseline: &Baseline,
    shared: usize,
    size: Size,
) -> Result<Tally> {
    let sandbox = Sandbox::new("kill")?;
    let trials = trials(&baseline.points[shared..], size)?;
    let tally = Mutex::new(Tally::of(baseline.points.len() - shared));
    workers::each("kill", &trials, |sandbox, (point, fault)| {
        let trial = Trial { ftl, scenario, baseline, point, fault: *fault };
        let found = trial.run(sandbox)?;
        let mut tally = tally.lock().map_err(|error| error.to_string())?;
        tally.take(&trial.describe(), *fault, found);
        Ok(())
    })?;
    let mut tally = tally.into_inner()?;
    records::check(&sandbox, &mut tally, scenario.runs())?;
    Ok(tally)
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
