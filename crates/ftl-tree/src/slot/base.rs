//! What a slot's copy was made from, as it is stored: by it the next refresh knows what differs.

use std::collections::BTreeMap;
use std::fs;
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::path::{Path, PathBuf};

use ftl_store::{path_text, unless_missing};
use serde::{Deserialize, Serialize};

use crate::snapshot::manifest::pairs;
use crate::stamp::Stamp;
use crate::{RelPath, Tree, TreeError};

const FILE: &str = "base.json";
const VERSION: u32 = 1;

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
    /// When the system was started: copies are not synced.
    boot: String,
    /// The top of the tree.
    #[serde(with = "path_text")]
    top: PathBuf,
    /// The root, from the top.
    root: RelPath,
    owns_git_dir: bool,
    /// When the tree was looked at, in nanoseconds since the epoch.
    pub(super) taken: i64,
    #[serde(with = "pairs")]
    pub(super) entries: BTreeMap<RelPath, Copied>,
    /// Directories of which a view has the tree's own, below an upper layer.
    pub(super) dependencies: Vec<RelPath>,
    /// Directories of git's objects, each read at the mount point of its place in this list.
    pub(super) objects: Vec<RelPath>,
}

/// What a view and a landing need of a base. Many processes wait between the two, so each keeps 8 bytes of a path.
#[derive(Debug)]
pub(super) struct Kept {
    taken: i64,
    pub(super) dependencies: Vec<RelPath>,
    pub(super) objects: Vec<RelPath>,
    /// Pipes and sockets.
    pub(super) meeting: Vec<RelPath>,
    /// Hashes of the paths with their stamps, sorted.
    hashes: Vec<u64>,
    hasher: RandomState,
}

impl Kept {
    /// Whether the copy holds a file as it looks now.
    pub(super) fn holds(&self, path: &RelPath, now: &Stamp) -> bool {
        let hash = self.hasher.hash_one((path, now));
        now.settled_at(self.taken) && self.hashes.binary_search(&hash).is_ok()
    }
}

impl From<Base> for Kept {
    fn from(base: Base) -> Self {
        let hasher = RandomState::new();
        let hash = |(path, at): (&RelPath, &Copied)| hasher.hash_one((path, &at.then));
        let mut hashes: Vec<u64> = base.entries.iter().map(hash).collect();
        hashes.sort_unstable();
        let meeting = base.entries.iter().filter(|(_, at)| at.then.is_meeting());
        Self {
            taken: base.taken,
            meeting: meeting.map(|(path, _)| path.clone()).collect(),
            dependencies: base.dependencies,
            objects: base.objects,
            hashes,
            hasher,
        }
    }
}

impl Base {
    /// Of a tree that is looked at now, and nothing copied yet.
    pub(super) fn begin(tree: &Tree, taken: i64) -> Self {
        Self {
            version: VERSION,
            boot: boot(),
            top: tree.top().to_path_buf(),
            root: tree.places.root().clone(),
            owns_git_dir: tree.places.owns_git_dir,
            taken,
            entries: BTreeMap::new(),
            dependencies: Vec::new(),
            objects: Vec::new(),
        }
    }

    /// Whether it is of this tree, and of copies that were not lost since.
    pub(super) fn is_of(&self, tree: &Tree) -> bool {
        let same_place = self.top == tree.top() && self.root == *tree.places.root();
        same_place
            && self.owns_git_dir == tree.places.owns_git_dir
            && self.version == VERSION
            && self.boot == boot()
    }

    /// `None` also where it is damaged: the slot is then made again.
    pub(super) fn load(dir: &Path) -> Option<Self> {
        serde_json::from_slice(&fs::read(dir.join(FILE)).ok()?).ok()
    }

    /// Replaces the one that is stored. It need not outlive the system, so nothing is synced.
    pub(super) fn store(&self, dir: &Path) -> Result<(), TreeError> {
        let (path, new) = (dir.join(FILE), dir.join("base.new"));
        let bytes = serde_json::to_vec(self).map_err(io::Error::from);
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
