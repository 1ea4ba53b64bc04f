//! Comparing a snapshot with the tree: which paths differ, and how. Nothing is changed here.
//!
//! A path is decided by the cheapest thing that decides it. An equal stamp that is older than the
//! snapshot ends it, with no file opened. Else the size decides, then the content: a copy by its
//! digest, a file of git by its object's bytes, a link by its target. Times alone are never a change:
//! `touch` is no stray.
//!
//! Three things that differ are not reported. Directories above a delta file come and go with it.
//! What is below a directory that could not be read, then or now, may have been there all along. And
//! a new directory that holds only scratch is scratch, or each cache of a tool would need a rule of
//! its own for the directory around it.

mod allowing;
pub(crate) mod base;
pub(crate) mod contents;
pub(crate) mod delta;
pub(crate) mod watch;

use std::collections::{BTreeMap, BTreeSet};

use ftl_model::DeltaPath;

use crate::compare::contents::object;
use crate::compare::delta::Delta;
use crate::git::state::GitChanges;
use crate::snapshot::Snapshot;
use crate::snapshot::entry::SnapshotEntry;
use crate::stamp::{EntryType, Stamp};
use crate::walk::found::Survey;
use crate::walk::scratch::{self, ScratchStamp};
use crate::{PathState, RelPath, Tree, TreeError};
use ftl_model::{Change, Scratch};

/// What changed since a snapshot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Changes {
    /// Every delta file.
    pub delta: BTreeMap<DeltaPath, DeltaChange>,
    /// What changed outside the delta, by path. Of a new directory with very much in it, a part.
    pub strays: Vec<Stray>,
    /// At least so many new paths outside the delta are not listed.
    pub more_strays: u64,
    /// What was moved in the repository: HEAD, references, the stash, the index.
    pub git: GitChanges,
    /// The files that changed outside the delta and may, by path.
    pub allowed: Vec<RelPath>,
    /// Scratch, such as caches and what git ignores, in which something changed: at most a hundred
    /// topmost paths, new ones first.
    pub scratch: Vec<Scratch>,
    /// What git ignores, changed or removed, that is not put back, since it was too large to be copied.
    pub ignored: Vec<RelPath>,
}

impl Changes {
    /// Whether any delta file changed.
    #[must_use]
    pub fn touch_delta(&self) -> bool {
        self.delta.values().any(|file| file.change.is_some())
    }

    /// The strays that git ignores, by the rules as they are now.
    #[must_use]
    pub fn ignored_strays(&self, tree: &Tree) -> Vec<RelPath> {
        let is_there = |stray: &&Stray| stray.change != Change::Created;
        let strays = self.strays.iter().filter(is_there);
        let strays: Vec<_> = strays.map(|stray| (stray.path.clone(), false)).collect();
        tree.ignored_among(&strays).into_iter().collect()
    }

    /// Whether nothing changed but scratch.
    #[must_use]
    pub fn are_scratch(&self) -> bool {
        let others = self.strays.len() + self.allowed.len() + self.ignored.len();
        !self.touch_delta() && others == 0 && self.more_strays == 0 && self.git.is_empty()
    }
}

/// A delta file, and how it differs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeltaChange {
    /// The file as it is now.
    pub now: PathState,
    /// How it differs from the snapshot, if it does.
    pub change: Option<Change>,
}

/// A change outside the delta.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stray {
    /// The path that changed.
    pub path: RelPath,
    /// How it differs. A path that is another kind of thing now is modified.
    pub change: Change,
}

/// One path that differs, with both of its sides.
#[derive(Clone, Debug)]
pub(crate) struct Difference {
    pub(crate) path: RelPath,
    pub(crate) before: Option<SnapshotEntry>,
    pub(crate) now: Option<Stamp>,
    /// The content is the same; mode, owner or attributes differ.
    pub(crate) mode_only: bool,
    /// It may differ without being in the delta.
    pub(crate) allowed: bool,
}

