//! Power cuts at every step of a run from its journal to its record, with each of its syncs left out in turn.
//!
//! After a cut, the task is active or has its record. Once an implementer was asked, the journal says so; once the
//! record is in place, the journal leads to it, and each file that it names is whole. A run that asked no implementer and
//! keeps no file may lose its directory: its record holds all of it.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::Path;

use ftl_model::{Status, WorkspaceId};

use super::{Bug, Disk, Names, SimFs};
use crate::journal::JOURNAL;
use crate::{Journal, Layout, Runs, StoreError, seal, write_out_later};

const ACTIVE: &str = "/p/.ftl/workspace/001_a_active.xml";
const COMPLETE: &str = "/p/.ftl/workspace/001_a_complete.xml";
const LOG: &str = "/p/.ftl/runs/001_a/1/outputs/verify-1.log";
const RUN: &str = "/p/.ftl/runs/001_a/1";
const TASK: &[u8] = b"task";
const RECORD: &[u8] = b"record";
const OUTPUT: &[u8] = b"passed";

/// What must never be seen after a crash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Violation {
    /// The task is neither as it was nor sealed.
    TaskLost,
    /// The seal had been reported, and the record is not there.
    RecordForgotten,
    /// An implementer was asked, or has answered, and the journal does not say so.
    RequestForgotten,
    /// The journal ends before what the record says.
    JournalTorn,
    /// The record names a file that is gone or empty.
    OutputLost,
}

/// What a run does beside reading and sealing.
#[derive(Clone, Copy, Debug)]
struct Plan {
    asks: bool,
    prints: bool,
}

const PLANS: [Plan; 4] = [
    Plan { asks: false, prints: false },
    Plan { asks: false, prints: true },
    Plan { asks: true, prints: false },
    Plan { asks: true, prints: true },
];

struct Run {
    plan: Plan,
    files: SimFs,
    /// Steps taken, and lines after the opening one that from then on must not be lost.
    relied_on: RefCell<Vec<(usize, usize)>>,
}

impl Run {
    fn new(plan: Plan, disk: &Disk, bug: Option<Bug>) -> Self {
        Self { plan, files: SimFs::new(disk, bug), relied_on: RefCell::new(Vec::new()) }
    }

    fn rely_on(&self, lines: usize) {
        self.relied_on.borrow_mut().push((self.files.steps(), lines));
    }

    /// From the beginning, or as the next build does after a crash that left nothing to go on from.
    fn whole(&self) -> Result<(), StoreError> {
        let files = &self.files;
        let layout = Layout::new("/p");
        layout.prepare(files)?;
        let runs = Runs::new(files, &layout, &WorkspaceId::new("001", "a"));
        let run = runs.next()?;
        runs.begin(&run)?;
        let mut journal = Journal::create(files, run.dir(), "", &0)?;
        if self.plan.asks {
            run.make_places(files)?;
            journal.append_note("", &0)?;
            journal.sync()?;
            self.rely_on(1);
            journal.append_event("", &0)?;
            journal.sync()?;
            self.rely_on(2);
        }
        if self.plan.prints {
            let log = write_out_later(files, &run.outputs(), "verify-1.log", OUTPUT)?;
            journal.rely_on(log.path);
        }
        journal.append_event("", &0)?;
        journal.sync_for_record()?;
        seal(files, Path::new(ACTIVE), Status::Complete, RECORD)?;
        Ok(())
    }

    fn lines(&self) -> usize {
        if self.plan.asks { 3 } else { 1 }
    }

    fn violations(&self) -> BTreeSet<Violation> {
        let mut moments = self.files.worst_moments();
        moments.extend(self.relied_on.borrow().iter().map(|(at, _)| at));
        let end = self.files.steps();
        let mut found = BTreeSet::new();
        for steps in moments {
            let relied_on = self.relied_on.borrow();
            let past = relied_on.iter().filter(|(at, _)| *at <= steps);
            let lines = past.map(|(_, lines)| *lines).max().unwrap_or(0);
            let disks = Names::ALL.map(|names| self.files.after_power_cut(steps, names));
            for disk in disks.iter().flatten() {
                found.extend(self.check(disk, lines, steps == end));
            }
        }
        found
    }

