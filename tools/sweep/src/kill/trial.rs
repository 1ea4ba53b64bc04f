//! One fault at one call, the builds that come after it, and what must hold in the end.
//!
//! What must hold is stated by comparing with a baseline: the same build, undisturbed.

use ftl_testkit::Result;
use ftl_testkit::sweep::build::Build;
use ftl_testkit::sweep::listing::{self, Listing};
use ftl_testkit::sweep::sandbox::Sandbox;
use ftl_testkit::sweep::{Trial, TrialOutcome};

use super::fault::Fault;
use super::order;
use crate::record::{self, steady};
use crate::scenarios::VERIFY_WRITES;
use crate::strace::{self, Call};

/// How `timeout` passes on that a program was killed.
const KILLED: i32 = 137;

/// How a record says that git refused, such as for a lock that a struck build's git left.
const NOT_HELD: &str = "are not held against `git gc`";

/// How a record says that processes could not be seen, or not be ended.
const MAY_RUN: &str = "may still be running";

/// How a record says that a delta file changed in the project, which is not written over.
const CHANGED_DURING_REQUEST: &str = "changed in the project while the implementer worked";

/// How a record says that what strayed is not kept.
const NO_ROOM: &str = "has no room for it";

/// The undisturbed build, against which the others are held.
#[derive(Debug)]
pub(super) struct Baseline<'a> {
    build: Build<'a>,
    pub(super) calls: Vec<Call>,
    /// Of each task.
    records: Vec<String>,
    /// The project before it.
    before: Listing,
    tree: Listing,
}

/// The states of a run that a fault struck between its verdict and its seal. That costs no call.
const VERIFIED_AGAIN: &str = "QUALITY PREFLIGHT VERIFY QUALITY";

impl<'a> Baseline<'a> {
    /// Builds the scenario once, traced.
    pub(super) fn observe(build: Build<'a>, sandbox: &mut Sandbox) -> Result<Self> {
        let watched = strace::watched();
        let traced = strace::words(&watched, &[]);
        build.lay_out(sandbox)?;
        let before = build.listing(sandbox)?;
        build.undisturbed(sandbox, |build, sandbox| build.struck(sandbox, &traced, &[]))?;
        build.go_on(sandbox, &[], |options| build.run(sandbox, options))?;
        let trace = sandbox.read(strace::TRACE)?;
        if let Some(call) = order::ahead_of_journal(&trace) {
            return Err(format!("{} is ahead of its journal at {call}", build.describe()).into());
        }
        let records = records(&build, sandbox)?.into_iter().map(|(_, record)| steady(&record));
        let records: Vec<String> = records.collect();
        if build.scenario.name.contains("verified with") && !records[0].contains(" with=\"") {
            return Err(format!("{} was verified by itself", build.describe()).into());
        }
        let tree = build.listing(sandbox)?;
        sandbox.end_processes()?;
        Ok(Self { build, calls: strace::calls(&trace), records, before, tree })
    }
}

/// The names and texts of the records of a build's tasks.
fn records(build: &Build, sandbox: &Sandbox) -> Result<Vec<(String, String)>> {
    let runs = 1 + usize::from(build.scenario.reopened.is_some());
    let tasks = sandbox.root().join(".ftl/workspace");
    let read = |task| Ok(record::read(&tasks, task, runs..=runs)??);
    build.scenario.tasks().map(read).collect()
}

/// The first line in which a record differs from the expected one.
fn difference(expected: &str, record: &str) -> Option<String> {
    let mut pairs = expected.lines().zip(record.lines());
    let pair = pairs.find(|(expected, found)| expected != found);
    match pair {
        _ if record == expected => None,
        None => Some("another record: one is longer".to_owned()),
        Some((expected, found)) => {
            Some(format!("another record: `{}`, not `{}`", found.trim(), expected.trim()))
        }
    }
}

/// Whether two records have the same outcome, kind of block and files.
fn agree_in_substance(expected: &str, record: &str) -> bool {
    let marks = ["<workspace ", "<run ", "<block ", "<file ", "<stray "];
    let meant = |line: &&str| marks.iter().any(|mark| line.starts_with(mark));
    let (a, b) = (expected.lines().map(str::trim), record.lines().map(str::trim));
    a.filter(meant).eq(b.filter(meant))
}

/// A call with its fault.
#[derive(Debug)]
pub(super) struct FaultTrial<'a> {
    pub(super) baseline: &'a Baseline<'a>,
    pub(super) call: &'a Call,
    pub(super) fault: Fault,
}

