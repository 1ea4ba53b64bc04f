//! A project's tree: workplaces that are made equal to it, what changed in one, and landing that in the project.
//!
//! An implementer writes in a [`workplace`](workplace::Workplace), a private copy. What it did is found by comparing
//! the copy with its base, never by asking. The files that count are stored as [`SavedFiles`], and [`Tree::land`]
//! brings them into the project: planned durably, each file by one rename. [`Tree::undo_landing`] undoes a landing that
//! a crash cut off. Beside that, [`Tree::watch`] finds what a command wrote, by stamps alone, and [`Tree::base`] compares
//! the tree with a commit.
//!
//! Inside a git repository all of the repository is watched; what git ignores and well-known caches are scratch.
//! Nothing here follows a symbolic link beneath the root, decides what a change leads to, or runs any program but
//! git.
//!
//! The arrow to `ftl-store` is for one thing: files that survive a power cut. Nothing of tasks, runs, journals or
//! locks is used; callers say in which directory something belongs, and hold the lock of the root during each call.

mod apply;
mod compare;
mod digest;
mod error;
mod git;
mod globs;
mod openat;
mod out;
mod places;
mod rel_path;
mod saved;
mod stamp;
mod state;
#[cfg(test)]
mod tests;
mod walk;
pub mod workplace;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use ftl_model::DeltaPath;
use serde::{Deserialize, Serialize};

use git::{Discovery, Git};
pub use globs::Globs;
use openat::Beneath;
use places::Places;
use walk::scratch::ScratchNames;

pub use apply::Change;
pub use apply::landing::{Accepts, Landing, forget_landing, landing_owner};
pub use apply::patch::{Workbench, WorkbenchError};
pub use compare::base::{Base, BaseFile};
pub use compare::delta::DeltaContent;
pub use compare::watch::{Watch, Written};
pub use compare::{Changes, DeltaChange, Stray};
pub use error::TreeError;
pub use git::commit_error::CommitError;
pub use git::committing::{Commit, Committed, branch_of, in_submodules};
#[cfg(fuzzing)]
pub use git::fuzzing::git_answer;
pub use git::repository::{Repository, changed_since, repository_of};
pub use openat::reading::read_beneath;
pub use out::CopiedOut;
pub use rel_path::RelPath;
pub use saved::{SavedFiles, is_saved};
pub use stamp::EntryType;
pub use state::PathState;
pub use walk::scratch::{IGNORED_CACHES, SCRATCH_NAMES};

/// What becomes of a task whose implementer changes files that are not part of the work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Strays {
    /// They are left behind, with a warning, and the task goes on.
    #[default]
    Drop,
    /// The task is blocked.
    Block,
}

/// How much of a repository a [`Tree`] watches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Extent {
    /// All of it, also above the root.
    #[default]
    Repository,
    /// What is below the root.
    Root,
}

/// What a [`Tree`] watches and keeps, from the section `[scope]` of the configuration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// More paths that are scratch: globs, as in a `.gitignore` of the root.
    pub scratch: Vec<String>,
    /// Files that may change outside the delta: globs, as in a `.gitignore` of the root.
    pub allow: Vec<String>,
    /// How much of a git repository is watched.
    pub watch: Extent,
    /// What becomes of strays.
    pub strays: Strays,
    /// Bytes up to which a file that git ignores is copied into a workplace. A larger one is read where it is.
    pub max_backup: u64,
    /// Bytes of build outputs, and of each directory of dependencies, that are copied into a workplace.
    pub max_outputs: u64,
    /// Bytes that an implementer may write; `None` for half of what is free.
    #[serde(default)]
    pub max_written: Option<u64>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            scratch: Vec::new(),
            allow: Vec::new(),
            watch: Extent::default(),
            strays: Strays::default(),
            max_backup: 64 << 20,
            max_outputs: 2 << 30,
            max_written: None,
        }
    }
}

