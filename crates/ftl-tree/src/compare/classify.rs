//! Which differences of a workplace from its base count.
//!
//! Three things that differ are not reported. Directories above a delta file come and go with it.
//! What is below a directory that could not be read, then or now, may have been there all along. And
//! a new directory that holds only scratch is scratch, or each cache of a tool would need a rule of
//! its own for the directory around it.
//!
//! Files that `[scope] allow` names, such as lock files, may change without being in the delta: only regular files, and
//! never what decides about this build or the next: `ftl.toml`, `.ftl` and git's own. A directory that came or went with
//! nothing else in it came or went with them.

use std::collections::{BTreeMap, BTreeSet};

use ftl_model::Change;

use crate::compare::delta::Delta;
use crate::stamp::{EntryType, Stamp};
use crate::walk::found::Survey;
use crate::walk::scratch::ScratchStamp;
use crate::{RelPath, Tree, TreeError};

/// What is known of a path from before: as much as its stamp.
pub(crate) trait Known: Clone {
    fn stamp(&self) -> &Stamp;
}

impl Known for Stamp {
    fn stamp(&self) -> &Stamp {
        self
    }
}

/// A path with both of its sides.
pub(crate) type Pair<'p, K> = (&'p RelPath, &'p K, Stamp);

/// What paths were before, and how they are compared with what is there now.
pub(crate) trait Former {
    type Earlier: Known;

    fn entries(&self) -> &BTreeMap<RelPath, Self::Earlier>;

    /// Directories that could not be looked into.
    fn unreadable(&self) -> &BTreeSet<RelPath>;

