//! A landing that is in the project: its plan in the state directory, and undoing or forgetting it.
//!
//! ```text
//! STATE/ftl/landing/KEY/             the plan of the landing, see `ftl_tree`
//! STATE/ftl/landing/KEY/written/     the plan of what a verify changed after it
//! STATE/ftl/landing/KEY/with/N/      the plan of the part of another task that landed with it
//! STATE/ftl/landing/KEY.setup        see `setup`
//! ```
//!
//! A part stays if its task is sealed as complete, else it is undone. Parts that were verified together have one fate, but
//! for a kill while their records are sealed: then the verify of those that stay is due again.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use ftl_model::{Status, WorkspaceId, WorkspaceName};
use ftl_store::{Layout, Operation};
use ftl_tree::workplace::remove_dir;
use ftl_tree::{Landing, SavedFiles, Tree, forget_landing, landing_owner};
use serde::{Deserialize, Serialize};

use crate::check_ledger::{ChangeSince, Ledger};
use crate::project::status_ahead;
use crate::run::commands::setup;
use crate::run::site::Site;
use crate::run::{Fault, Settings};
use crate::text::{listed, now_exactly};

/// In the directory of a landing, see above.
const WRITTEN: &str = "written";
const WITH: &str = "with";

/// Whose landing a plan is of.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(in crate::run) struct Owner {
    /// The run, from the directory of all runs.
    pub(in crate::run) run: String,
    /// The task file.
    pub(in crate::run) task: PathBuf,
    /// What it is verified by.
    pub(in crate::run) verify: String,
}

/// A landing whose first step is in the project, with what comes in the second.
pub(in crate::run) struct HalfLanding {
    pub(in crate::run) landing: Landing,
    pub(in crate::run) work: SavedFiles,
}

/// The directory of a project's landing.
pub(in crate::run) fn dir(settings: &Settings, layout: &Layout) -> Result<PathBuf, Fault> {
    let private = settings.layout.private_dir().ok_or(Fault::NoStateDirectory)?;
    Ok(private.join("landing").join(layout.key()))
}

/// The task of a landing that is in the root, of a run that is under way or died.
#[must_use]
pub(crate) fn owner(settings: &Settings, layout: &Layout) -> Option<WorkspaceId> {
    let name = owner_of(&dir(settings, layout).ok()?)?.task;
    let name: WorkspaceName = name.file_name()?.to_str()?.parse().ok()?;
    Some(name.id)
}

fn owner_of(dir: &Path) -> Option<Owner> {
    serde_json::from_str(&landing_owner(dir).ok()??).ok()
}

/// The plan of the part of another task.
pub(super) fn part_dir(dir: &Path, number: usize) -> PathBuf {
    dir.join(WITH).join(number.to_string())
}

fn other_parts(dir: &Path) -> impl Iterator<Item = PathBuf> {
    (0..).map(|number| part_dir(dir, number)).take_while(|part| part.is_dir())
}

/// Undoes or forgets each part of what landed in the project, whose lock is held. Returns what is left, as sentences.
pub(in crate::run) fn settle(site: &Site<'_>, root: &Tree) -> Result<Vec<String>, Fault> {
    let Ok(dir) = dir(site.settings, site.layout) else {
        return Ok(Vec::new());
    };
    if !dir.is_dir() {
        return Ok(Vec::new());
    }
    let (mut kept, mut undone) = (Vec::new(), Vec::new());
    for part in std::iter::once(dir.clone()).chain(other_parts(&dir)) {
        // One whose plan is not whole has changed nothing.
        let Some(text) = landing_owner(&part)? else { continue };
        match serde_json::from_str::<Owner>(&text).ok() {
            Some(owner) if is_complete(&owner.task)? => kept.push(owner),
            _ => undone.push(part),
        }
    }
    let mut texts = Vec::new();
    let mut left = Vec::new();
    if !undone.is_empty() {
        for owner in &kept {
            texts.push(owner.is_due_again(site)?);
        }
        // What a verify wrote first: it may have changed what landed. Then in reverse, by which directories are empty.
        let written = dir.join(WRITTEN);
        left.extend(root.undo_landing(&written)?);
        forget_landing(&written)?;
        for part in undone.iter().rev() {
            left.extend(root.undo_landing(part)?);
        }
    }
    forget(&dir)?;
    if undone.is_empty() && !kept.is_empty() {
        setup::forget(site)?;
    }
    if !left.is_empty() {
        let left = listed(&left);
        texts.push(format!("changed since the work landed, and left as they are: {left}"));
    }
    Ok(texts)
}

impl Owner {
    /// Keeps that the verify of a complete task is due, since it passed with work that is undone; the sentence for it.
    fn is_due_again(&self, site: &Site<'_>) -> Result<String, Fault> {
        let (task, run) = self.run.rsplit_once('/').unwrap_or((&self.run, ""));
        let change = ChangeSince {
            task: task.to_owned(),
            run: run.parse().unwrap_or_default(),
            at: now_exactly(),
            verify: self.verify.clone(),
        };
        Ledger::keep_change(site.layout, change)?;
        Ok(format!("`{task}` was verified with work that is undone: its verify is due again"))
    }
}

/// The plan goes first: without it nothing else counts.
pub(in crate::run) fn forget(dir: &Path) -> Result<(), Fault> {
    forget_landing(&dir.join(WRITTEN))?;
    for part in other_parts(dir) {
        forget_landing(&part)?;
    }
    forget_landing(dir)?;
    Ok(remove_dir(dir)?)
}

/// Whether the task was sealed as complete, perhaps under its active name still.
///
/// # Errors
/// Where its file can't be looked at: then it is not known.
pub(in crate::run) fn is_complete(task: &Path) -> Result<bool, Fault> {
    let name = task.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let Ok(name) = name.parse::<WorkspaceName>() else {
        return Ok(false);
    };
    let is_missing = |error: &io::Error| error.kind() == io::ErrorKind::NotFound;
    let found = match fs::read(task) {
        Ok(bytes) => return Ok(status_ahead(name.status, &bytes) == Some(Status::Complete)),
        Err(error) if is_missing(&error) => {
            let record = task.with_file_name(name.with_status(Status::Complete).to_string());
            fs::metadata(record).map(|found| found.is_file())
        }
        Err(error) => Err(error),
    };
    match found {
        Err(error) if is_missing(&error) => Ok(false),
        found => found.map_err(|error| Operation::Read.failed(task, error).into()),
    }
}
