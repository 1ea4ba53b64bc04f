//! One fault at one call, the builds that come after it, and what must hold in the end.
//!
//! What must hold is stated by comparing with a baseline: the same build, undisturbed.

use std::fs;
use std::path::Path;
use std::process::Output;

use ftl_testkit::Result;
use ftl_testkit::program::Program;

use super::fault::Fault;
use super::order;
use super::points::{self, Point};
use super::scenario::Scenario;
use crate::sandbox::{Sandbox, Tree};

/// So many builds may come after a fault. One is enough; more would be patience.
const BUILDS: usize = 4;

/// No command here takes longer, in seconds, however busy the machine is.
const LIMIT: &str = "600";

/// How `timeout` passes on that a program was killed.
const KILLED: i32 = 137;

/// What differs between two records of the same build.
const FLEETING: [&str; 8] = [
    "began_at",
    "ended_at",
    "sealed_at",
    "completed_at",
    "blocked_at",
    "duration_ms",
    "log",
    "number",
];

/// The undisturbed build, against which the others are held.
#[derive(Debug)]
pub(super) struct Baseline {
    pub(super) points: Vec<Point>,
    record_name: String,
    record: String,
    tree: Tree,
}

impl Baseline {
    /// Builds the scenario once, traced.
    pub(super) fn observe(ftl: &Path, scenario: &Scenario, sandbox: &Sandbox) -> Result<Self> {
        scenario.lay_out(ftl, sandbox)?;
        let output = traced(ftl, scenario, sandbox, &[])?;
        if output.status.code() != Some(scenario.end.1) {
            let said = String::from_utf8_lossy(&output.stderr);
            let name = scenario.name;
            return Err(format!("`{name}` ended with {} undisturbed: {said}", output.status).into());
        }
        let trace = fs::read_to_string(sandbox.beside("trace"))?;
        if let Some(call) = order::ahead_of_journal(&trace, scenario.starts_only_commands()) {
            let name = scenario.name;
            return Err(format!("`{name}` is ahead of its journal at {call}").into());
        }
        let record_name = format!("001_task_{}.xml", scenario.end.0);
        let record = fs::read_to_string(sandbox.root().join(".ftl/workspace").join(&record_name))?;
        Ok(Self {
            points: points::of_trace(&trace),
            record_name,
            record: steady(&record),
            tree: sandbox.tree()?,
        })
    }

    /// The first line in which a record differs.
    fn difference(&self, record: &str) -> Option<String> {
        if record == self.record {
            return None;
        }
        let mut pairs = self.record.lines().zip(record.lines());
        let pair = pairs.find(|(expected, found)| expected != found);
        Some(pair.map_or_else(
            || "one is longer".to_owned(),
            |(expected, found)| format!("`{}`, not `{}`", found.trim(), expected.trim()),
        ))
    }

    /// Whether a record has the same outcome, kind of block and files.
    fn agrees_in_substance(&self, record: &str) -> bool {
        let substance = |record: &str| {
            let marks = ["<workspace ", "<run ", "<block ", "<file ", "<stray "];
            let lines = record.lines().map(str::trim);
            let meant = lines.filter(|line| marks.iter().any(|mark| line.starts_with(mark)));
            meant.map(str::to_owned).collect::<Vec<_>>()
        };
        substance(&steady(record)) == substance(&self.record)
    }
}

/// A point with its fault.
#[derive(Debug)]
pub(super) struct Trial<'a> {
    pub(super) ftl: &'a Path,
    pub(super) scenario: &'a Scenario,
    pub(super) baseline: &'a Baseline,
    pub(super) point: &'a Point,
    pub(super) fault: Fault,
}

/// How a trial went.
#[derive(Debug)]
pub(super) struct TrialOutcome {
    /// Whether the call was made and struck.
    pub(super) struck: bool,
    /// Builds after the fault, until one ended in a verdict.
    pub(super) builds: usize,
    /// Whether ftl said that `--restart` was the way out.
    pub(super) restarted: bool,
    /// Whether the record names the fault, which must be a note only then.
    pub(super) said: bool,
    /// The record, for a second reader.
    pub(super) record: Vec<u8>,
    /// What does not hold.
    pub(super) broken: Vec<String>,
}