impl Difference {
    pub(crate) fn kind_now(&self) -> Option<EntryType> {
        self.now.as_ref().map(Stamp::kind)
    }

    /// Whether what is there now need not make way.
    pub(crate) fn stays(&self) -> bool {
        let is_dir = |stamp: &Stamp| stamp.kind() == EntryType::Dir;
        match (&self.before, &self.now) {
            (Some(before), Some(now)) => self.mode_only || (is_dir(&before.stamp) && is_dir(now)),
            (Some(_), None) | (None, _) => false,
        }
    }

    /// What has to be made, if anything has.
    pub(crate) fn to_make(&self) -> Option<&SnapshotEntry> {
        self.before.as_ref().filter(|_| !self.mode_only)
    }

    fn stray(&self) -> Stray {
        let change = match (&self.before, &self.now) {
            (None, _) => Change::Created,
            (Some(_), None) => Change::Deleted,
            (Some(_), Some(_)) => Change::Modified,
        };
        Stray { path: self.path.clone(), change }
    }
}

impl Tree {
    /// What changed since the snapshot.
    ///
    /// # Errors
    /// When the tree cannot be read.
    pub fn compare(&self, before: &Snapshot) -> Result<Changes, TreeError> {
        let (survey, differences) = self.differences(before)?;
        let (allowed, strays): (Vec<_>, Vec<_>) =
            differences.iter().partition(|difference| difference.allowed);
        let is_file = |difference: &&&Difference| {
            let before = difference.before.as_ref().map(|entry| &entry.stamp);
            !before.or(difference.now.as_ref()).is_some_and(Stamp::is_dir)
        };
        let scratch = scratch::changed(&survey.scratch, before.scratch());
        let was_unprotected = |path: &RelPath| {
            let before = before.scratch().get(path);
            before.is_some_and(|stamp| stamp.is_unprotected)
        };
        let ignored = scratch.iter().map(|(path, _)| *path);
        Ok(Changes {
            delta: self.delta_since(before)?,
            strays: strays.into_iter().map(Difference::stray).collect(),
            more_strays: survey.more,
            git: self.git_changes(before),
            allowed: allowed.iter().filter(is_file).map(|at| at.path.clone()).collect(),
            ignored: ignored.filter(|path| was_unprotected(path)).cloned().collect(),
            scratch: scratch::list(&self.places, &scratch),
        })
    }

    /// The state of every delta file, compared with the snapshot. The rest of the tree is not looked at.
    ///
    /// # Errors
    /// When a delta file cannot be read.
    pub fn delta_since(
        &self,
        before: &Snapshot,
    ) -> Result<BTreeMap<DeltaPath, DeltaChange>, TreeError> {
        let originals = before.originals();
        let mut delta = BTreeMap::new();
        for (path, now) in self.delta()? {
            let then = originals.get(&path).map_or(&PathState::Nothing, |original| &original.state);
            let change = now.delta_change_from(then);
            delta.insert(path, DeltaChange { now, change });
        }
        Ok(delta)
    }

