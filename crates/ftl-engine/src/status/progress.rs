//! Which of the active tasks are under way, and what keeps the others from it.

use std::collections::{BTreeMap, BTreeSet};

use ftl_model::{Seq, Status, WorkspaceId};
use ftl_schedule::overlap;
use ftl_store::{Layout, Lock};

use super::TaskEntry;
use crate::result::{Progress, UnderWay, Unreachable, WaitingTask};

/// The progress of the active tasks of a project.
#[must_use]
pub fn progress(layout: &Layout, entries: &[TaskEntry]) -> Progress {
    let numbers = Numbers::of(entries);
    let root = Lock::root_holder(layout);
    let mut progress = Progress::default();
    let active = entries.iter().filter(|entry| entry.name.status == Status::Active);
    let (held, others): (Vec<&TaskEntry>, Vec<&TaskEntry>) =
        active.partition(|entry| entry.holder.is_some());
    for entry in &held {
        let (Some(pid), Some(stage)) = (entry.holder, &entry.stage) else {
            continue;
        };
        progress.under_way.push(UnderWay {
            id: entry.name.id.clone(),
            pid,
            state: stage.state,
            since: stage.since.clone(),
            slot: stage.slot,
            waits_to_land: stage.slot.is_some() && stage.is_verify() && root != Some(pid),
        });
    }
    let waits = crate::agent_waits::read(layout);
    for entry in others {
        let because = numbers.blockers(entry);
        let id = entry.name.id.clone();
        if !because.is_empty() {
            progress.unreachable.push(Unreachable { id, because });
            continue;
        }
        let shares = |other: &&&TaskEntry| overlap(&entry.delta, &other.delta);
        let files_of: Vec<WorkspaceId> =
            held.iter().filter(shares).map(|other| other.name.id.clone()).collect();
        let agent = waits.iter().find(|wait| wait.id == id).cloned();
        if !(entry.waits_for.is_empty() && files_of.is_empty() && agent.is_none()) {
            let depends = entry.waits_for.clone();
            progress.waiting.push(WaitingTask { id, depends, files_of, agent });
        }
    }
    progress
}

/// The tasks by their numbers; of several with one number the last.
struct Numbers<'e>(BTreeMap<&'e str, &'e TaskEntry>);

impl<'e> Numbers<'e> {
    fn of(entries: &'e [TaskEntry]) -> Self {
        Self(entries.iter().map(|entry| (entry.name.id.seq(), entry)).collect())
    }

    /// The tasks that do not go on by themselves, and that this one depends on, be it over others.
    fn blockers(&self, entry: &TaskEntry) -> Vec<WorkspaceId> {
        let mut because = BTreeSet::new();
        let mut seen: BTreeSet<&str> = BTreeSet::new();
        let mut open: Vec<&Seq> = entry.waits_for.iter().collect();
        while let Some(seq) = open.pop() {
            let Some(before) = self.0.get(seq.as_str()).filter(|_| seen.insert(seq.as_str()))
            else {
                continue;
            };
            match before.name.status {
                Status::Blocked | Status::Dropped => drop(because.insert(before.name.id.clone())),
                Status::Active => open.extend(&before.waits_for),
                Status::Complete => {}
            }
        }
        because.into_iter().collect()
    }
}
