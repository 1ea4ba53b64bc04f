//! Where snapshots lie: outside the project, below the user's state directory.
//!
//! A snapshot holds the only copy of uncommitted work while somebody else writes the tree. It lies where
//! `git clean -fdx`, `rm -rf .ftl` and `git gc` of an implementer do not reach it, in directories that
//! their owner alone can enter.
//!
//! ```text
//! STATE/ftl/ROOT/ID/N/R     the snapshot before request R of run N; ROOT is made of the root's path
//! ```
//!
//! Once the run is sealed its copies go; that the task was built, and which files it could write, stays.

use std::fs::DirBuilder;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use ftl_model::Digest;
use ftl_store::{Files, Layout, Operation, ensure_dir};

use super::Fault;
use super::site::{Site, files};

/// Digits of the root's digest that name its directory: enough for every project of a user.
const DIGITS: usize = 16;

/// The directory of a project's snapshots.
pub(super) fn of_project(state: &Path, layout: &Layout) -> PathBuf {
    let digest = Digest::of(layout.root().as_os_str().as_bytes()).to_string();
    state.join("ftl").join(&digest[..DIGITS])
}

/// The snapshots of one run.
#[derive(Debug)]
pub(super) struct Snapshots {
    /// `STATE/ftl`, which is private.
    private: PathBuf,
    dir: PathBuf,
}

impl Site<'_> {
    /// The snapshots of this run.
    pub(super) fn snapshots(&self) -> Result<Snapshots, Fault> {
        let state = self
            .settings
            .state
            .as_deref()
            .ok_or(Fault::NoStateDirectory)?;
        let run = self.run.dir().strip_prefix(self.layout.runs_dir());
        let run = run.unwrap_or_else(|_| self.run.dir());
        Ok(Snapshots {
            private: state.join("ftl"),
            dir: of_project(state, self.layout).join(run),
        })
    }
}

impl Snapshots {
    /// The directory of all of them.
    pub(super) fn dir(&self) -> &Path {
        &self.dir
    }

    /// Where the snapshot before a request lies.
    pub(super) fn of(&self, request: u32) -> PathBuf {
        self.dir.join(request.to_string())
    }

    /// Makes the directory of a snapshot, durably, below one that nobody else may enter.
    pub(super) fn prepare(&self, request: u32) -> Result<PathBuf, Fault> {
        if let Some(state) = self.private.parent() {
            ensure_dir(files(), state)?;
            let mut private = DirBuilder::new();
            let made = private.recursive(true).mode(0o700).create(&self.private);
            made.map_err(|error| Operation::CreateDir.failed(&self.private, error))?;
            files().sync_dir(state)?;
        }
        let dir = self.of(request);
        ensure_dir(files(), &dir)?;
        Ok(dir)
    }
}
