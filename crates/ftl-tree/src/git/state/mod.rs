//! What belongs to the user in a repository beside its files: HEAD, branches and other references, the
//! stash, the index, and a merge or rebase under way.
//!
//! Captured with a snapshot, compared and put back after a request, and never at another time: a person who
//! runs git outside of requests keeps what they did.
//!
//! An implementer may take commits out of reach and let `git gc` remove them, and the objects of staged
//! work with them. So before a request one commit is made that has the tips of all branches and stashes
//! for parents and the staged blobs in its tree, and a reference below `refs/ftl/` leads to it until the
//! request is over. Tags and what was fetched are not held so: only an implementer who removes them and
//! prunes at once takes their objects away.

mod capturing;
mod putting_back;
mod seen;

use std::collections::BTreeMap;
use std::path::PathBuf;

use ftl_store::path_text;
use serde::{Deserialize, Serialize};

use crate::RelPath;
use crate::git::{Refs, SYMBOLIC};
use crate::openat::{Attributes, Rights};
use crate::snapshot::pack::Copied;
use crate::stamp::Stamp;

pub(crate) use capturing::own_references;
pub use putting_back::GitPutBack;
pub(crate) use putting_back::is_object;
pub(crate) use seen::GitSeen;

/// The file that HEAD is, in every format of references.
const HEAD: &[u8] = b"HEAD";
const INDEX: &[u8] = b"index";
/// Where the stashes but the last one are kept.
pub(crate) const STASHES: &[u8] = b"logs/refs/stash";
const STASH: &str = "refs/stash";

/// Files of a merge, rebase, cherry-pick, revert or bisection under way.
const UNDER_WAY: [&str; 14] = [
    "AUTO_MERGE",
    "BISECT_ANCESTORS_OK",
    "BISECT_EXPECTED_REV",
    "BISECT_LOG",
    "BISECT_NAMES",
    "BISECT_START",
    "BISECT_TERMS",
    "CHERRY_PICK_HEAD",
    "MERGE_HEAD",
    "MERGE_MODE",
    "MERGE_MSG",
    "REBASE_HEAD",
    "REVERT_HEAD",
    "SQUASH_MSG",
];

/// Directories of the same.
const UNDER_WAY_DIRS: [&str; 3] = ["rebase-apply", "rebase-merge", "sequencer"];

/// Locks of git's. One that a request leaves belongs to a process that is gone.
const LOCKS: [&str; 3] = ["HEAD.lock", "index.lock", "packed-refs.lock"];

/// A repository as it was.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct GitState {
    /// Git's directory of the work tree.
    #[serde(with = "path_text")]
    dir: PathBuf,
    /// Its `HEAD`, without the line end.
    head: String,
    refs: Refs,
    index: Option<Kept>,
    /// The stashes, and files of what was under way, by their path in git's directory.
    files: Vec<(RelPath, Kept)>,
    /// Locks that were held.
    #[serde(default)]
    locks: Vec<RelPath>,
    /// What a split index is made of.
    shared: Vec<(RelPath, Kept)>,
    /// Below which references of ours lie, such as `refs/ftl/001_t/1/1`.
    own: String,
    /// Why commits and staged work could not be held.
    unheld: Option<String>,
}

impl GitState {
    /// What the user should know.
    pub(crate) fn warning(&self) -> Option<String> {
        let reason = self.unheld.as_ref()?;
        Some(format!("commits and staged work are not held against `git gc`: {reason}"))
    }
}

/// A file that was copied.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Kept {
    copied: Copied,
    stamp: Stamp,
}

impl Kept {
    /// What the file gets when it is written again.
    fn rights(&self) -> Rights<'_> {
        let Stamp { ids, .. } = self.stamp;
        Rights {
            permissions: self.stamp.permissions(),
            ids: Some(ids),
            attributes: Attributes::NONE,
        }
    }
}

/// How a repository differs from what it was.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GitChanges {
    head: Option<String>,
    /// Where each reference that differs leads now.
    refs: BTreeMap<String, Option<String>>,
    index: bool,
    files: Vec<RelPath>,
    /// Why the repository could not be read.
    unknown: Option<String>,
}

impl GitChanges {
    /// Whether nothing differs.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// What differs, for people, one entry a thing.
    #[must_use]
    pub fn described(&self) -> Vec<String> {
        let mut named = Vec::new();
        if let Some(reason) = &self.unknown {
            named.push(format!("the repository ({reason})"));
        }
        if self.head.is_some() {
            named.push("HEAD".to_owned());
        }
        let is_stash = |path: &RelPath| path.bytes() == STASHES;
        let stash = self.refs.contains_key(STASH) || self.files.iter().any(is_stash);
        named.extend(stash.then(|| "the stash".to_owned()));
        let refs = self.refs.keys().filter(|name| *name != STASH);
        named.extend(refs.map(|name| match name.strip_prefix("refs/heads/") {
            Some(branch) => format!("the branch `{branch}`"),
            None => format!("`{name}`"),
        }));
        named.extend(self.index.then(|| "the index".to_owned()));
        let files = self.files.iter().filter(|path| !is_stash(path));
        named.extend(files.map(|path| format!("`{}`", file_name(path))));
        named
    }
}

/// For people.
fn file_name(path: &RelPath) -> String {
    format!(".git/{}", path.as_path().display())
}

/// A branch's name, or an object's: what HEAD is.
fn target(head: &str) -> Option<&str> {
    head.strip_prefix(SYMBOLIC)
}
