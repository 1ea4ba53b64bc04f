//! Where snapshots lie: outside the project, below the user's state directory.
//!
//! A snapshot holds the only copy of uncommitted work while another program writes the tree. It is kept where
//! `git clean -fdx`, `rm -rf .ftl` and `git gc` of an implementer do not reach it, in directories that
//! their owner alone can enter.
//!
//! ```text
//! STATE/ftl/ROOT/ID/N/R     the snapshot before request R of run N; ROOT is made of the root's path
//! STATE/ftl/ROOT/project    that path
//! ```
//!
//! Once the run is sealed its copies go; that the task was built, and which files it could write, stays.

use std::fs::DirBuilder;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use ftl_store::{Files, Layout, Operation, Run, ensure_dir, private_dir};

use super::{Fault, Settings, files};

/// The name of the file that has the root's path.
pub(super) const PROJECT: &str = "project";

/// The snapshots of one run.
#[derive(Debug)]
pub(super) struct Snapshots {
    state: PathBuf,
    project: PathBuf,
    dir: PathBuf,
}

impl Snapshots {
    /// The snapshots of a run.
    ///
    /// # Errors
    ///
    /// [`Fault::NoStateDirectory`] where there is no place for them.
    pub(super) fn of(settings: &Settings, layout: &Layout, run: &Run) -> Result<Self, Fault> {
        Self::of_dir(settings, layout, run.dir())
    }

    /// The same of a run by its directory.
    ///
    /// # Errors
    ///
    /// As [`of`](Self::of).
    pub(super) fn of_dir(settings: &Settings, layout: &Layout, run: &Path) -> Result<Self, Fault> {
        let state = settings.layout.state_dir().ok_or(Fault::NoStateDirectory)?.to_owned();
        let project = private_dir(&state).join(layout.key());
        let run = run.strip_prefix(layout.runs_dir()).unwrap_or(run);
        Ok(Self { dir: project.join(run), project, state })
    }

    /// The directory of all of them.
    pub(super) fn dir(&self) -> &Path {
        &self.dir
    }

    /// The directory of all runs of the project.
    pub(super) fn project(&self) -> &Path {
        &self.project
    }

    /// The directory of the snapshot before a request.
    pub(super) fn before(&self, request: u32) -> PathBuf {
        self.dir.join(request.to_string())
    }

    /// Where files are copied to for a patch. It is no snapshot, and is removed after use.
    pub(super) fn workbench(&self) -> PathBuf {
        self.dir.join("patch")
    }

    /// Names the project for [`held_state`](super::held_state), which otherwise sees only a digest of its path. Not
    /// synced: without the name, the directory is kept.
    pub(super) fn name_project(&self, layout: &Layout) {
        let path = self.project.join(PROJECT);
        // A power cut may leave an empty one.
        let found = files().metadata(&path).ok().flatten();
        if found.is_some_and(|found| found.len == 0) {
            let _ = files().remove(&path);
        }
        if found.is_none_or(|found| found.len == 0) {
            let _ = files().write_unsynced(&path, layout.root().as_os_str().as_bytes(), None);
        }
    }

    /// Makes the directory that only its owner may enter, durably, unless it is there. The function that takes a
    /// snapshot makes what is below.
    pub(super) fn make_private(&self) -> Result<(), Fault> {
        let private = private_dir(&self.state);
        if files().metadata(&private)?.is_some() {
            return Ok(());
        }
        ensure_dir(files(), &self.state)?;
        let made = DirBuilder::new().recursive(true).mode(0o700).create(&private);
        made.map_err(|error| Operation::CreateDir.failed(&private, error))?;
        Ok(files().sync_dir(&self.state)?)
    }
}
