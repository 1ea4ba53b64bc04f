//! What a landing has in the root: named, so that the next holder of the root's lock can take it back after a crash.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use ftl_model::{DeltaPath, Status, WorkspaceId, WorkspaceName};
use ftl_store::{Layout, Operation, StoreError, replace, unless_missing};
use ftl_tree::{DeltaReset, Snapshot, Tree, remove_layers};
use serde::{Deserialize, Serialize};

use super::{PUT_BACK, VERIFIED, WRITTEN};
use crate::project::status_ahead;
use crate::run::site::{Site, files};
use crate::run::{Fault, Reporter, Settings, putting_back, slots};
use crate::text::listed;

/// In the directory of a run: changed files of the delta, and others.
const EDITED: &str = "edited";
const CHANGED: &str = "written";

/// What a directory of a landing is of.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Of {
    /// The run, from the directory of all runs.
    pub(super) run: String,
    /// The task file.
    pub(super) task: PathBuf,
    /// It is being taken back, and a part of it may be gone.
    #[serde(default)]
    pub(super) leaves: bool,
}

/// Says whose landing a directory is of.
pub(super) fn write(dir: &Path, of: &Of) -> Result<(), Fault> {
    let bytes = serde_json::to_vec(of).map_err(StoreError::JournalData)?;
    Ok(replace(files(), &dir.join("run"), &bytes)?)
}

/// The directory of a project's landing.
pub(super) fn dir(site: &Site<'_>) -> Result<PathBuf, Fault> {
    dir_of(site.settings, site.layout)
}

fn dir_of(settings: &Settings, layout: &Layout) -> Result<PathBuf, Fault> {
    let private = settings.layout.private_dir().ok_or(Fault::NoStateDirectory)?;
    Ok(private.join("landing").join(layout.key()))
}

/// The task of a landing that is in the root, of a run that is under way or died.
pub(crate) fn owner(settings: &Settings, layout: &Layout) -> Option<WorkspaceId> {
    let name = of(&dir_of(settings, layout).ok()?)?.task;
    let name: WorkspaceName = name.file_name()?.to_str()?.parse().ok()?;
    Some(name.id)
}

/// The landing that a dead run left.
pub(super) fn of(dir: &Path) -> Option<Of> {
    serde_json::from_slice(&fs::read(dir.join("run")).ok()?).ok()
}

pub(super) fn name_of(site: &Site<'_>) -> String {
    slots::name_of(site.layout, &site.run)
}

/// The name goes first: without it nothing else counts.
pub(super) fn forget(dir: &Path) -> Result<(), Fault> {
    let path = dir.join("run");
    unless_missing(fs::remove_file(&path))
        .map_err(|error| Operation::Remove.failed(&path, error))?;
    Ok(remove_layers(dir)?)
}

/// Takes back, or finishes, what a run that died left in the root. Its lock is held. `keeps` says whether a whole landing
/// of this very run stays.
pub(in crate::run) fn settle(
    site: &Site<'_>,
    root: &Tree,
    keeps: bool,
    reporter: &mut dyn Reporter,
) -> Result<bool, Fault> {
    let Ok(dir) = dir(site) else {
        return Ok(false);
    };
    let Some(of) = of(&dir) else {
        return Ok(false);
    };
    if keeps && of.run == name_of(site) && !of.leaves {
        return Ok(true);
    }
    if is_complete(&of.task) {
        forget(&dir)?;
    } else {
        for text in take_back(site, root, &dir, None)? {
            reporter.warning(&text);
        }
    }
    Ok(false)
}

