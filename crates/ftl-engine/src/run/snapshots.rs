//! Where snapshots lie: outside the project, below the user's state directory.
//!
//! A snapshot holds the only copy of uncommitted work while another program writes the tree. It is kept where
//! `git clean -fdx`, `rm -rf .ftl` and `git gc` of an implementer do not reach it, in directories that
//! their owner alone can enter.
//!
//! ```text
//! STATE/ftl/ROOT/ID.N/R     the snapshot before request R of run N; ROOT is made of the root's path
//! STATE/ftl/ROOT/project    that path, once the name of its directory is on the disk
//! ```
//!
//! Each directory that is made costs a sync, so a run has one and not two. An earlier ftl made `ID/N`: a run that has
//! one goes on with it.
//!
//! Once the run is sealed its copies go; that the task was built, and which files it could write, stays.

use std::fs::DirBuilder;
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use ftl_store::{
    Files, Layout, Operation, Run, ensure_dir, ensure_private_dir_unsynced, private_dir,
};

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
        let former = project.join(run);
        let dir = match former.is_dir() {
            true => former,
            false => project.join(run.to_string_lossy().replace('/', ".")),
        };
        Ok(Self { dir, project, state })
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

    /// Makes the directory of the snapshot before a request and those above. Only their owner may enter them.
    /// [`settle`](Self::settle) brings their names to the disk.
    pub(super) fn make(&self, request: u32) -> Result<PathBuf, Fault> {
        let private = private_dir(&self.state);
        if files().metadata(&private)?.is_none() {
            ensure_dir(files(), &self.state)?;
            let made = DirBuilder::new().recursive(true).mode(0o700).create(&private);
            made.map_err(|error| Operation::CreateDir.failed(&private, error))?;
            files().sync_dir(&self.state)?;
        }
        let dir = self.before(request);
        ensure_private_dir_unsynced(files(), &dir)?;
        Ok(dir)
    }

    /// Brings the names of a snapshot's directory and of those above to the disk, before anybody is asked. A process that
    /// was killed may have made them.
    pub(super) fn settle(&self, layout: &Layout) -> Result<(), Fault> {
        for dir in self.dir.ancestors().take_while(|dir| dir.starts_with(&self.project)) {
            files().sync_dir(dir)?;
        }
        let path = self.project.join(PROJECT);
        let found = files().metadata(&path)?;
        if found.is_some_and(|found| found.len > 0) {
            return Ok(());
        }
        files().sync_dir(&private_dir(&self.state))?;
        // A power cut may leave an empty one.
        if found.is_some() {
            files().remove(&path)?;
        }
        // Names the project for `held_state`, which otherwise sees only a digest of its path, and keeps what is there.
        let _ = files().write_unsynced(&path, layout.root().as_os_str().as_bytes(), None);
        Ok(())
    }
}

/// The directories of runs in a project's, each with the task's ID and the run's number.
pub(super) fn runs_in(project: &Path) -> Result<Vec<(String, String, PathBuf)>, Fault> {
    let mut runs = Vec::new();
    for name in names_in(project)? {
        let dir = project.join(&name);
        match name.rsplit_once('.') {
            Some((id, number)) if number.bytes().all(|byte| byte.is_ascii_digit()) => {
                runs.push((id.to_owned(), number.to_owned(), dir));
            }
            Some(_) => {}
            // Of an earlier ftl.
            None => {
                let numbers = names_in(&dir)?.into_iter();
                runs.extend(numbers.map(|number| {
                    let run = dir.join(&number);
                    (name.clone(), number, run)
                }));
            }
        }
    }
    Ok(runs)
}

/// The names in a directory that are text; none where it is no directory.
pub(super) fn names_in(dir: &Path) -> Result<Vec<String>, Fault> {
    let names = match files().list(dir) {
        Err(error) if error.kind() == ErrorKind::NotADirectory => Vec::new(),
        names => names?,
    };
    Ok(names.iter().filter_map(|name| name.to_str().map(str::to_owned)).collect())
}
