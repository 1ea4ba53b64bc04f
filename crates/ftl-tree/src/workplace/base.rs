//! What a workplace was made from, as it is stored: by it the next refresh knows what differs, and a comparison what an
//! implementer changed.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use ftl_store::{path_text, unless_missing};
use serde::{Deserialize, Serialize};

use super::Placement;
use super::outputs::Dependency;
use crate::saved::manifest::pairs;
use crate::stamp::Stamp;
use crate::walk::rules::IgnoreRules;
use crate::walk::scratch::ScratchStamp;
use crate::{RelPath, Tree, TreeError};

const FILE: &str = "base.json";
const VERSION: u32 = 2;

/// A path of the copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Copied {
    /// How it looked in the tree.
    pub(super) then: Stamp,
    /// How the copy looks.
    pub(super) copy: Stamp,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Base {
    version: u32,
    placement: Placement,
    /// When the system was started: copies are not synced.
    boot: String,
    /// The top of the tree.
    #[serde(with = "path_text")]
    top: PathBuf,
    /// The root, from the top.
    root: RelPath,
    pub(super) owns_git_dir: bool,
    /// When the tree was looked at, in nanoseconds since the epoch.
    pub(super) taken: i64,
    #[serde(with = "pairs")]
    pub(super) entries: BTreeMap<RelPath, Copied>,
    /// What was ignored, and what was scratch: a rule that an implementer adds hides nothing.
    pub(super) rules: IgnoreRules,
    #[serde(with = "pairs")]
    pub(super) scratch: BTreeMap<RelPath, ScratchStamp>,
    /// Directories that could not be looked into.
    pub(super) unreadable: BTreeSet<RelPath>,
    /// Directories that are the project's own, or copies of them.
    pub(super) dependencies: Vec<Dependency>,
    /// Directories of git's objects, each read at the mount point of its place in this list.
    pub(super) objects: Vec<RelPath>,
}

impl Base {
    /// Whether the copy holds a file as it looks in the tree now.
    pub(super) fn holds(&self, path: &RelPath, now: &Stamp) -> bool {
        let copied = self.entries.get(path);
        copied.is_some_and(|copied| copied.then == *now) && now.settled_at(self.taken)
    }

    /// Of a tree that is looked at now, and nothing copied yet.
    pub(super) fn begin(tree: &Tree, placement: Placement, taken: i64) -> Self {
        Self {
            version: VERSION,
            placement,
            boot: boot(),
            top: tree.top().to_path_buf(),
            root: tree.places.root().clone(),
            owns_git_dir: tree.places.owns_git_dir,
            taken,
            entries: BTreeMap::new(),
            rules: IgnoreRules::default(),
            scratch: BTreeMap::new(),
            unreadable: BTreeSet::new(),
            dependencies: Vec::new(),
            objects: Vec::new(),
        }
    }

    /// Whether it is of this tree, placed like this, and of copies that were not lost since.
    pub(super) fn is_of(&self, tree: &Tree, placement: Placement) -> bool {
        let same_place = self.top == tree.top() && self.root == *tree.places.root();
        same_place
            && self.owns_git_dir == tree.places.owns_git_dir
            && self.version == VERSION
            && self.placement == placement
            && self.boot == boot()
    }

    /// `None` also where it is damaged: the workplace is then made again.
    pub(super) fn load(dir: &Path) -> Option<Self> {
        serde_json::from_slice(&fs::read(dir.join(FILE)).ok()?).ok()
    }

    /// Replaces the one that is stored. It need not outlive the system, so nothing is synced.
    pub(super) fn store(&self, dir: &Path) -> Result<(), TreeError> {
        let (path, new) = (dir.join(FILE), dir.join("base.new"));
        let bytes = serde_json::to_vec(self).map_err(io::Error::from);
        // It may be a link that an implementer made.
        unless_missing(fs::remove_file(&new)).map_err(TreeError::io("remove", &new))?;
        let written = bytes.and_then(|bytes| fs::write(&new, bytes));
        written.and_then(|()| fs::rename(&new, &path)).map_err(TreeError::io("write", path))
    }

    pub(super) fn forget(dir: &Path) -> Result<(), TreeError> {
        let path = dir.join(FILE);
        unless_missing(fs::remove_file(&path)).map_err(TreeError::io("remove", path))
    }
}

/// Where the system does not say, every start counts as the same.
fn boot() -> String {
    ftl_process::boot_id().unwrap_or_default().to_owned()
}
