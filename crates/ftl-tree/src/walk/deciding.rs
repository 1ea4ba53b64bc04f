//! What becomes of a path that a walk comes to, as far as names, the configuration and ignore rules decide it.

use std::collections::BTreeSet;

use super::rules::{IgnoreRules, read_rules};
use crate::openat::At;
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
}

impl Purpose {
    pub(crate) fn is_of_copy(self) -> bool {
        matches!(self, Self::Copy | Self::Copied)
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

    /// Whether a path, or one above it, has the name of a cache that counts only where git ignores it.
    pub(crate) fn is_cache_if_ignored(&self, path: &RelPath, is_dir: bool) -> bool {
        self.names.matches_ignored(path, is_dir)
    }

    /// Which of these git ignores, by the rules in the tree, which an isolated implementer can't change.
    /// Each comes with whether it is a directory.
    pub(crate) fn ignored_among(&self, paths: &[(RelPath, bool)]) -> BTreeSet<RelPath> {
        let Some(git) = &self.places.git else {
            return BTreeSet::new();
        };
        // Those outside the view could be changed by the implementer.
        let mut rules = self.first_rules.get_or_init(|| git.rules()).clone();
        let mut dirs: BTreeSet<RelPath> = BTreeSet::from([RelPath::default()]);
        dirs.extend(paths.iter().flat_map(|(path, _)| path.ancestors()));
        for dir in dirs {
            self.read_rules_of(&dir, &mut rules);
        }
        let configuration = self.places.root().join(b"ftl.toml");
        let is_ignored = |path: &RelPath, is_dir: bool| {
            *path != configuration
                && (rules.ignores_dir(&path.split().0) || rules.ignores(path, is_dir))
        };
        let found = paths.iter().filter(|(path, is_dir)| is_ignored(path, *is_dir));
        found.map(|(path, _)| path.clone()).collect()
    }

    fn read_rules_of(&self, dir: &RelPath, rules: &mut IgnoreRules) {
        let dir_at = self.places.top.at(dir);
        let text = |at: At<'_>| at.file().map(|file| read_rules(&file));
        let git = dir_at.join(b".git");
        if !dir.is_top() && matches!(git.stamp(), Ok(Some(_))) {
            rules.add_repository(dir, text(git.join(b"info").join(b"exclude")).unwrap_or_default());
        }
        if let Ok(text) = text(dir_at.join(b".gitignore")) {
            rules.add_file(dir, text);
        }
    }

    /// In a copy, ignored paths are kept too.
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
                } else if purpose.is_of_copy()
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