    fn check(&self, disk: &Disk, relied_on: usize, is_done: bool) -> Vec<Violation> {
        let file = |path: &str| disk.get(path).and_then(Option::as_deref);
        let tasks = [file(ACTIVE), file(COMPLETE)];
        let is_sealed = tasks.contains(&Some(RECORD));
        let mut found = Vec::new();
        if !is_sealed && tasks != [Some(TASK), None] {
            found.push(Violation::TaskLost);
        }
        if is_done && file(COMPLETE) != Some(RECORD) {
            found.push(Violation::RecordForgotten);
        }
        let read = Journal::read(&SimFs::new(disk, None), Path::new(RUN));
        let lines = read.as_ref().map_or(0, |(_, entries)| entries.len());
        if lines < relied_on {
            found.push(Violation::RequestForgotten);
        }
        let may_be_gone = read.is_err() && !self.plan.asks && !self.plan.prints;
        if is_sealed && lines < self.lines() && !may_be_gone {
            found.push(Violation::JournalTorn);
        }
        if is_sealed && self.plan.prints && file(LOG) != Some(OUTPUT) {
            found.push(Violation::OutputLost);
        }
        found
    }
}

/// With what [`Layout::prepare`] makes beside runs, which would only add names.
fn project() -> Disk {
    let dirs = ["/p", "/p/.ftl", "/p/.ftl/locks", "/p/.ftl/workspace"];
    let files = [(ACTIVE, TASK), ("/p/.ftl/.gitignore", b"runs")];
    let files = files.map(|(path, bytes)| (path.into(), Some(bytes.to_owned())));
    dirs.map(|dir| (dir.into(), None)).into_iter().chain(files).collect()
}

#[test]
fn no_power_cut_loses_a_task_a_request_or_what_a_record_names() {
    for plan in PLANS {
        let run = Run::new(plan, &project(), None);
        run.whole().unwrap();
        assert_eq!(run.violations(), BTreeSet::new(), "{plan:?}");
    }
}

#[test]
fn each_sync_that_is_left_out_would_be_found() {
    for plan in PLANS {
        let whole = Run::new(plan, &project(), None);
        whole.whole().unwrap();
        for number in 0..whole.files.syncs() {
            let run = Run::new(plan, &project(), Some(Bug::SyncLeftOut(number)));
            run.whole().unwrap();
            assert_ne!(run.violations(), BTreeSet::new(), "sync {number} of {plan:?}");
        }
    }
}

#[test]
fn the_syncs_of_a_run_are_counted() {
    let counts = PLANS.map(|plan| {
        let run = Run::new(plan, &project(), None);
        run.whole().unwrap();
        run.files.syncs()
    });
    // An output's own and its directory's come to those of the journal and of the record.
    assert_eq!(counts, [3, 9, 9, 11]);
}

#[test]
fn names_that_another_program_may_have_replaced_are_synced_again() {
    let syncs = |distrust: bool| {
        let files = SimFs::new(&project(), None);
        let runs = Runs::new(&files, &Layout::new("/p"), &WorkspaceId::new("001", "a"));
        Layout::new("/p").prepare(&files).unwrap();
        let run = runs.next().unwrap();
        runs.begin(&run).unwrap();
        let mut journal = Journal::create(&files, run.dir(), "", &0).unwrap();
        run.make_places(&files).unwrap();
        journal.sync().unwrap();
        if distrust {
            journal.distrust_names();
        }
        let log = write_out_later(&files, &run.outputs(), "verify-1.log", OUTPUT).unwrap();
        journal.rely_on(log.path);
        journal.append_event("", &0).unwrap();
        journal.sync_for_record().unwrap();
        files.syncs()
    };
    assert_eq!(syncs(true), syncs(false) + 1);
}

#[test]
fn a_journal_without_its_opening_line_is_of_no_run() {
    let [quiet, ..] = PLANS;
    for left in [&b""[..], b"\0\0\0\0", b"{\"seq\":0,\"crc\":\"00"] {
        let mut disk = project();
        let dirs = ["/p/.ftl/runs", "/p/.ftl/runs/001_a", "/p/.ftl/runs/001_a/1"];
        disk.extend(dirs.map(|dir| (dir.into(), None)));
        disk.insert(format!("{RUN}/{JOURNAL}"), Some(left.to_owned()));
        let run = Run::new(quiet, &disk, None);
        let layout = Layout::new("/p");
        let runs = Runs::new(&run.files, &layout, &WorkspaceId::new("001", "a"));
        assert_eq!(runs.unfinished().unwrap(), None);
        assert_eq!(runs.next().unwrap().number(), 1);
        run.whole().unwrap();
        assert_eq!(run.violations(), BTreeSet::new());
    }
}
