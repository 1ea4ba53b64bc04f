//! Which verify commands are due once more, since other tasks landed after their last run.
//!
//! Nothing is planned: that a check is due follows from the records. Those of tasks that are to be checked have the mark
//! `check="end"`, and all that an implementer wrote for have the time of their seal.

use std::collections::BTreeMap;

use ftl_model::{Status, WorkspaceId, WorkspaceName};
use ftl_store::Layout;

use crate::check_ledger::{ChangeSince, Ledger};
use crate::project::read;
use crate::result::DueCheck;
use crate::status::{SealedTask, TaskEntry};
use crate::text::milliseconds;

/// A verify command, its tasks that are to be checked, and when it passed last.
#[derive(Default)]
struct Subject<'e> {
    tasks: Vec<&'e WorkspaceId>,
    passed: &'e str,
}

/// Something of a task that came into the project.
struct Landing<'e> {
    id: &'e WorkspaceId,
    at: &'e str,
    files: &'e [String],
}

/// What hooks changed of the last runs of complete tasks.
fn changes<'l>(
    ledger: &'l Ledger,
    entries: &'l [TaskEntry],
) -> impl Iterator<Item = (&'l TaskEntry, &'l ChangeSince)> {
    let is_of = |entry: &&TaskEntry, change: &ChangeSince| {
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
    let ledger = Ledger::read(layout).unwrap_or_default();
    let has_failed = ledger.checks.values().any(|check| check.failed.is_some());
    if !has_failed
        && ledger.changes.is_empty()
        && !sealed.iter().any(|(_, sealed)| sealed.is_checked)
    {
        return Vec::new();
    }
    let through = ledger.through.as_deref().unwrap_or_default();
    let is_open = |at: &str| at > through;
    let mut landings: Vec<Landing<'_>> = Vec::new();
    let mut subjects: BTreeMap<&str, Subject<'_>> = BTreeMap::new();
    for (entry, sealed) in sealed {
        let id = &entry.name.id;
        if !sealed.files.is_empty() && is_open(&sealed.at) {
            landings.push(Landing { id, at: &sealed.at, files: &sealed.files });
        }
        let subject = subjects.entry(&sealed.verify).or_default();
        subject.passed = subject.passed.max(&sealed.at);
        // The records of a fresh clone have no runs: nothing is known of their checks.
        if sealed.is_checked && is_open(&sealed.at) && layout.run_dir(id).is_dir() {
            subject.tasks.push(id);
        }
    }
    for (entry, change) in changes(&ledger, entries).filter(|(_, change)| is_open(&change.at)) {
        let files = entry.sealed.as_ref().map(|sealed| sealed.files.as_slice());
        let files = files.unwrap_or_default();
        landings.push(Landing { id: &entry.name.id, at: &change.at, files });
        let subject = subjects.entry(&change.verify).or_default();
        if !subject.tasks.contains(&&entry.name.id) {
            subject.tasks.push(&entry.name.id);
        }
    }
    add_failed(&ledger, entries, &mut subjects);
    landings.sort_by_key(|landing| landing.at);
    let checks = subjects.into_iter().filter(|(_, subject)| !subject.tasks.is_empty());
    let due = checks.map(|(command, subject)| due_check(&ledger, command, &subject, &landings));
    let mut due: Vec<DueCheck> =
        due.filter(|due| !due.landed_since.is_empty() || due.failed.is_some()).collect();
    due.sort_by(|a, b| a.tasks.cmp(&b.tasks));
    due
}

/// When the last run of a task ended.
fn ended(entry: &TaskEntry) -> &str {
    entry.last.as_ref().and_then(|last| last.ended_at.as_deref()).unwrap_or_default()
}

/// The tasks whose check failed, of those that are complete since before it.
fn add_failed<'e>(
    ledger: &'e Ledger,
    entries: &'e [TaskEntry],
    subjects: &mut BTreeMap<&'e str, Subject<'e>>,
) {
    for (command, check) in ledger.checks.iter().filter(|(_, check)| check.failed.is_some()) {
        let is_of = |entry: &&TaskEntry| {
            entry.name.status == Status::Complete
                && check.tasks.contains(&entry.name.id)
                && milliseconds(ended(entry), &check.at).is_some()
        };
        for entry in entries.iter().filter(is_of) {
            let subject = subjects.entry(command).or_default();
            // In whole seconds: without the mark of the zone it is before all fractions of that second.
            subject.passed = subject.passed.max(ended(entry).trim_end_matches('Z'));
            if !subject.tasks.contains(&&entry.name.id) {
                subject.tasks.push(&entry.name.id);
            }
        }
    }
}

/// The verify commands of these complete tasks, all of them where none is named, with what landed since each passed last.
pub(super) fn every(
    layout: &Layout,
    entries: &[TaskEntry],
    wanted: &[WorkspaceId],
) -> Vec<DueCheck> {
    let mut checks = due(layout, entries);
    let is_meant = |id: &WorkspaceId| wanted.is_empty() || wanted.contains(id);
    checks.retain(|check| check.tasks.iter().any(is_meant));
    let complete = entries.iter().filter(|entry| entry.name.status == Status::Complete);
    for id in complete.map(|entry| &entry.name.id).filter(|id| is_meant(id)) {
        let name = WorkspaceName { id: id.clone(), status: Status::Complete };
        let bytes = read(&layout.workspace_dir().join(name.to_string())).unwrap_or_default();
        let document = ftl_xml::read(&bytes).ok();
        let Some(workspace) = document.and_then(|document| document.workspace().ok()) else {
            continue;
        };
        let command = workspace.verify.trim();
        match checks.iter_mut().find(|check| check.command == command) {
            Some(check) if check.tasks.contains(id) => {}
            Some(check) => check.tasks.push(id.clone()),
            None => checks.push(DueCheck {
                command: command.to_owned(),
                tasks: vec![id.clone()],
                landed_since: Vec::new(),
                failed: None,
                touched: Vec::new(),
            }),
        }
    }
    checks
}

fn due_check(
    ledger: &Ledger,
    command: &str,
    subject: &Subject<'_>,
    landings: &[Landing<'_>],
) -> DueCheck {
    let check = ledger.checks.get(command);
    let passed_again = check.filter(|check| check.failed.is_none());
    let passed = subject.passed.max(passed_again.map_or("", |check| &check.at));
    let mut since: Vec<&Landing<'_>> =
        landings.iter().filter(|landing| landing.at > passed).collect();
    since.dedup_by_key(|landing| landing.id);
    let failed = check.filter(|check| *check.at > *passed);
    DueCheck {
        command: command.to_owned(),
        tasks: subject.tasks.iter().map(|id| (*id).clone()).collect(),
        landed_since: since.iter().map(|landing| landing.id.clone()).collect(),
        failed: failed.and_then(|check| check.failed.clone()),
        touched: since.iter().map(|landing| landing.files.to_vec()).collect(),
    }
}
