//! Which changes in a `.ftl` are the caller's own.
//!
//! A `.ftl` is watched like the rest of the tree, but its owner writes there too: a run keeps its journal,
//! and other commands make tasks and finish them. A file does not say who wrote it, so the caller that opens
//! a [`Tree`] decides.

use std::fmt;
use std::path::Path;

use super::compare::classify::Difference;
use super::stamp::EntryType;
use super::walk::deciding::Purpose;
use super::walk::is_in_store;
use super::{RelPath, Tree};

/// Separates the caller's own changes in a `.ftl` from those of other programs. Paths are absolute; a type is
/// `None` where nothing is at a path.
pub trait OwnFiles: fmt::Debug + Send + Sync {
    /// Whether snapshots and comparisons skip this path and everything below it.
    fn skips(&self, path: &Path) -> bool;

    /// Whether the caller made a path what it is now, since a snapshot.
    fn wrote(&self, path: &Path, now: Option<EntryType>) -> bool;

    /// Whether the caller, or another process like it, may have changed a path from one type to another during
    /// a watch, which excludes no such process.
    fn may_write(&self, path: &Path, was: Option<EntryType>, now: Option<EntryType>) -> bool;

    /// Whether [`may_write`](Self::may_write) holds of this path and of everything below it, for every change: a watch
    /// skips it.
    fn may_write_all(&self, path: &Path) -> bool;

    /// Whether copies of the tree have nothing of this path and of everything below it.
    fn is_never_copied(&self, path: &Path) -> bool;
}

/// Nothing is the caller's.
#[derive(Debug)]
pub(super) struct NoOwner;

impl OwnFiles for NoOwner {
    fn skips(&self, _path: &Path) -> bool {
        false
    }

    fn wrote(&self, _path: &Path, _now: Option<EntryType>) -> bool {
        false
    }

    fn may_write(&self, _path: &Path, _was: Option<EntryType>, _now: Option<EntryType>) -> bool {
        false
    }

    fn may_write_all(&self, _path: &Path) -> bool {
        false
    }

    fn is_never_copied(&self, _path: &Path) -> bool {
        false
    }
}

impl Tree {
    /// Sets which changes in a `.ftl` are the caller's own; by default, none.
    #[must_use]
    pub fn with_own(mut self, own: Box<dyn OwnFiles>) -> Self {
        self.own = own;
        self
    }

    /// Whether a difference is the caller's own. One of the mode alone is not, since the caller changes none.
    pub(super) fn is_own(&self, difference: &Difference) -> bool {
        let is_written = |path: &Path| self.own.wrote(path, difference.kind_now());
        !difference.mode_only && self.in_store(&difference.path, is_written)
    }

    /// Whether a walk for this purpose skips what is at a path in a `.ftl`.
    pub(super) fn skips(&self, path: &Path, purpose: Purpose) -> bool {
        let is_left_out = match purpose {
            Purpose::Watch => self.own.may_write_all(path),
            Purpose::Copy => self.own.is_never_copied(path),
            Purpose::Compare | Purpose::Keep | Purpose::Copied => false,
        };
        is_left_out || self.own.skips(path)
    }

    /// Whether a path in a `.ftl` may have been changed by its owner during a watch.
    pub(super) fn may_be_own(
        &self,
        path: &RelPath,
        was: Option<EntryType>,
        now: Option<EntryType>,
    ) -> bool {
        self.in_store(path, |path| self.own.may_write(path, was, now))
    }

    fn in_store(&self, path: &RelPath, is_own: impl FnOnce(&Path) -> bool) -> bool {
        if !is_in_store(path) {
            return false;
        }
        let place = self.at(path);
        is_own(&place.full())
    }
}
