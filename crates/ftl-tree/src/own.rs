//! What in a `.ftl` is the caller's own doing.
//!
//! A `.ftl` is watched like the rest of the tree, but its owner writes there while an implementer is at
//! work: a run keeps its journal, and other commands make tasks and finish them. Who wrote a file cannot be
//! seen in it, so whoever opens a [`Tree`] says so.

use std::fmt;
use std::io::ErrorKind;
use std::path::Path;

use ftl_model::Digest;

use super::changes::Difference;
use super::digest::digest_of;
use super::stamp::EntryType;
use super::survey::is_in_store;
use super::{RelPath, Tree};

/// What is at a path of a `.ftl`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found<'d> {
    /// Nothing.
    Nothing,
    /// A directory.
    Dir,
    /// A regular file with these bytes.
    File(&'d Digest),
}

/// Tells the caller's own doing in a `.ftl` from an implementer's. Paths are absolute, moments in
/// nanoseconds since the epoch.
pub trait OwnFiles: fmt::Debug + Send + Sync {
    /// Whether this path and everything below it is passed over, in snapshots and comparisons alike.
    fn skips(&self, path: &Path) -> bool;

    /// A snapshot or a watch of the tree begins, and comes to a `.ftl`: its moment has been set, and nothing of
    /// this directory was looked at yet.
    fn is_watched(&self, store: &Path);

    /// Whether the caller, or another process that it knows of, made a path what it is now, after the
    /// moment that is given.
    fn wrote(&self, path: &Path, now: Found<'_>, since: i64) -> bool;
}

/// Nothing is.
#[derive(Debug)]
pub(super) struct NoOwner;

impl OwnFiles for NoOwner {
    fn skips(&self, _path: &Path) -> bool {
        false
    }

    fn is_watched(&self, _store: &Path) {}

    fn wrote(&self, _path: &Path, _now: Found<'_>, _since: i64) -> bool {
        false
    }
}

impl Tree {
    /// Says what in a `.ftl` is the caller's own doing; without this, nothing is.
    #[must_use]
    pub fn with_own(mut self, own: Box<dyn OwnFiles>) -> Self {
        self.own = own;
        self
    }

    /// Whether a difference is the caller's own doing. A mode is nobody's: the caller changes none.
    pub(super) fn is_own(&self, difference: &Difference, since: i64) -> bool {
        !difference.mode_only && self.wrote(&difference.path, difference.kind_now(), since)
    }

    /// The same for a path of which only the kind is known.
    pub(super) fn wrote(&self, path: &RelPath, now: Option<EntryType>, since: i64) -> bool {
        if !is_in_store(path) {
            return false;
        }
        let (place, inner) = self.places.locate(path);
        let full = place.full(&inner);
        match now {
            None => self.own.wrote(&full, Found::Nothing, since),
            Some(EntryType::Dir) => self.own.wrote(&full, Found::Dir, since),
            Some(EntryType::File) => {
                match place.file(&inner).and_then(|mut file| digest_of(&mut file)) {
                    Ok(digest) => self.own.wrote(&full, Found::File(&digest), since),
                    // Its owner goes on writing while the tree is looked at.
                    Err(error) if error.kind() == ErrorKind::NotFound => {
                        self.own.wrote(&full, Found::Nothing, since)
                    }
                    Err(_) => false,
                }
            }
            Some(EntryType::Link | EntryType::Special) => false,
        }
    }
}
