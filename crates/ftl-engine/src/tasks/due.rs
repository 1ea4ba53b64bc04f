//! Which verify commands are due once more, since other tasks landed after their last run.
//!
//! Nothing is planned: that a check is due follows from the records. Those of tasks that are to be checked have the mark
//! `check="end"`, and all that an implementer wrote for have the time of their seal.

use std::collections::BTreeMap;

use ftl_model::{Status, WorkspaceId};
use ftl_store::Layout;

use crate::check_ledger::{HookChange, Ledger};
use crate::result::DueCheck;
use crate::status::{SealedTask, TaskEntry};

/// A verify command, its tasks that are to be checked, and when it passed last.
#[derive(Default)]
struct Subject<'e> {
    tasks: Vec<&'e WorkspaceId>,
    passed: &'e str,
}

/// What hooks changed of the last runs of complete tasks.
fn changes<'l>(
    ledger: &'l Ledger,
    entries: &'l [TaskEntry],
) -> impl Iterator<Item = (&'l TaskEntry, &'l HookChange)> {
    let is_of = |entry: &&TaskEntry, change: &HookChange| {
        let last = entry.last.as_ref().and_then(|last| last.number);
        let is_complete = entry.name.status == Status::Complete;
        is_complete && entry.name.id.as_str() == change.task && last == Some(change.run)
    };
    ledger.changes.iter().filter_map(move |change| {
        let entry = entries.iter().find(|entry| is_of(entry, change))?;
        Some((entry, change))
    })
}

/// The checks that are due, in the order of their first tasks. `entries` are all tasks of the project.
#[must_use]
pub fn due(layout: &Layout, entries: &[TaskEntry]) -> Vec<DueCheck> {
    let sealed: Vec<(&TaskEntry, &SealedTask)> =
        entries.iter().filter_map(|entry| Some((entry, entry.sealed.as_ref()?))).collect();
    let ledger = Ledger::read(layout);
    if ledger.changes.is_empty() && !sealed.iter().any(|(_, sealed)| sealed.is_checked) {
        return Vec::new();
    }
    let through = ledger.through.as_deref().unwrap_or_default();
    let is_open = |at: &str| at > through;
    let mut landings: Vec<(&WorkspaceId, &str)> = Vec::new();
    let mut subjects: BTreeMap<&str, Subject<'_>> = BTreeMap::new();
    for (entry, sealed) in sealed {
        let id = &entry.name.id;
        if sealed.landed && is_open(&sealed.at) {
            landings.push((id, &sealed.at));
        }
        let subject = subjects.entry(&sealed.verify).or_default();
        subject.passed = subject.passed.max(&sealed.at);
        // The records of a fresh clone have no runs: nothing is known of their checks.
        if sealed.is_checked && is_open(&sealed.at) && layout.run_dir(id).is_dir() {
            subject.tasks.push(id);
        }
    }
    for (entry, change) in changes(&ledger, entries).filter(|(_, change)| is_open(&change.at)) {
        landings.push((&entry.name.id, &change.at));
        let subject = subjects.entry(&change.verify).or_default();
        if !subject.tasks.contains(&&entry.name.id) {
            subject.tasks.push(&entry.name.id);
        }
    }
    landings.sort_by_key(|(_, at)| *at);
    let checks = subjects.into_iter().filter(|(_, subject)| !subject.tasks.is_empty());
    let due =
        checks.filter_map(|(command, subject)| due_check(&ledger, command, &subject, &landings));
    let mut due: Vec<DueCheck> = due.collect();
    due.sort_by(|a, b| a.tasks.cmp(&b.tasks));
    due
}

fn due_check(
    ledger: &Ledger,
    command: &str,
    subject: &Subject<'_>,
    landings: &[(&WorkspaceId, &str)],
) -> Option<DueCheck> {
    let check = ledger.checks.get(command);
    let passed_again = check.filter(|check| check.failed.is_none());
    let passed = subject.passed.max(passed_again.map_or("", |check| &check.at));
    let since = landings.iter().filter(|(_, at)| *at > passed);
    let mut landed_since: Vec<WorkspaceId> = since.map(|(id, _)| (*id).clone()).collect();
    landed_since.dedup();
    let failed = check.filter(|check| *check.at > *passed);
    (!landed_since.is_empty()).then(|| DueCheck {
        command: command.to_owned(),
        tasks: subject.tasks.iter().map(|id| (*id).clone()).collect(),
        landed_since,
        failed: failed.and_then(|check| check.failed.clone()),
    })
}