    /// Whether a path is the same without a look at its content.
    fn is_plainly_same(&self, pair: &Pair<'_, Self::Earlier>) -> Result<bool, TreeError>;

    /// Which of these differ in content, mode or owner.
    fn examine(
        &self,
        pairs: &[Pair<'_, Self::Earlier>],
    ) -> Result<Vec<Difference<Self::Earlier>>, TreeError>;
}

/// One path that differs, with both of its sides.
#[derive(Clone, Debug)]
pub(crate) struct Difference<K> {
    pub(crate) path: RelPath,
    pub(crate) before: Option<K>,
    pub(crate) now: Option<Stamp>,
    /// It may differ without being in the delta.
    pub(crate) allowed: bool,
}

impl<K: Known> Difference<K> {
    /// Of a path that is there on both sides.
    pub(crate) fn between((path, before, now): &Pair<'_, K>) -> Self {
        let (path, before, now) = ((*path).clone(), Some((*before).clone()), Some(*now));
        Self { path, before, now, allowed: false }
    }

    fn one_sided(path: &RelPath, before: Option<&K>, now: Option<Stamp>) -> Self {
        Self { path: path.clone(), before: before.cloned(), now, allowed: false }
    }

    pub(crate) fn change(&self) -> Change {
        match (&self.before, &self.now) {
            (None, _) => Change::Created,
            (Some(_), None) => Change::Deleted,
            (Some(_), Some(_)) => Change::Modified,
        }
    }

    /// The stamps of both sides.
    fn sides(&self) -> [Option<&Stamp>; 2] {
        [self.before.as_ref().map(Known::stamp), self.now.as_ref()]
    }

    /// Whether it was a directory, or is one that came.
    pub(crate) fn is_dir(&self) -> bool {
        self.sides().into_iter().flatten().next().is_some_and(Stamp::is_dir)
    }

    /// Whether there is nothing but a regular file on both sides.
    fn is_file(&self) -> bool {
        self.sides().into_iter().flatten().all(|stamp| stamp.kind() == EntryType::File)
    }

    /// Whether a directory came or went.
    fn is_passing_dir(&self) -> bool {
        self.change() != Change::Modified && self.is_dir()
    }
}

impl Tree {
    /// What of a survey differs outside the delta from what was before.
    pub(crate) fn differing<F: Former>(
        &self,
        survey: &Survey,
        former: &F,
    ) -> Result<Vec<Difference<F::Earlier>>, TreeError> {
        let Delta { files: delta, parents } = Delta::of(self);
        let is_parent = |path: &RelPath, stamp: &Stamp| stamp.is_dir() && parents.contains(path);
        let (mut found, mut open) = (Vec::new(), Vec::new());
        for (path, now, entry) in beside(survey.entries.iter(), former.entries().iter()) {
            match entry {
                _ if delta.contains(path) => {}
                None if is_parent(path, now) || path.is_below_any(former.unreadable()) => {}
                None => found.push(Difference::one_sided(path, None, Some(*now))),
                Some(entry) => {
                    let pair = (path, entry, *now);
                    if !former.is_plainly_same(&pair)? {
                        open.push(pair);
                    }
                }
            }
        }
        for (path, entry, now) in beside(former.entries().iter(), survey.entries.iter()) {
            let is_hidden = || path.is_below_any(&survey.unreadable);
            if now.is_none() && !is_parent(path, entry.stamp()) && !is_hidden() {
                found.push(Difference::one_sided(path, Some(entry), None));
            }
        }
        found.extend(former.examine(&open)?);
        Ok(found)
    }

    /// Sorts differences, without new directories that are scratch, and marks what is allowed.
    pub(crate) fn settle<K: Known>(&self, survey: &mut Survey, found: &mut Vec<Difference<K>>) {
        set_scratch_aside(survey, found);
        found.sort_by(|a, b| a.path.cmp(&b.path));
        let (mut with_allowed, mut with_others) = (BTreeSet::new(), BTreeSet::new());
        for difference in &mut *found {
            difference.allowed = difference.is_file() && self.may_change(&difference.path);
            if difference.allowed {
                with_allowed.extend(difference.path.ancestors());
            } else if !difference.is_passing_dir() {
                with_others.extend(difference.path.ancestors());
            }
        }
        for difference in found.iter_mut().filter(|at| at.is_passing_dir()) {
            let path = &difference.path;
            difference.allowed = with_allowed.contains(path) && !with_others.contains(path);
        }
    }

    /// Whether a path may change outside the delta.
    pub(crate) fn may_change(&self, path: &RelPath) -> bool {
        let root = self.places.root();
        let decides = *path == root.join(b"ftl.toml")
            || path.components().any(|part| part == b".git" || part == b".ftl");
        !decides && self.allowed.hold(self.shown(path).as_bytes())
    }
}

/// The values of paths, each with the other value of the path: both are read once, in the order of the paths.
pub(crate) fn beside<'m, V: 'm, W: 'm>(
    one: impl Iterator<Item = (&'m RelPath, &'m V)>,
    other: impl Iterator<Item = (&'m RelPath, &'m W)>,
) -> impl Iterator<Item = (&'m RelPath, &'m V, Option<&'m W>)> {
    let mut others = other.peekable();
    one.map(move |(path, value)| {
        while others.next_if(|(other, _)| *other < path).is_some() {}
        let same = others.next_if(|(other, _)| *other == path);
        (path, value, same.map(|(_, value)| value))
    })
}

/// A new directory with nothing but scratch in it is scratch itself.
fn set_scratch_aside<K: Known>(survey: &mut Survey, found: &mut Vec<Difference<K>>) {
    let mut aside = BTreeMap::new();
    found.retain(|difference| {
        let is_new_dir = difference.change() == Change::Created && difference.is_dir();
        let files = Some(&difference.path).filter(|_| is_new_dir);
        match files.and_then(|path| survey.only_scratch(path)) {
            Some(files) => {
                aside.insert(difference.path.clone(), ScratchStamp::of_new_dir(files));
                false
            }
            None => true,
        }
    });
    if aside.is_empty() {
        return;
    }
    survey.scratch.extend(aside);
    let all: BTreeSet<RelPath> = survey.scratch.keys().cloned().collect();
    survey.scratch.retain(|path, _| !path.is_below_any(&all));
}
