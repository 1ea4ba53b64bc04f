//! `cargo xtask agents [AGENT…] [--case CASE] [--way WAY]`: real agents through real builds.
//!
//! The agents come from their packages at pinned versions, and talk to a model server that answers by a script. So it
//! is the plumbing that is tried, not whether a model solves tasks.

#![expect(clippy::print_stdout, reason = "tools talk to the terminal")]

mod case;
mod client;
mod conformance;
mod guide;
mod inspector;
mod installed;
mod judge;
mod kept;
mod newcomer;
mod page;
mod place;
mod project;
mod run;
mod setup;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use ftl_testkit::{Result, build, root};

use crate::case::{CASES, WAYS, Way};
use crate::installed::{Build, Installed};
use crate::judge::Cell;

const HELP: &str = "\
usage: cargo xtask agents [AGENT…] [--case CASE] [--way WAY]
                             run agents against a scripted model server, and write what these and
                             earlier runs of the same build of ftl came to into lab/agents.md";

/// What was found, by way, case and agent.
pub(crate) type Cells = BTreeMap<(&'static str, &'static str, String), Cell>;

/// Which runs are wanted.
struct Wanted {
    agents: Vec<&'static str>,
    cases: Vec<&'static str>,
    ways: Vec<Way>,
}

fn main() -> ExitCode {
    ftl_testkit::main(run)
}

/// Runs what is wanted, prints each cell, and writes the page with what is known of this build.
///
/// # Errors
///
/// An unknown word, a build that failed, or an agent that did not end as it must.
fn run(words: &[&str]) -> Result {
    let wanted = wanted(words)?;
    let _alone = installed::alone()?;
    let ftl = match std::env::var_os(build::FTL) {
        Some(path) => PathBuf::from(path).canonicalize()?,
        None => build::ftl("dev")?,
    };
    let ftl = installed::program(&ftl)?;
    let (mut present, mut skipped) = (Vec::new(), Vec::new());
    for name in installed::NAMES {
        let is_wanted = wanted.agents.contains(&name);
        match installed::agent(name, !is_wanted) {
            Ok(installed) => present.push(installed),
            Err(why) => {
                println!("skipped: {name}: {why}");
                skipped.push((name.to_owned(), why.to_string()));
            }
        }
    }
    if wanted.ways.contains(&Way::Newcomer) {
        installed::pytest()?;
    }
    let count = all(&present, &wanted, &ftl)?;
    let inspected = inspector::inspect(&ftl.program).map_err(|why| why.to_string());
    match &inspected {
        Ok(calls) => println!("inspector: {calls} calls"),
        Err(why) => println!("inspector: {why}"),
    }
    let conforms = conformance::run(&ftl.program).map_err(|why| why.to_string());
    match &conforms {
        Ok(()) => println!("conformance: {} scenarios", conformance::SCENARIOS.len()),
        Err(why) => println!("conformance: {why}"),
    }
    present.sort_by(|one, other| one.name.cmp(&other.name));
    let (mut cells, first, last) = kept::all(&ftl, &present);
    judge::same_records(&mut cells);
    let known = (&cells, first.as_str(), last.as_str());
    let page = page::render(&ftl, &present, &skipped, known, (&inspected, &conforms))?;
    std::fs::write(root().join("lab/agents.md"), page)?;
    let missed: Vec<String> = cells
        .iter()
        .filter(|(_, cell)| !cell.misses.is_empty())
        .map(|((way, case, agent), cell)| {
            format!("{agent} {way} {case}: {}", cell.misses.join("; "))
        })
        .collect();
    if missed.is_empty() && inspected.is_ok() && conforms.is_ok() {
        println!("{count} runs now, {} known of this build, each ended as it must", cells.len());
        return Ok(());
    }
    Err(format!("did not end as it must:\n{}", missed.join("\n")).into())
}

fn wanted(words: &[&str]) -> Result<Wanted> {
    let mut wanted = Wanted { agents: Vec::new(), cases: Vec::new(), ways: Vec::new() };
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match *word {
            "--case" => {
                let name = words.next().ok_or(HELP)?;
                let case = CASES.iter().find(|case| case.name == *name);
                let case = case.ok_or_else(|| format!("no case `{name}`"))?;
                wanted.cases.push(case.name);
            }
            "--way" => {
                let name = words.next().ok_or(HELP)?;
                let way = WAYS.into_iter().find(|way| way.name() == *name);
                wanted.ways.push(way.ok_or_else(|| format!("no way `{name}`"))?);
            }
            name => match installed::NAMES.iter().find(|known| **known == name) {
                Some(known) => wanted.agents.push(known),
                None => return Err(format!("no agent `{name}`\n\n{HELP}").into()),
            },
        }
    }
    if wanted.agents.is_empty() {
        wanted.agents = installed::NAMES.to_vec();
    }
    if wanted.cases.is_empty() {
        wanted.cases = CASES.iter().map(|case| case.name).collect();
    }
    if wanted.ways.is_empty() {
        wanted.ways = WAYS.to_vec();
    }
    Ok(wanted)
}

/// Every run that is wanted; gives how many there were. Three agents work at a time, each with a separate home: much
/// of it is waiting.
fn all(present: &[Installed], wanted: &Wanted, ftl: &Build) -> Result<usize> {
    let is_wanted = |agent: &&Installed| wanted.agents.contains(&&*agent.name);
    let next = Mutex::new(present.iter().filter(is_wanted));
    let count = AtomicUsize::new(0);
    let faults = Mutex::new(Vec::new());
    let work = || {
        loop {
            // Held for this line alone: the others take the next one at the same time.
            let agent = next.lock().expect("because no holder panics").next();
            let Some(agent) = agent else { break };
            if let Err(error) = one_agent(agent, wanted, ftl, &count) {
                let fault = format!("{}: {error}", agent.name);
                faults.lock().expect("because no holder panics").push(fault);
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(work);
        }
    });
    let faults = faults.into_inner()?;
    match faults.is_empty() {
        true => Ok(count.into_inner()),
        false => Err(faults.join("; ").into()),
    }
}

fn one_agent(agent: &Installed, wanted: &Wanted, ftl: &Build, count: &AtomicUsize) -> Result {
    // As at a newcomer's, with an empty home.
    let home = place::home(agent);
    if home.exists() && wanted.cases.len() == CASES.len() {
        std::fs::remove_dir_all(home)?;
    }
    for way in &wanted.ways {
        for case in way.cases().filter(|case| wanted.cases.contains(&case.name)) {
            let cell = match (setup::is_possible(&agent.name, *way, case), way) {
                (Err(why), _) => Cell::left_out(why),
                (Ok(()), Way::Newcomer) => newcomer::run(agent, case, &ftl.program)?,
                (Ok(()), _) => {
                    judge::judge(case, *way, &run::run(agent, *way, case, &ftl.program)?)
                }
            };
            count.fetch_add(usize::from(cell.seconds.is_some()), Ordering::Relaxed);
            kept::keep(ftl, agent, way.name(), case.name, &cell)?;
            let (agent, way) = (&agent.name, way.name());
            println!("{agent:9} {way:8} {:12} {cell}", case.name);
        }
    }
    Ok(())
}
