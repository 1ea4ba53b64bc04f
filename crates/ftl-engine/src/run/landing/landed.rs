//! A landing that is in the project: its plan in the state directory, and undoing or forgetting it.
//!
//! ```text
//! STATE/ftl/landing/KEY/             the plan of the landing, see `ftl_tree`
//! STATE/ftl/landing/KEY/written/     the plan of what a verify changed after it
//! STATE/ftl/landing/KEY.setup        see `setup`
//! ```

use std::fs;
use std::path::{Path, PathBuf};

use ftl_model::{Status, WorkspaceId, WorkspaceName};
use ftl_store::Layout;
use ftl_tree::workplace::remove_dir;
use ftl_tree::{Landing, SavedFiles, Tree, forget_landing, landing_owner};
use serde::{Deserialize, Serialize};

use crate::project::status_ahead;
use crate::run::commands::setup;
use crate::run::site::Site;
use crate::run::{Fault, Reporter, Settings};
use crate::text::listed;

/// Whose landing a plan is of.
#[derive(Debug, Serialize, Deserialize)]
pub(in crate::run) struct Owner {
    /// The run, from the directory of all runs.
    pub(in crate::run) run: String,
    /// The task file.
    pub(in crate::run) task: PathBuf,
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

/// Undoes or forgets what a run that died left in the project, whose lock is held.
pub(in crate::run) fn settle(
    site: &Site<'_>,
    root: &Tree,
    reporter: &mut dyn Reporter,
) -> Result<(), Fault> {
    let Ok(dir) = dir(site.settings, site.layout) else {
        return Ok(());
    };
    if dir.is_dir() {
        match owner_of(&dir) {
            Some(owner) if is_complete(&owner.task) => {
                forget(&dir)?;
                setup::forget(site)?;
            }
            _ => {
                if let Some(text) = undo(root, &dir)? {
                    reporter.warning(&text);
                }
            }
        }
    }
    setup::settle(site, reporter)
}

/// Undoes a landing, and returns what was left, as a sentence.
pub(in crate::run) fn undo(root: &Tree, dir: &Path) -> Result<Option<String>, Fault> {
    let left = root.undo_landing(dir)?;
    forget(dir)?;
    Ok((!left.is_empty())
        .then(|| format!("changed since the work landed, and left as they are: {}", listed(&left))))
}

/// The plan goes first: without it nothing else counts.
pub(in crate::run) fn forget(dir: &Path) -> Result<(), Fault> {
    forget_landing(&dir.join("written"))?;
    forget_landing(dir)?;
    Ok(remove_dir(dir)?)
}

/// Whether the task was sealed as complete, perhaps under its active name still.
pub(in crate::run) fn is_complete(task: &Path) -> bool {
    let Some(name) = task.file_name().and_then(|name| name.to_str()) else {
        return false;
    };
    let Ok(name) = name.parse::<WorkspaceName>() else {
        return false;
    };
    match fs::read(task) {
        Ok(bytes) => status_ahead(name.status, &bytes) == Some(Status::Complete),
        Err(_) => task.with_file_name(name.with_status(Status::Complete).to_string()).is_file(),
    }
}
