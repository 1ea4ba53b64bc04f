use std::collections::BTreeSet;

use super::git::Index;
use super::survey::{PathStatus, Survey};
use super::{RelPath, Tree, TreeError, scratch};
use ftl_model::Scratch;

/// How the tree looked, without any copies: to tell afterwards what a command wrote.
#[derive(Debug)]
pub struct Watch(Survey);

impl Tree {
    /// Looks at the tree before a command that may write where it likes.
    ///
    /// # Errors
    /// When the tree cannot be read.
    pub fn watch(&self) -> Result<Watch, TreeError> {
        let index = match &self.places.git {
            Some(git) => git.index()?,
            None => Index::default(),
        };
        self.survey(&|path| index.standing(path)).map(Watch)
    }

    /// What was created, written to or removed outside the delta since then: at most a hundred
    /// topmost paths.
    ///
    /// # Errors
    /// When the tree cannot be read.
    pub fn written_since(&self, watch: &Watch) -> Result<Vec<Scratch>, TreeError> {
        let before = &watch.0;
        let now = self.survey(&|path| {
            if before.entries.contains_key(path) {
                PathStatus::Known
            } else if before.scratch.contains(path) {
                PathStatus::Scratch
            } else {
                PathStatus::New
            }
        })?;
        // A directory on the way to a delta file is made for its sake.
        let delta: BTreeSet<RelPath> = self.delta.iter().map(RelPath::from).collect();
        let ways: BTreeSet<RelPath> = delta.iter().flat_map(RelPath::ancestors).collect();
        let written = now
            .entries
            .iter()
            .filter(|(path, stamp)| before.entries.get(path) != Some(stamp));
        let removed = before
            .entries
            .keys()
            .filter(|path| !now.entries.contains_key(path));
        let new_scratch = now.scratch.difference(&before.scratch);
        let all: BTreeSet<RelPath> = written
            .map(|(path, _)| path)
            .chain(removed)
            .chain(new_scratch)
            .filter(|path| !delta.contains(path) && !ways.contains(path))
            .cloned()
            .collect();
        let is_top = |path: &&RelPath| !path.is_below_any(&all);
        let top: BTreeSet<RelPath> = all.iter().filter(is_top).cloned().collect();
        Ok(scratch::list(&self.places.root, &top, &BTreeSet::new()))
    }
}