impl Trial<'_> {
    /// What befell which call of which build.
    pub(super) fn describe(&self) -> String {
        format!("{}: {} at {}", self.scenario.name, self.fault.name(), self.point.shown)
    }

    /// Strikes, builds again, looks.
    pub(super) fn run(&self, sandbox: &Sandbox) -> Result<TrialOutcome> {
        self.scenario.lay_out(self.ftl, sandbox)?;
        let struck = traced(self.ftl, self.scenario, sandbox, &self.fault.options(self.point))?;
        let trace = fs::read_to_string(sandbox.beside("trace"))?;
        let killed = struck.status.code().is_none_or(|code| code == KILLED);
        let mut found = TrialOutcome {
            struck: killed || trace.contains("(INJECTED)"),
            builds: 0,
            restarted: false,
            said: false,
            record: Vec::new(),
            broken: Vec::new(),
        };
        if struck.status.code() == Some(self.scenario.end.1) && !self.is_sealed(sandbox)? {
            found.broken.push("said to be done, and was not".to_owned());
        }
        self.go_on(sandbox, &mut found)?;
        self.look(sandbox, &mut found)?;
        sandbox.end_processes()?;
        Ok(found)
    }

    /// Builds until a build ends in a verdict, or says that the task is finished.
    fn go_on(&self, sandbox: &Sandbox, found: &mut TrialOutcome) -> Result {
        let mut said = String::new();
        while !self.is_sealed(sandbox)? {
            if found.builds == BUILDS {
                found.broken.push(format!("no verdict: {said}"));
                return Ok(());
            }
            let restart = said.contains("--restart");
            found.restarted |= restart;
            let output = limited(sandbox, self.ftl)
                .args(self.scenario.command(sandbox)?)
                .args(restart.then_some("--restart"))
                // What a killed request left is the implementer's: no user works here.
                .args(["--put-back"])
                .output()?;
            found.builds += 1;
            said = String::from_utf8_lossy(&output.stderr).into_owned();
        }
        Ok(())
    }

    /// Everything that must hold in the end.
    fn look(&self, sandbox: &Sandbox, found: &mut TrialOutcome) -> Result {
        let names = sandbox.names(".ftl/workspace")?;
        let is_complete = names == ["001_task_complete.xml"] && self.scenario.or_complete;
        if names != [self.baseline.record_name.as_str()] && !is_complete {
            found.broken.push(format!("the task's files are {names:?}"));
            return Ok(());
        }
        found.record = fs::read(sandbox.root().join(".ftl/workspace").join(&names[0]))?;
        let record = String::from_utf8_lossy(&found.record);
        found.said = says_fault(&record);
        if !is_complete
            && let Some(difference) = self.baseline.difference(&steady(&record))
            && !(found.said && self.baseline.agrees_in_substance(&record))
        {
            found.broken.push(format!("another record: {difference}"));
        }
        found.broken.extend(self.tree_difference(sandbox, found)?);
        for kept in self.scenario.kept {
            if !sandbox.keeps(".ftl/runs", kept.as_bytes())? {
                found.broken.push(format!("lost: {kept:?}"));
            }
        }
        let is_said = record.contains(MAY_RUN);
        found.broken.extend(sandbox.temporaries()?);
        found.broken.extend(sandbox.processes().filter(|_| !is_said));
        Ok(())
    }

    /// A cache that could not be taken over may be missing, once that is said.
    fn tree_difference(&self, sandbox: &Sandbox, found: &TrialOutcome) -> Result<Option<String>> {
        let (then, now) = (self.baseline.tree.clone(), sandbox.tree()?);
        Ok(if found.said {
            then.without(CACHE).difference(&now.without(CACHE))
        } else {
            then.difference(&now)
        })
    }

    fn is_sealed(&self, sandbox: &Sandbox) -> Result<bool> {
        self.scenario.is_over(sandbox)
    }
}

/// `ftl build` under strace, in one thread: children and helping threads are not followed.
fn traced(ftl: &Path, scenario: &Scenario, sandbox: &Sandbox, faults: &[String]) -> Result<Output> {
    limited(sandbox, Path::new("strace"))
        .args(["-qq", "-o"])
        .args([sandbox.beside("trace")])
        .args(["-e", &points::watched(), "-e", "signal=none"])
        .args(faults)
        .args([ftl])
        .args(scenario.command(sandbox)?)
        .output()
}

fn limited(sandbox: &Sandbox, program: &Path) -> Program {
    sandbox.program("timeout").args(["--signal=KILL", LIMIT]).args([program])
}

/// A record without what is never the same twice.
fn steady(record: &str) -> String {
    let mut steady = record.to_owned();
    // Of a task that was reopened, the document holds the times of the run before.
    let is_second = record.matches("<run ").count() > 1;
    let of_second = is_second.then_some("workspace_sha256");
    for name in FLEETING.into_iter().chain(of_second) {
        let begin = format!(" {name}=\"");
        let mut from = 0;
        while let Some(at) = steady[from..].find(&begin) {
            let start = from + at + begin.len();
            let end = steady[start..].find('"').map_or(steady.len(), |end| start + end);
            steady.replace_range(start..end, "");
            from = start;
        }
    }
    without_processes(&steady)
}

/// Of the line that names processes, nothing but its words.
fn without_processes(record: &str) -> String {
    let line = |line: &str| {
        let names_some = line.contains("left running");
        let plain = |letter: &char| !names_some || !letter.is_ascii_digit();
        line.chars().filter(plain).chain(['\n']).collect::<String>()
    };
    record.lines().map(line).collect()
}

/// What an implementer leaves in a scenario without need.
const CACHE: &str = "__pycache__";

/// How a record says that processes could not be seen, or not be ended.
const MAY_RUN: &str = "may run still";

/// Whether a warning or a reason of the record names an error of the system.
fn says_fault(record: &str) -> bool {
    record.contains("(os error ") || record.contains(MAY_RUN)
}

#[cfg(test)]
mod tests {
    use super::steady;

    #[test]
    fn times_and_numbers_of_runs_do_not_tell_records_apart() {
        let record =
            "<run number=\"2\" began_at=\"x\"><verify duration_ms=\"7\" exit=\"0\"/></run>\n";
        let steadied =
            "<run number=\"\" began_at=\"\"><verify duration_ms=\"\" exit=\"0\"/></run>\n";
        assert_eq!(steady(record), steadied);
    }
}
