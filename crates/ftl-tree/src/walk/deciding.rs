//! What becomes of a path that a walk comes to, as far as names, the configuration and ignore rules decide it.

use crate::stamp::{EntryType, Stamp};
use crate::{RelPath, Tree};

/// What configures ftl, in the root.
const CONFIGURATION: &[u8] = b"ftl.toml";

/// What is known of a path before it is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PathStatus {
    /// It is watched, whatever the rules say.
    Known,
    /// It is scratch, whatever the rules say.
    Scratch,
    /// It was not there; the rules decide.
    New,
}

/// What a survey is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// A comparison.
    Compare,
    /// A snapshot: attributes are looked for, which costs a call for each file, and ignored files are
    /// entries, since they are to be put back.
    Keep,
    /// A copy of the tree: ignored files are entries, and so is what git keeps beside its objects.
    Copy,
}

/// What becomes of a path that a walk comes to.
pub(crate) enum Decided {
    Watched,
    Scratch,
    Ignored,
}

impl Tree {
    /// In a snapshot and in a copy, ignored paths are kept too.
    pub(crate) fn decide(
        &self,
        path: &RelPath,
        stamp: &Stamp,
        status: PathStatus,
        purpose: Purpose,
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
                let is_output = || purpose == Purpose::Copy && names.matches_output(path, is_dir);
                if names.matches(path.name(), || self.places.shown(path), is_dir) {
                    Decided::Scratch
                } else if !ignored() {
                    Decided::Watched
                } else if purpose != Purpose::Compare
                    && !names.matches_ignored(path, is_dir)
                    && !is_output()
                {
                    Decided::Ignored
                } else {
                    Decided::Scratch
                }
            }
        }
    }
}
