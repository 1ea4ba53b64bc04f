//! Snapshots of a project's tree: taken before a request, compared after it, put back.
//!
//! What an implementer touched is found by looking at the tree, never by asking. A [`Tree`] knows
//! the root and the delta. [`Tree::snapshot`] records every path on disk, so that another process
//! can use the record after a crash; [`Tree::compare`] finds what changed since; and
//! [`Tree::quarantine`] moves strays away and puts the tree outside the delta back as it was,
//! byte and mode. [`Tree::restore`] puts the delta back too. [`Tree::watch`] records stamps only, to
//! tell what a command wrote, and [`Tree::base`] compares with a commit in place of a snapshot.
//!
//! Inside a git repository, files that git knows to be clean are put back from its objects, and
//! everything else from copies; what git ignores is scratch, as are well-known caches. Without
//! git everything is copied. Of git's own directory only hooks and configuration are watched. In a
//! `.ftl` everything is, but for what its owner writes there meanwhile ([`OwnFiles`]).
//!
//! Nothing here follows a symbolic link beneath the root, decides what a stray leads to, or runs any
//! program but git.
//!
//! A snapshot costs one `lstat` for each path, a few runs of git, and a copy of each file that git
//! does not hold; a comparison costs the `lstat`s, and reads only files whose stamps differ.
//!
//! The arrow to `ftl-store` is for one thing: files that survive a power cut. A snapshot's manifest
//! is written by [`ftl_store::replace`] over [`ftl_store::OsFiles`], and a manifest that is stale is
//! removed by the same steps. Nothing of tasks, runs, journals or locks is used; callers say in which
//! directory a snapshot belongs, and hold the lock of the root meanwhile.

mod base;
mod beneath;
mod changes;
mod copying;
mod delta;
mod digest;
mod error;
mod git;
mod own;
mod pack;
mod put_back;
mod rel_path;
mod scratch;
mod snapshot;
mod stamp;
mod survey;
#[cfg(test)]
mod tests;
mod watch;

use std::path::{Path, PathBuf};

use ftl_model::DeltaPath;
use serde::{Deserialize, Serialize};

use beneath::Beneath;
use git::{Discovery, Git};
use scratch::ScratchRules;

pub use base::{Base, BaseFile};
pub use changes::{Changes, DeltaChange, Stray};
pub use delta::FileState;
pub use error::TreeError;
pub use own::{Found, OwnFiles};
pub use put_back::PutBack;
pub use rel_path::RelPath;
pub use snapshot::{Snapshot, retire_all};
pub use stamp::EntryType;
pub use watch::Watch;

/// What [`Tree::quarantine`] does about changes outside the delta.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Strays {
    /// Move them away and put the tree back.
    #[default]
    Quarantine,
    /// Leave them where they are.
    Report,
}

/// What a [`Tree`] watches and keeps, from the section `[scope]` of the configuration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// More paths that are scratch: names, or paths from the root where there is a `/`; `*`
    /// stands for any characters but `/`.
    pub scratch: Vec<String>,
    /// What to do about strays.
    pub strays: Strays,
    /// The size in bytes up to which a file that git does not hold is copied. A larger one is
    /// watched, but cannot be put back.
    pub max_backup: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            scratch: Vec::new(),
            strays: Strays::default(),
            max_backup: 64 << 20,
        }
    }
}

/// The tree that one task is built in.
#[derive(Debug)]
pub struct Tree {
    places: Places,
    delta: Vec<DeltaPath>,
    rules: ScratchRules,
    settings: Settings,
    warnings: Vec<String>,
    own: Box<dyn OwnFiles>,
}

/// Where a [`RelPath`] is: one that begins with `.git/` in git's own directory, all others below the
/// root.
///
/// Git's directory need not be below the root: of a linked worktree it is that of the main one, and
/// of a root within a repository that of the repository's top. One name for it in snapshots keeps
/// them readable wherever it is.
#[derive(Debug)]
struct Places {
    root: Beneath,
    git: Option<Git>,
    git_dir: Option<Beneath>,
}

impl Places {
    fn locate(&self, label: &RelPath) -> (&Beneath, RelPath) {
        match (&self.git_dir, label.strip(b".git")) {
            (Some(git_dir), Some(path)) => (git_dir, path),
            (Some(_), None) | (None, _) => (&self.root, label.clone()),
        }
    }
}

impl Tree {
    /// Looks whether `root`, an existing directory, lies in a git repository.
    ///
    /// # Errors
    /// When the root cannot be opened, or git runs but cannot be asked.
    pub fn open(root: &Path, delta: &[DeltaPath], settings: Settings) -> Result<Self, TreeError> {
        let root = root.canonicalize().map_err(TreeError::io("find", root))?;
        let mut warnings = Vec::new();
        let (git, git_dir) = match Git::find(&root)? {
            Discovery::No => (None, None),
            Discovery::Yes(git) => {
                let dir = git.common_dir.clone();
                (Some(git), Some(dir))
            }
            Discovery::Refused { reason, dir } => {
                warnings.push(format!("the tree is treated as one without git: {reason}"));
                (None, dir)
            }
        };
        let open = |path: &PathBuf| Beneath::open(path).map_err(TreeError::io("open", path));
        let places = Places {
            root: open(&root)?,
            git,
            git_dir: git_dir.as_ref().map(open).transpose()?,
        };
        Ok(Self {
            places,
            delta: delta.to_vec(),
            rules: ScratchRules::new(&settings.scratch),
            settings,
            warnings,
            own: Box::new(own::Nobody),
        })
    }

    /// Whether the tree is in a repository that git accepts.
    #[must_use]
    pub fn has_git(&self) -> bool {
        self.places.git.is_some()
    }

    /// What the user should know of how the tree is looked at.
    #[must_use]
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }
}