impl Trial for FaultTrial<'_> {
    fn row(&self) -> Vec<&'static str> {
        self.baseline.build.row()
    }

    /// Kills are few among all.
    fn group(&self) -> &'static str {
        if self.fault == Fault::Kill { "kill" } else { "error" }
    }

    fn describe(&self) -> String {
        let build = self.baseline.build.describe();
        format!("{build}: {} at {}", self.fault.name(), self.call.shown)
    }

    /// Strikes, builds again, looks.
    fn run(&self, sandbox: &mut Sandbox) -> Result<TrialOutcome> {
        let build = &self.baseline.build;
        build.lay_out(sandbox)?;
        let injected = self.fault.injected(self.call);
        let watched = strace::watched();
        let traced = strace::words(&watched, &injected);
        let output = build.struck(sandbox, &traced, &[]).output()?;
        let code = output.status.code();
        let is_struck = code.is_none_or(|code| code == KILLED)
            || sandbox.read(strace::TRACE)?.contains("(INJECTED)");
        let mut broken = Vec::new();
        if code == Some(KILLED) && self.fault != Fault::Kill {
            broken.push("did not end by itself".to_owned());
        }
        // What a task's process reports beside others is its last line.
        let is_alone = build.scenario.beside.is_empty();
        if is_alone && code == Some(build.code()) && !build.is_over(sandbox)? {
            broken.push("said to be done, and was not".to_owned());
        }
        if is_alone {
            broken.extend(self.touched(sandbox)?);
        }
        let again = build.go_on(sandbox, &[], |options| build.run(sandbox, options))?;
        let mut is_said = false;
        match again.no_record {
            Some(said) => broken.push(format!("no record: {said}")),
            None => is_said = self.look(sandbox, &mut broken)?,
        }
        let struck = |is_kind: bool| usize::from(is_struck && is_kind);
        let counts = vec![
            struck(matches!(self.fault, Fault::Kill)),
            struck(matches!(self.fault, Fault::Once(_))),
            struck(matches!(self.fault, Fault::Always(_))),
            struck(matches!(self.fault, Fault::Dead)),
            usize::from(!is_struck),
            usize::from(is_said),
            usize::from(again.restarted),
            again.builds,
        ];
        Ok(TrialOutcome { counts, broken })
    }
}

impl FaultTrial<'_> {
    /// What the struck build did in the project beside the delta. A copy that was about to land may be left for the
    /// next build.
    fn touched(&self, sandbox: &Sandbox) -> Result<Vec<String>> {
        let build = &self.baseline.build;
        let is_theirs = |label: &String| {
            let is_landing = label.ends_with(".ftl-new") || label.ends_with(".ftl-old");
            let is_commit = build.scenario.commits() && label.starts_with("git: ");
            !is_landing && !is_commit && !build.scenario.own.contains(&label.as_str())
        };
        let [before, now] =
            [self.baseline.before.clone(), build.listing(sandbox)?].map(|mut listing| {
                listing.retain(|label, _| is_theirs(label));
                listing
            });
        let touched = listing::differences(&before, &now).into_iter();
        Ok(touched.map(|one| format!("when struck: {one}")).collect())
    }

    /// Everything that must hold in the end. Returns whether the record names the fault, which may be a note
    /// only then.
    fn look(&self, sandbox: &Sandbox, broken: &mut Vec<String>) -> Result<bool> {
        let build = &self.baseline.build;
        let records = match records(build, sandbox) {
            Ok(found) => found,
            Err(problem) => {
                broken.push(problem.to_string());
                return Ok(false);
            }
        };
        let says = |text: &str| records.iter().any(|(_, record)| record.contains(text));
        let is_said = says("(os error ") || says(MAY_RUN) || says(NO_ROOM) || says(NOT_HELD);
        // A landing that is undone is made again, which the record counts.
        let is_written = build.scenario.name == VERIFY_WRITES.name;
        let may_differ = is_said || is_written || !build.scenario.beside.is_empty();
        if records[0].0 == build.record_name() {
            for (expected, (_, record)) in self.baseline.records.iter().zip(&records) {
                let steady = steady(record);
                // What had passed in the project is there no more after a crash: it lands and is verified again.
                let may_differ = may_differ || steady.contains(VERIFIED_AGAIN);
                // What an interrupted verify wrote is kept as a person's edit, over which nothing lands.
                let is_kept = is_written && steady.contains(CHANGED_DURING_REQUEST);
                let is_noted = is_kept || may_differ && agree_in_substance(expected, &steady);
                broken.extend(difference(expected, &steady).filter(|_| !is_noted));
            }
        } else if !is_written {
            // What an interrupted verify wrote counts as an edit that was made while nothing ran: it is
            // checked and verified again. In other scenarios nothing is written then.
            let (name, text) = &records[0];
            broken.push(format!("the record is `{name}`: {}", text.replace('\n', "\n        ")));
        }
        broken.extend(listing::differences(&self.baseline.tree, &build.listing(sandbox)?));
        for stray in
            ["STRAY 1", "STRAY 2"].iter().filter(|text| build.scenario.agent.contains(**text))
        {
            if !says(NO_ROOM) && !sandbox.holds(&sandbox.root().join(".ftl/runs"), stray)? {
                broken.push(format!("lost: {stray}"));
            }
        }
        // What was not finished of the ledger of commits, the next one replaces.
        let is_ledger = |it: &String| build.scenario.commits() && it.contains("/.checks.tmp");
        broken.extend(sandbox.temporaries().into_iter().filter(|it| !is_ledger(it)));
        broken.extend(sandbox.running().into_iter().filter(|_| !says(MAY_RUN)));
        Ok(is_said)
    }
}