/// Whether the task was sealed as complete, perhaps under its active name still.
pub(super) fn is_complete(task: &Path) -> bool {
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

/// Puts back what the verify changed; what it wrote stays with the run.
fn unwrite(site: &Site<'_>, root: &Tree, dir: &Path, run: &Path) -> Result<Option<String>, Fault> {
    let written = fs::read(dir.join(WRITTEN)).unwrap_or_default();
    let Ok(written) = serde_json::from_slice::<BTreeSet<DeltaPath>>(&written) else {
        return Ok(None);
    };
    let Some(verified) = root.load(&dir.join(VERIFIED))? else {
        return Ok(None);
    };
    let keep = unused(run, CHANGED);
    let done = reset(root, &verified, &keep, |path| written.contains(path))?;
    Ok(putting_back::kept_text(site, "while the verify ran", &done, &keep))
}

/// What is there and is not what landed, another process's work perhaps, is kept with the run of the landing: in `keep`
/// with all the rest, where that is given.
pub(super) fn take_back(
    site: &Site<'_>,
    root: &Tree,
    dir: &Path,
    keep: Option<&Path>,
) -> Result<Vec<String>, Fault> {
    let run = match of(dir) {
        Some(of) => {
            let run = site.layout.runs_dir().join(&of.run);
            // If this fails on its way, what is left must not be taken for a landing with edits.
            write(dir, &Of { leaves: true, ..of })?;
            run
        }
        None => site.run.dir().to_owned(),
    };
    // Of a process that was killed here.
    for kept in kept_dirs(&run) {
        root.dress_kept(&kept);
    }
    let mut texts: Vec<String> = unwrite(site, root, dir, &run)?.into_iter().collect();
    let plan = dir.join("plan");
    if let Some(before) = root.load(&dir.join("before"))? {
        if let Some(keep) = keep {
            let done = root.reset_delta(&before, keep, |_| true)?;
            let text =
                (!done.is_empty()).then(|| putting_back::reset_text(site, &done, PUT_BACK, true));
            texts.extend(text);
        } else {
            let changed = root.changed_since_take_over(&before, &plan)?;
            let kept = unused(&run, EDITED);
            let done = reset(root, &before, &kept, |path| changed.contains(path))?;
            let text = putting_back::kept_text(site, "since the delta landed", &done, &kept);
            texts.extend(text);
            root.reset_delta(&before, &dir.join("aside"), |_| true)?;
        }
    }
    let undone = root.undo_take_over(&plan)?;
    if !undone.left.is_empty() {
        let left = listed(&undone.left_text(root));
        texts.push(format!("changed since the delta landed, and left as they are: {left}"));
    }
    forget(dir)?;
    Ok(texts)
}

/// Puts files back as they were. Of deleted ones nothing is kept that shows what was done, so their names are stored
/// first: this process may be killed before it reports them.
fn reset(
    root: &Tree,
    before: &Snapshot,
    keep: &Path,
    is_meant: impl Fn(&DeltaPath) -> bool,
) -> Result<DeltaReset, Fault> {
    let mut deleted = Vec::new();
    for (path, was) in before.delta().into_iter().filter(|(path, _)| is_meant(path)) {
        if !was.is_nothing() && root.state(&path)?.is_nothing() {
            deleted.push(path);
        }
    }
    if !deleted.is_empty() {
        let bytes = serde_json::to_vec(&deleted).map_err(StoreError::JournalData)?;
        replace(files(), &names_of_deleted(keep), &bytes)?;
    }
    Ok(root.reset_delta(before, keep, is_meant)?)
}

fn names_of_deleted(keep: &Path) -> PathBuf {
    keep.with_extension("deleted")
}

/// Files that had been deleted, and were put back when others were moved to `keep`.
pub(in crate::run) fn deleted_beside(keep: &Path) -> Vec<DeltaPath> {
    let names = fs::read(names_of_deleted(keep)).unwrap_or_default();
    serde_json::from_slice(&names).unwrap_or_default()
}

/// A directory of the run that is not there yet: what an earlier one keeps must not be replaced.
fn unused(run: &Path, name: &str) -> PathBuf {
    numbered(run, name).find(|dir| !is_used(dir)).expect("because the numbers do not end")
}

fn is_used(dir: &Path) -> bool {
    dir.exists() || names_of_deleted(dir).exists()
}

fn numbered(run: &Path, name: &str) -> impl Iterator<Item = PathBuf> {
    let later = (2_u64..).map(move |number| format!("{name}-{number}"));
    std::iter::once(name.to_owned()).chain(later).map(|name| run.join(name))
}

/// Where a run has what was put back, but for a block.
pub(in crate::run) fn kept_dirs(run: &Path) -> Vec<PathBuf> {
    let dirs = |name| numbered(run, name).take_while(|dir| is_used(dir));
    dirs(EDITED).chain(dirs(CHANGED)).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use ftl_model::DeltaPath;
    use ftl_tree::{Settings, Tree};

    use super::{deleted_beside, kept_dirs, reset, unused};

    #[test]
    fn a_file_that_was_deleted_is_named_also_after_a_kill() {
        let temp = tempfile::tempdir().unwrap();
        let [root, run] =
            ["root", "run"].map(|name| temp.path().canonicalize().unwrap().join(name));
        fs::create_dir(&root).unwrap();
        fs::create_dir(&run).unwrap();
        let delta = ["edited", "deleted"].map(|name| DeltaPath::parse(name).unwrap());
        for path in &delta {
            fs::write(root.join(path.as_path()), "before").unwrap();
        }
        let tree = Tree::open(&root, &delta, Settings::default()).unwrap();
        let before = tree.snapshot_delta(&temp.path().join("snapshot")).unwrap();
        fs::write(root.join("edited"), "since").unwrap();
        fs::remove_file(root.join("deleted")).unwrap();
        let keep = unused(&run, "written");
        reset(&tree, &before, &keep, |_| true).unwrap();
        // What a later process finds.
        assert_eq!(kept_dirs(&run), [run.join("written")]);
        assert_eq!(deleted_beside(&keep), [delta[1].clone()]);
        assert_eq!(fs::read_to_string(keep.join("edited")).unwrap(), "since");
        assert_eq!(fs::read_to_string(root.join("deleted")).unwrap(), "before");
        assert_eq!(unused(&run, "written"), run.join("written-2"));
    }
}