    /// Whether a delta file differs from the snapshot.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn differs(&self, before: &Snapshot, path: &DeltaPath) -> Result<bool, TreeError> {
        let original = before.originals().get(path);
        let then = original.map_or(&PathState::Nothing, |original| &original.state);
        Ok(self.state(path)?.delta_change_from(then).is_some())
    }

    /// What differs outside the delta, by path.
    pub(crate) fn differences(
        &self,
        before: &Snapshot,
    ) -> Result<(Survey, Vec<Difference>), TreeError> {
        let mut survey = self.survey(&|path| before.status(path), Some(before.former()))?;
        let Delta { files: delta, parents } = Delta::of(self);
        let mut found = Vec::new();
        let mut open = Vec::new();
        for (path, now, entry) in beside(&survey.entries, before.entries()) {
            match entry {
                _ if delta.contains(path) => {}
                None if now.kind() == EntryType::Dir && parents.contains(path) => {}
                // What was there could not be seen, so this need not be new.
                None if path.is_below_any(before.unreadable()) => {}
                None => found.push(difference(path, None, Some(*now), false)),
                Some(entry)
                    if entry.stamp == *now
                        && before.settled(now)
                        && (!now.is_dir() || self.same_attributes(path, entry, now)?) => {}
                Some(entry) => open.push((path, entry, *now)),
            }
        }
        for (path, entry, now) in beside(before.entries(), &survey.entries) {
            if now.is_some() {
                continue;
            }
            let is_parent = entry.stamp.kind() == EntryType::Dir && parents.contains(path);
            let hidden = path.is_below_any(&survey.unreadable);
            if !is_parent && !hidden {
                found.push(difference(path, Some(entry), None, false));
            }
        }
        found.extend(self.examine(before, &open)?);
        drop(open);
        found.retain(|difference| !self.is_own(difference));
        set_scratch_aside(&mut survey, &mut found);
        found.sort_by(|a, b| a.path.cmp(&b.path));
        self.allow(&mut found);
        Ok((survey, found))
    }

    /// Which of these, whose stamps do not decide, differ in content, mode or owner.
    fn examine(
        &self,
        before: &Snapshot,
        open: &[(&RelPath, &SnapshotEntry, Stamp)],
    ) -> Result<Vec<Difference>, TreeError> {
        let mut like_objects = self.like_objects(open)?.into_iter();
        let mut found = Vec::new();
        for (path, entry, now) in open {
            let like_object = object(entry, now).and_then(|_| like_objects.next().flatten());
            let same = self.same_content(before, path, entry, now, like_object)?;
            let same_rights = entry.stamp.mode == now.mode && entry.stamp.ids == now.ids;
            if !same || !same_rights || !self.same_attributes(path, entry, now)? {
                found.push(difference(path, Some(entry), Some(*now), same));
            }
        }
        Ok(found)
    }
}

/// The pairs of a map, each with what another map has for its key: both are read once, in their order.
pub(crate) fn beside<'m, V, W>(
    one: &'m BTreeMap<RelPath, V>,
    other: &'m BTreeMap<RelPath, W>,
) -> impl Iterator<Item = (&'m RelPath, &'m V, Option<&'m W>)> {
    let mut others = other.iter().peekable();
    one.iter().map(move |(path, value)| {
        while others.next_if(|(other, _)| *other < path).is_some() {}
        let same = others.next_if(|(other, _)| *other == path);
        (path, value, same.map(|(_, value)| value))
    })
}

/// A new directory with nothing but scratch in it is scratch itself.
fn set_scratch_aside(survey: &mut Survey, found: &mut Vec<Difference>) {
    let mut aside = BTreeMap::new();
    found.retain(|difference| {
        let is_new_dir = difference.before.is_none()
            && difference.now.is_some_and(|now| now.kind() == EntryType::Dir);
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

/// What is lost with a repository within the tree that was removed: its settings alone would make none.
pub(crate) fn of_lost_repositories(
    differences: &[Difference],
) -> impl Iterator<Item = RelPath> + '_ {
    let gone = |difference: &&Difference| {
        let was_dir = |entry: &SnapshotEntry| entry.stamp.kind() == EntryType::Dir;
        let is_git_dir = difference.path.name() == b".git" && difference.now.is_none();
        is_git_dir && difference.before.as_ref().is_some_and(was_dir)
    };
    let dirs: BTreeSet<RelPath> =
        differences.iter().filter(gone).map(|difference| difference.path.clone()).collect();
    let paths = differences.iter().map(|difference| &difference.path);
    paths.filter(move |path| dirs.contains(*path) || path.is_below_any(&dirs)).cloned()
}

fn difference(
    path: &RelPath,
    before: Option<&SnapshotEntry>,
    now: Option<Stamp>,
    mode_only: bool,
) -> Difference {
    Difference { path: path.clone(), before: before.cloned(), now, mode_only, allowed: false }
}
