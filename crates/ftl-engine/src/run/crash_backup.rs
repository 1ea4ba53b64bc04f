//! The task and the journal of a run while an implementer works, out of its reach.
//!
//! A request that ends in order writes both again from memory. One that is killed together with ftl, after
//! its implementer had deleted `.ftl`, leaves nothing there to go on with: no task that could be named, and
//! no journal that says how the tree was. So both are also kept in the state directory, from before a request
//! to the seal:
//!
//! ```text
//! STATE/ftl/ROOT/ID.json
//! ```
//!
//! It is beside the snapshots of runs, so that one sync brings its name and theirs to the disk. An earlier ftl kept it in
//! `STATE/ftl/tasks/ROOT`.

use std::path::PathBuf;

use ftl_model::WorkspaceId;
use ftl_store::{
    Files, Layout, Lock, Run, StoreError, Waiting, create, ensure_dir, path_text,
    replace_private_unsynced,
};
use serde::{Deserialize, Serialize};

use super::brief::Source;
use super::recorder::Recorder;
use super::snapshots::names_in;
use super::{Fault, files};
use crate::project::names;
use crate::store::hold_store;

/// What it takes to go on.
#[derive(Debug, Serialize, Deserialize)]
struct Kept {
    /// The task file, absolute.
    #[serde(with = "path_text")]
    task: PathBuf,
    document: String,
    /// The run's directory.
    #[serde(with = "path_text")]
    run: PathBuf,
    journal: String,
}

/// Keeps the task and the journal before a request. [`settle`](super::snapshots::Snapshots::settle) brings the name to
/// the disk.
pub(super) fn keep(
    layout: &Layout,
    run: &Run,
    source: &Source<'_>,
    recorder: &Recorder<'_>,
) -> Result<(), Fault> {
    let Some(dir) = dir(layout) else {
        return Ok(());
    };
    let kept = Kept {
        task: std::path::absolute(&source.path).unwrap_or_else(|_| source.path.clone()),
        document: String::from_utf8_lossy(source.bytes).into_owned(),
        run: run.dir().to_owned(),
        journal: recorder.journal_text(),
    };
    let text = serde_json::to_vec(&kept).map_err(StoreError::JournalData)?;
    let id = super::id_of(&source.path)?;
    replace_private_unsynced(files(), &dir.join(file_of(id.as_str())), &text)?;
    let mark = dir.join(mark_of(id.as_str()));
    if files().metadata(&mark)?.is_some() {
        files().remove(&mark)?;
    }
    Ok(())
}

/// Forgets them, once the task has its record. What cannot be removed is found out of date later.
pub(super) fn forget(layout: &Layout, id: &WorkspaceId) {
    for dir in dirs(layout) {
        if files().remove(&dir.join(file_of(id.as_str()))).is_ok() {
            let _ = files().remove(&dir.join(mark_of(id.as_str())));
        }
    }
}

/// Whether those of this task are kept.
///
/// # Errors
///
/// [`Fault::File`] where that cannot be seen.
pub(super) fn is_kept(layout: &Layout, id: &str) -> Result<bool, Fault> {
    for dir in dirs(layout) {
        if files().metadata(&dir.join(file_of(id)))?.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether those of a run's task are kept, as they are before its first request asks anybody.
///
/// # Errors
///
/// As [`is_kept`].
pub(super) fn is_kept_of(layout: &Layout, run: &Run) -> Result<bool, Fault> {
    task_of(run).map_or(Ok(true), |id| is_kept(layout, id))
}

/// The mark of a request of this task that was killed. See [`ftl_store::StoreLock`].
pub(super) fn mark(layout: &Layout, run: &Run) -> Option<PathBuf> {
    Some(dir(layout)?.join(mark_of(task_of(run)?)))
}

/// The ID of a run's task.
fn task_of(run: &Run) -> Option<&str> {
    run.dir().parent()?.file_name()?.to_str()
}

/// Brings back the task files that are gone although a run of theirs was killed during a request, with their
/// journals, and gives their paths.
///
/// # Errors
///
/// [`Fault::Store`] and [`Fault::File`] where one cannot be written.
pub fn revive(layout: &Layout, wait: bool) -> Result<Vec<PathBuf>, Fault> {
    let mut kept = Vec::new();
    for dir in dirs(layout) {
        let names = names_in(&dir)?.into_iter().filter(|name| name.ends_with(".json"));
        kept.extend(names.map(|name| dir.join(name)));
    }
    let mut revived = Vec::new();
    for path in kept {
        let read = files().read(&path)?;
        // One that a crash or another program left is no task's.
        let Ok(kept) = serde_json::from_slice::<Kept>(&read) else {
            continue;
        };
        let id = super::id_of(&kept.task)?;
        let is_here = || names(layout).map(|names| names.iter().any(|name| name.id == id));
        if is_here()? {
            continue;
        }
        let _store = hold_store(layout, wait, |_| {})?;
        layout.prepare(files())?;
        // Its holder is at work, and keeps it in memory.
        let lock = match Lock::workspace(layout, &id, Waiting::Refuse) {
            Err(StoreError::Held { .. }) => continue,
            lock => lock?,
        };
        if !is_here()? && files().metadata(&kept.task)?.is_none() {
            bring_back(&kept)?;
            revived.push(kept.task);
        }
        drop(lock);
    }
    Ok(revived)
}

/// The journal first: a task without one would be begun again, on whatever the implementer left.
fn bring_back(kept: &Kept) -> Result<(), Fault> {
    ensure_dir(files(), &kept.run)?;
    let journal = kept.run.join(ftl_store::JOURNAL);
    if files().metadata(&journal)?.is_none() {
        create(files(), &journal, kept.journal.as_bytes())?;
    }
    if let Some(dir) = kept.task.parent() {
        ensure_dir(files(), dir)?;
    }
    Ok(create(files(), &kept.task, kept.document.as_bytes())?)
}

fn dir(layout: &Layout) -> Option<PathBuf> {
    Some(layout.private_dir()?.join(layout.key()))
}

/// With that of an earlier ftl.
fn dirs(layout: &Layout) -> impl Iterator<Item = PathBuf> {
    let key = layout.key();
    let private = layout.private_dir().into_iter();
    private.flat_map(move |private| [private.join(&key), private.join("tasks").join(&key)])
}

fn file_of(id: &str) -> String {
    format!("{id}.json")
}

fn mark_of(id: &str) -> String {
    format!("{id}.killed")
}
