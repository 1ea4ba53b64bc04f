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
    /// What is there before a command, and what the command wrote: what ftl keeps in a `.ftl` is left out.
    Watch,
    /// A copy of the tree: ignored files are entries, and so is what git keeps beside its objects.
    Copy,
    /// What a copy holds now: the same, with what does not belong into it.
    Copied,
    /// What an implementer made of a copy: the same, but ignored paths that are new are scratch.
    Worked,
}

impl Purpose {
    pub(crate) fn is_of_copy(self) -> bool {
        matches!(self, Self::Copy | Self::Copied | Self::Worked)
    }
}

/// What becomes of a path that a walk comes to.
pub(crate) enum Decided {
    Watched,
    Scratch,
    Ignored,
}

impl Tree {
    pub(crate) fn is_scratch_by_name(&self, path: &RelPath, is_dir: bool) -> bool {
        self.names.matches(path.name(), || self.shown(path), is_dir)
    }

    /// In a copy, ignored paths are kept too, but for those that an implementer adds.
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
                let is_output = || purpose.is_of_copy() && names.matches_output(path, is_dir);
                if names.matches(path.name(), || self.places.shown(path), is_dir) {
                    Decided::Scratch
                } else if !ignored() {
                    Decided::Watched
                } else if matches!(purpose, Purpose::Copy | Purpose::Copied)
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