/// The tree that one task is built in.
#[derive(Debug)]
pub struct Tree {
    root: PathBuf,
    places: Places,
    delta: Vec<DeltaPath>,
    names: ScratchNames,
    allowed: Globs,
    /// Paths that are ftl's own, and not looked at.
    left_out: BTreeSet<RelPath>,
    settings: Settings,
    warnings: Vec<String>,
}

/// Where a tree is, and the repository around it.
#[derive(Debug)]
pub struct Location {
    /// Without links.
    root: PathBuf,
    git: Discovery,
}

impl Location {
    /// The [top](Tree::top) of the tree.
    #[must_use]
    pub fn top(&self) -> &Path {
        match &self.git {
            Discovery::Yes(git) => &git.base,
            Discovery::No | Discovery::Refused { .. } => &self.root,
        }
    }
}

impl Tree {
    /// Looks whether `root`, an existing directory, is in a git repository.
    ///
    /// # Errors
    /// When the root cannot be opened, or git runs but cannot be asked.
    pub fn open(root: &Path, delta: &[DeltaPath], settings: Settings) -> Result<Self, TreeError> {
        Self::open_at(Self::locate(root, settings.watch)?, delta, settings)
    }

    /// Opens the tree that was [located](Self::locate) with these settings.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_at(
        location: Location,
        delta: &[DeltaPath],
        settings: Settings,
    ) -> Result<Self, TreeError> {
        let Location { root, git } = location;
        let mut warnings = Vec::new();
        let (git, git_dir) = match git {
            Discovery::No => (None, None),
            Discovery::Yes(mut git) => {
                git.read_configuration()?;
                let dir = git.common_dir.clone();
                (Some(git), Some(dir))
            }
            Discovery::Refused { reason, dir } => {
                warnings.push(format!("the tree is treated as one without git: {reason}"));
                (None, dir)
            }
        };
        let top = git.as_ref().map_or(&root, |git| &git.base).clone();
        Ok(Self {
            places: Places::open(&top, &root, git, git_dir.as_deref())?,
            root,
            delta: delta.to_vec(),
            names: ScratchNames::new(&settings.scratch),
            allowed: Globs::new(&settings.allow),
            left_out: BTreeSet::new(),
            settings,
            warnings,
        })
    }

    /// Looks where a tree is, without opening it.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn locate(root: &Path, watch: Extent) -> Result<Location, TreeError> {
        let root = root.canonicalize().map_err(TreeError::io("find", root))?;
        let git = Git::locate(&root, watch)?;
        Ok(Location { root, git })
    }

    /// Leaves a directory of ftl's own out of everything, where it is in the tree.
    pub fn leave_out(&mut self, dir: &Path) {
        use std::os::unix::ffi::OsStrExt;
        if let Ok(below) = dir.strip_prefix(self.top()) {
            self.left_out.insert(RelPath::new(below.as_os_str().as_bytes()));
        }
    }

    /// The directory below which everything is watched: the root, or the top of its repository. Two
    /// trees whose tops lie within each other must not be built in at once.
    #[must_use]
    pub fn top(&self) -> &Path {
        self.places.top.path()
    }

    /// Makes sure that the directory at the path of the top is the one that was opened: otherwise nothing that
    /// is done by path concerns this tree.
    ///
    /// # Errors
    /// [`TreeError::Replaced`] where it is another one, or none.
    pub(crate) fn check_place(&self) -> Result<(), TreeError> {
        match Beneath::open(self.top()) {
            Ok(there) if there.is_same(&self.places.top) => Ok(()),
            _ => Err(TreeError::Replaced { path: self.top().to_path_buf() }),
        }
    }

    /// A path as seen from the root, for people: with `../` where it is above.
    #[must_use]
    pub fn shown(&self, path: &RelPath) -> String {
        self.places.shown(path)
    }

    /// The root, without links.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
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

    /// The delta, from the top.
    fn delta_paths(&self) -> BTreeSet<RelPath> {
        let paths = self.delta.iter();
        paths.map(|path| self.places.of_delta(path)).collect()
    }
}
