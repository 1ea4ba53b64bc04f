//! What the rest of the crate knows of paths, as the overlay asks for it: one place, so that there is one
//! opinion of what is scratch, what is allowed and where the tree begins.

use std::collections::BTreeSet;
use std::fs::File;
use std::path::PathBuf;

use ftl_model::DeltaPath;

use super::upper::permissions_of;
use crate::openat::Beneath;
use crate::walk::rules::{IgnoreRules, read_rules};
use crate::{RelPath, Tree, TreeError};

impl Tree {
    /// The directory that is watched as a whole.
    pub(crate) fn watched_top(&self) -> PathBuf {
        self.top().to_path_buf()
    }

    /// The same, held open.
    pub(crate) fn top_beneath(&self) -> &Beneath {
        &self.places.top
    }

    /// Its mode.
    pub(crate) fn top_permissions(&self) -> Result<u32, TreeError> {
        permissions_of(self.top_beneath())
    }

    /// Git's own directory, where that is not below the top.
    pub(crate) fn outer_git_dir(&self) -> Option<PathBuf> {
        let dir = self.places.git_dir.as_ref()?.path();
        let dir = dir.canonicalize().unwrap_or_else(|_| dir.to_path_buf());
        (!dir.starts_with(self.watched_top())).then_some(dir)
    }

    pub(crate) fn label_of(&self, path: &DeltaPath) -> RelPath {
        self.places.of_delta(path)
    }

    /// Delta files, as labels.
    pub(crate) fn delta_labels(&self) -> BTreeSet<RelPath> {
        self.delta_paths()
    }

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
        let top = self.top_beneath();
        let text = |file: &File| read_rules(file);
        let git = dir.join(b".git");
        if !dir.is_top() && matches!(top.stamp(&git), Ok(Some(_))) {
            let exclude = top.file(&git.join(b"info").join(b"exclude"));
            rules.add_repository(dir, exclude.map_or_else(|_| Vec::new(), |file| text(&file)));
        }
        if let Ok(file) = top.file(&dir.join(b".gitignore")) {
            rules.add_file(dir, text(&file));
        }
    }

    /// Whether the configuration allows it to change outside the delta.
    pub(crate) fn is_allowed(&self, path: &RelPath) -> bool {
        self.allowed.hold(self.shown(path).as_bytes())
    }
}
