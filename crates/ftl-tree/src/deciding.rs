//! What becomes of a path that a walk comes to, as far as names, the configuration and ignore rules decide it.

use super::stamp::{EntryType, Stamp};
use super::{RelPath, Tree};

/// What configures ftl, in the root.
const CONFIGURATION: &[u8] = b"ftl.toml";

/// What is known of a path before it is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PathStatus {
    /// It is watched, whatever the rules say.
    Known,
    /// It is scratch, whatever the rules say.
    Scratch,
    /// It was not there; the rules decide.
    New,
}

/// What becomes of a path that a walk comes to.
pub(super) enum Decided {
    Watched,
    Scratch,
    Ignored,
}

impl Tree {
    /// `keeps` says whether it is for a snapshot, in which ignored paths are kept too.
    pub(super) fn decide(
        &self,
        path: &RelPath,
        stamp: &Stamp,
        status: PathStatus,
        keeps: bool,
        ignored: impl FnOnce() -> bool,
    ) -> Decided {
        let is_dir = stamp.kind() == EntryType::Dir;
        match status {
            PathStatus::Known => Decided::Watched,
            PathStatus::Scratch => Decided::Scratch,
            // What configures the next build is watched also where git ignores it.
            PathStatus::New
                if path.name() == CONFIGURATION
                    && *path == self.places.root().join(CONFIGURATION) =>
            {
                Decided::Watched
            }
            PathStatus::New => {
                let names = &self.names;
                if names.matches(path.name(), || self.places.shown(path), is_dir) {
                    Decided::Scratch
                } else if !ignored() {
                    Decided::Watched
                } else if keeps && !names.matches_ignored(path, is_dir) {
                    Decided::Ignored
                } else {
                    Decided::Scratch
                }
            }
        }
    }
}
