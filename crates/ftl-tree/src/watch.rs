//! What a command wrote outside the delta, told by stamps alone: nothing is copied, so nothing can be
//! put back. For verify and preflight commands, which may write what they like and are reported only.
//!
//! Here a changed stamp counts as written, whatever the content: the question is what the command
//! did, and not whether it mattered.

use std::collections::BTreeSet;

use super::git::Index;
use super::stamp::{self, Stamp};
use super::survey::{PathStatus, Survey};
use super::{RelPath, Tree, TreeError, scratch};
use ftl_model::Scratch;

/// The stamps of a tree before a command, without any copies.
#[derive(Debug)]
pub struct Watch {
    taken: i64,
    survey: Survey,
}

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
        let taken = stamp::now();
        let survey = self.survey(&|path| index.status(path))?;
        Ok(Watch { taken, survey })
    }

    /// What was created, written to or removed outside the delta since then: at most a hundred
    /// topmost paths.
    ///
    /// # Errors
    /// When the tree cannot be read.
    pub fn written_since(&self, watch: &Watch) -> Result<Vec<Scratch>, TreeError> {
        let before = &watch.survey;
        let now = self.survey(&|path| {
            if before.entries.contains_key(path) {
                PathStatus::Known
            } else if before.scratch.contains(path) {
                PathStatus::Scratch
            } else {
                PathStatus::New
            }
        })?;
        // A directory above a delta file belongs to that file.
        let delta: BTreeSet<RelPath> = self.delta.iter().map(RelPath::from).collect();
        let parents: BTreeSet<RelPath> = delta.iter().flat_map(RelPath::ancestors).collect();
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
            .filter(|path| !delta.contains(path) && !parents.contains(path))
            .filter(|path| !self.wrote(path, now.entries.get(path).map(Stamp::kind), watch.taken))
            .cloned()
            .collect();
        let is_top = |path: &&RelPath| !path.is_below_any(&all);
        let top: BTreeSet<RelPath> = all.iter().filter(is_top).cloned().collect();
        Ok(scratch::list(&self.places.root, &top, &BTreeSet::new()))
    }
}
