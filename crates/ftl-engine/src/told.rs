//! The store's writes into `.ftl`, each told of to whoever watches that directory.
//!
//! A task may be made or sealed while an implementer works in the same tree. The run that watches it has to
//! know that this was ftl: see `ftl_store::Register`. So no module of this crate makes or seals a task file
//! but through these functions.

use std::path::{Path, PathBuf};

use ftl_model::{Digest, Status, WorkspaceId, WorkspaceName};
use ftl_store::{
    GITIGNORE, GITIGNORE_NAME, Layout, OsFiles, Register, Run, Runs, StoreError, Wrote, tell,
};

use crate::project::status_ahead;

/// Makes a task file that was not there.
pub(crate) fn create(layout: &Layout, path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    let _telling = tell(layout, &[(path, Some(bytes))]);
    ftl_store::create(&OsFiles, path, bytes)
}

/// Gives a task file new content.
pub(crate) fn replace(layout: &Layout, path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    let _telling = tell(layout, &[(path, Some(bytes))]);
    ftl_store::replace(&OsFiles, path, bytes)
}

/// Makes a record of a task file, and gives its path.
pub(crate) fn seal(
    layout: &Layout,
    active: &Path,
    status: Status,
    content: &[u8],
) -> Result<PathBuf, StoreError> {
    let wanted = record_of(active, status);
    let mut writes = vec![(active, Some(content)), (active, None)];
    writes.extend(wanted.as_deref().map(|record| (record, Some(content))));
    let _telling = tell(layout, &writes);
    let record = ftl_store::seal(&OsFiles, active, status, content)?;
    tell_of_another(layout, &record, wanted.as_deref(), content);
    Ok(record)
}

/// Makes a record an active task again, and gives its path.
pub(crate) fn reopen(
    layout: &Layout,
    record: &Path,
    content: &[u8],
) -> Result<PathBuf, StoreError> {
    let wanted = record_of(record, Status::Active);
    let mut writes = vec![(record, Some(content)), (record, None)];
    writes.extend(wanted.as_deref().map(|active| (active, Some(content))));
    let _telling = tell(layout, &writes);
    ftl_store::reopen(&OsFiles, record, content)
}

/// Finishes what a crash left of a seal or of reopening, and gives the new path when there was something to
/// finish.
pub(crate) fn finish_residue(layout: &Layout, path: &Path) -> Result<Option<PathBuf>, StoreError> {
    let mut content = Vec::new();
    let mut telling = None;
    let mut wanted = None;
    let name: WorkspaceName = path.file_name().unwrap_or_default().to_string_lossy().parse()?;
    let judge = |bytes: &[u8]| {
        let status = status_ahead(name.status, bytes);
        if let Some(status) = status {
            wanted = record_of(path, status);
            bytes.clone_into(&mut content);
            let mut writes = vec![(path, None)];
            writes.extend(wanted.as_deref().map(|record| (record, Some(bytes))));
            telling = tell(layout, &writes);
        }
        status
    };
    let record = ftl_store::finish_residue(&OsFiles, path, judge)?;
    if let Some(record) = &record {
        tell_of_another(layout, record, wanted.as_deref(), &content);
    }
    drop(telling);
    Ok(record)
}

/// Ends every run of a task.
pub(crate) fn finish_runs(layout: &Layout, id: &WorkspaceId) -> Result<(), StoreError> {
    works_in(layout, &layout.run_dir(id));
    Runs::new(&OsFiles, layout, id).finish_all()
}

/// Makes the directories of a task's next run.
pub(crate) fn begin_run(layout: &Layout, runs: &Runs<'_>) -> Result<Run, StoreError> {
    let run = runs.next()?;
    works_in(layout, run.dir());
    runs.begin(&run)?;
    Ok(run)
}

/// Says that this process works in a directory of runs from now on.
pub(crate) fn works_in(layout: &Layout, dir: &Path) {
    if let Some(register) = Register::of(layout)
        && let Ok(path) = dir.strip_prefix(layout.ftl_dir())
        && let Some(path) = path.to_str().map(str::to_owned)
    {
        let pid = std::process::id();
        drop(register.tell(vec![Wrote::Run { path, pid }], false));
    }
}

/// Makes what every project has. See [`Layout::prepare`].
pub(crate) fn prepare(layout: &Layout) -> Result<(), StoreError> {
    let gitignore = layout.ftl_dir().join(GITIGNORE_NAME);
    let all = [layout.runs_dir(), layout.locks_dir(), gitignore.clone()];
    let is_missing = |path: &PathBuf| path.symlink_metadata().is_err();
    // Whoever watches takes a telling for leave to make the directories as well.
    let _telling = all
        .iter()
        .any(is_missing)
        .then(|| tell(layout, &[(&gitignore, Some(GITIGNORE.as_bytes()))]));
    layout.prepare(&OsFiles)
}

/// The first name was taken, so the record has another.
fn tell_of_another(layout: &Layout, record: &Path, wanted: Option<&Path>, content: &[u8]) {
    if Some(record) != wanted {
        drop(tell(layout, &[(record, Some(content))]));
    }
}

/// Where a record lies, unless the name is taken.
fn record_of(active: &Path, status: Status) -> Option<PathBuf> {
    let name: WorkspaceName = active.file_name()?.to_str()?.parse().ok()?;
    Some(active.with_file_name(name.with_status(status).to_string()))
}

/// Whether a task file is not what ftl last wrote there. One that ftl never wrote is none of those.
pub(crate) fn was_edited(layout: &Layout, path: &Path, bytes: &[u8]) -> bool {
    let last = Register::of(layout).and_then(|register| register.last(layout, path));
    matches!(last, Some(Wrote::File { sha256, .. }) if sha256 != Digest::of(bytes))
}
