//! `cargo xtask agents [AGENT…] [--case CASE] [--way WAY] [--check]`: real agents through real builds.
//!
//! The agents come from their packages at pinned versions, and talk to a model server that answers by a script. So it
//! is the plumbing that is tried, not whether a model solves tasks.

#![expect(clippy::print_stdout, reason = "tools talk to the terminal")]

mod case;
mod inspector;
mod installed;
mod judge;
mod kept;
mod page;
mod project;
mod run;
mod setup;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::thread;

use ftl_testkit::{Result, build, root};

use crate::case::{CASES, Case, WAYS, Way};
use crate::installed::Installed;
use crate::judge::Cell;

const HELP: &str = "\
usage: cargo xtask agents [AGENT…] [--case CASE] [--way WAY]
                             run agents against a scripted model server, and write what this and
                             earlier runs came to into docs/agents-measured.md
       cargo xtask agents --check
                             run a few cases with the agents that are installed already; write nothing";

/// What was found, by way, case and agent.
pub(crate) type Cells = BTreeMap<(&'static str, &'static str, String), Cell>;

/// Which runs are wanted.
struct Wanted {
    agents: Vec<&'static str>,
    cases: Vec<&'static Case>,
    ways: Vec<Way>,
    is_check: bool,
}

fn main() -> ExitCode {
    ftl_testkit::main(run)
}

/// Runs what is wanted, prints each cell, and writes the page with what is known from now and from earlier.
///
/// # Errors
///
/// An unknown word, a build that failed, or an agent that did not end as it must.
fn run(words: &[&str]) -> Result {
    let wanted = wanted(words)?;
    let ftl = match std::env::var_os(build::FTL) {
        Some(path) => PathBuf::from(path).canonicalize()?,
        None => build::ftl("dev")?,
    };
    let mut present = Vec::new();
    let mut skipped = Vec::new();
    for name in &wanted.agents {
        match installed::agent(name, wanted.is_check) {
            Ok(installed) => present.push(installed),
            Err(why) => {
                println!("skipped: {name}: {why}");
                skipped.push(((*name).to_owned(), why.to_string()));
            }
        }
    }
    let cells = all(&present, &wanted, &ftl)?;
    let inspected = inspector::inspect(&ftl, wanted.is_check).map_err(|why| why.to_string());
    match &inspected {
        Ok(calls) => println!("inspector: {calls} calls"),
        Err(why) => println!("inspector: {why}"),
    }
    if !wanted.is_check {
        let others = installed::NAMES.iter();
        for name in others.filter(|name| !wanted.agents.contains(name)) {
            match installed::agent(name, true) {
                Ok(installed) => present.push(installed),
                Err(why) => skipped.push(((*name).to_owned(), why.to_string())),
            }
        }
        present.sort_by(|one, other| one.name.cmp(&other.name));
        let page = page::render(&present, &skipped, kept::all(&present), &inspected)?;
        std::fs::write(root().join("docs/agents-measured.md"), page)?;
    }
    let missed: Vec<String> = cells
        .iter()
        .filter(|(_, cell)| !cell.misses.is_empty())
        .map(|((way, case, agent), _)| format!("{agent} {way} {case}"))
        .collect();
    if missed.is_empty() {
        println!("{} runs, each ended as it must", cells.len());
        return Ok(());
    }
    Err(format!("did not end as it must: {}", missed.join(", ")).into())
}

fn wanted(words: &[&str]) -> Result<Wanted> {
    let mut wanted = Wanted {
        agents: Vec::new(),
        cases: Vec::new(),
        ways: Vec::new(),
        is_check: false,
    };
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match *word {
            "--check" => wanted.is_check = true,
            "--case" => {
                let name = words.next().ok_or(HELP)?;
                let case = CASES.iter().find(|case| case.name == *name);
                wanted
                    .cases
                    .push(case.ok_or_else(|| format!("no case `{name}`"))?);
            }
            "--way" => {
                let name = words.next().ok_or(HELP)?;
                let way = WAYS.into_iter().find(|way| way.name() == *name);
                wanted
                    .ways
                    .push(way.ok_or_else(|| format!("no way `{name}`"))?);
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
        let of_check = |case: &&Case| !wanted.is_check || case.is_in_check;
        wanted.cases = CASES.iter().filter(of_check).collect();
    }
    if wanted.ways.is_empty() {
        wanted.ways = match wanted.is_check {
            true => vec![Way::Scoped],
            false => WAYS.to_vec(),
        };
    }
    Ok(wanted)
}

/// Every run. Three agents work at a time, each with a home of its own: much of it is waiting.
fn all(present: &[Installed], wanted: &Wanted, ftl: &std::path::Path) -> Result<Cells> {
    let next = Mutex::new(present.iter());
    let cells = Mutex::new(Cells::new());
    let faults = Mutex::new(Vec::new());
    let work = || {
        loop {
            // Held for this line alone: the others take the next one meanwhile.
            let agent = next.lock().expect("because no holder panics").next();
            let Some(agent) = agent else { break };
            if let Err(error) = one_agent(agent, wanted, ftl, &cells) {
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
    if !faults.is_empty() {
        return Err(faults.join("; ").into());
    }
    let mut cells = cells.into_inner()?;
    judge::same_records(&mut cells);
    Ok(cells)
}

fn one_agent(
    agent: &Installed,
    wanted: &Wanted,
    ftl: &std::path::Path,
    cells: &Mutex<Cells>,
) -> Result {
    // As at a newcomer's, with an empty home.
    let home = run::home(agent);
    if home.exists() && wanted.cases.len() == CASES.len() {
        std::fs::remove_dir_all(home)?;
    }
    for way in &wanted.ways {
        for case in &wanted.cases {
            let cell = match setup::is_possible(&agent.name, *way, case) {
                Err(why) => Cell::left_out(why),
                Ok(()) => {
                    let done = run::run(agent, *way, case, ftl)?;
                    judge::judge(case, *way, &done)
                }
            };
            if !wanted.is_check {
                kept::keep(agent, way.name(), case.name, &cell)?;
            }
            let line = format!(
                "{:9} {:6} {:12} {}",
                agent.name,
                way.name(),
                case.name,
                cell
            );
            println!("{line}");
            let key = (way.name(), case.name, agent.name.clone());
            cells
                .lock()
                .expect("because no holder panics")
                .insert(key, cell);
        }
    }
    Ok(())
}
