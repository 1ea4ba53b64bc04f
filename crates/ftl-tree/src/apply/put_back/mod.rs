//! Putting the tree back as a snapshot has it. What is found there instead is moved away, never
//! deleted, and stays with the run.
//!
//! The order of the passes, in `passes`, is forced. A directory must be writable before something in it can be
//! moved. A new directory with nothing in it that stays is moved as it is, however much it holds; other
//! things are moved children first. They are brought back parents first, so that there is a directory to
//! make them in. Modes of directories come last, children first: a directory that is to be read-only
//! has to have its content by then. Whether a content can be had is known before anything is moved, and
//! what cannot be had is left as it is.
//!
//! Each path is put back for itself: one that the file system refuses keeps no other from it, and is reported
//! when all others are done. Contents are streamed, so that their size does not matter.
//!
//! Every pass can be repeated. A process that is killed in the middle leaves a tree that differs
//! from the snapshot in fewer paths than before, and the next process compares again and goes on.
//! That is also why directories are synced only at the end: nothing relies on the steps in between.

mod passes;
mod plan;
mod quarantine;
mod rights;

use std::collections::BTreeSet;
use std::path::Path;

use ftl_model::DeltaPath;

use crate::compare::classify::Difference;
use crate::compare::delta::Delta;
use crate::git::state::{GitChanges, GitPutBack};
use crate::snapshot::Snapshot;
use crate::snapshot::entry::{Origin, SnapshotEntry};
use crate::stamp::{EntryType, Stamp};
use crate::walk::found::Survey;
use crate::{RelPath, Strays, Tree, TreeError};
use passes::Passes;
use plan::Plan;
pub(crate) use quarantine::Quarantine;

/// Putting one thing back can reveal others: what a changed ignore file hid, or what is in a
/// directory that could not be read. A round that does nothing ends the work; the limit is for a tree
/// that another process writes to at the same time.
const ROUNDS: usize = 4;

const OWNER_MAY_ALL: u32 = 0o700;

/// How many paths a list of what was done names.
const LISTED: usize = 1000;

/// What was done to put the tree back.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PutBack {
    /// Paths that were moved to the directory given, with all that was in them.
    pub moved: Paths,
    /// Paths that are again as they were in the snapshot.
    pub restored: Paths,
    /// Paths that changed and cannot be put back, since their former bytes are lost, and new ones that
    /// the file system does not let go.
    pub lost: Paths,
    /// Why the file system does not let go of the first of them.
    pub refused: Option<String>,
    /// Paths that came to differ after what is put back was found, and that are left so.
    pub left: Paths,
    /// What was put back in the repository.
    pub git: GitPutBack,
}

/// Paths for people to read: the first thousand, and how many there are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Paths {
    listed: BTreeSet<RelPath>,
    count: usize,
}

impl Paths {
    fn insert(&mut self, path: &RelPath) {
        let is_full = self.listed.len() >= LISTED;
        if is_full || self.listed.insert(path.clone()) {
            self.count += 1;
        }
    }

    /// How many paths there are, listed or not.
    #[must_use]
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Those that are listed.
    pub fn iter(&self) -> impl Iterator<Item = &RelPath> {
        self.listed.iter()
    }

    /// Whether a path is listed.
    #[must_use]
    pub fn contains(&self, path: &RelPath) -> bool {
        self.listed.contains(path)
    }
}

/// What becomes of files that may change without being in the delta.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Allowed {
    Stay,
    PutBack,
}

impl Tree {
    /// Moves strays to `dir` and puts the tree outside the delta back as it was in the snapshot; where
    /// [`plan_put_back`](Self::plan_put_back) planned it, nothing that came to differ since then.
    /// With [`Strays::Report`], strays stay where they are and nothing is done.
    ///
    /// # Errors
    /// When the file system refuses; doing it again goes on from there.
    pub fn quarantine(&self, before: &Snapshot, dir: &Path) -> Result<PutBack, TreeError> {
        let mut done = PutBack::default();
        match self.settings.strays {
            Strays::Quarantine => {
                let plan = plan::read(before)?;
                self.put_back_outside(before, dir, Allowed::Stay, plan.as_ref(), &mut done)?
            }
            Strays::Report => {}
        }
        Ok(done)
    }

    /// Puts the delta back too, and moves to `dir` what was made of it: for a request that was
    /// interrupted.
    ///
    /// [`Strays::Report`] does not hold here. It is about what a finished request left outside the
    /// delta; an interrupted one is repeated, on the tree that it was first given.
    ///
    /// # Errors
    /// When the file system refuses; doing it again goes on from there.
    pub fn restore(&self, before: &Snapshot, dir: &Path) -> Result<PutBack, TreeError> {
        self.restore_planned(before, dir, None)
    }

    /// Goes on with what was planned by [`plan_put_back`](Self::plan_put_back) and cut off: outside the
    /// delta, what came to differ since then is left.
    ///
    /// # Errors
    /// As [`restore`](Self::restore).
    pub fn finish(&self, before: &Snapshot, dir: &Path) -> Result<PutBack, TreeError> {
        let plan = plan::read(before)?;
        self.restore_planned(before, dir, plan.as_ref())
    }

    fn restore_planned(
        &self,
        before: &Snapshot,
        dir: &Path,
        plan: Option<&Plan>,
    ) -> Result<PutBack, TreeError> {
        let mut done = PutBack::default();
        self.put_back_outside(before, dir, Allowed::PutBack, plan, &mut done)?;
        // After its settings.
        let changes = self.git_changes(before);
        let seen = plan.and_then(|plan| plan.git.as_ref());
        let (changes, later) = match before.git_state().zip(seen) {
            Some((state, seen)) => state.split(self.places.git.as_ref(), seen, changes),
            None => (changes, GitChanges::default()),
        };
        done.git = self.put_back_git(before, &changes, dir)?;
        done.git.left = later.described();
        self.put_back_delta(before, dir, &BTreeSet::new(), &mut done)?;
        Ok(done)
    }

    /// Puts the delta back and nothing else, and of it only what is not among `theirs`: for a
    /// request that was interrupted in a tree in which others have worked since.
    ///
    /// # Errors
    /// When the file system refuses; doing it again goes on from there.
    pub fn restore_delta(
        &self,
        before: &Snapshot,
        dir: &Path,
        theirs: &BTreeSet<DeltaPath>,
    ) -> Result<PutBack, TreeError> {
        let mut done = PutBack::default();
        self.put_back_delta(before, dir, theirs, &mut done)?;
        Ok(done)
    }

    fn put_back_delta(
        &self,
        before: &Snapshot,
        dir: &Path,
        theirs: &BTreeSet<DeltaPath>,
        done: &mut PutBack,
    ) -> Result<(), TreeError> {
        let differences = self.delta_differences(before, theirs)?;
        // Whatever is in a directory in place of a delta file came with it.
        let done = Passes::new(self, before, dir, &differences, done).run(|_| true);
        self.remove_new_parents(before);
        done
    }

    fn put_back_outside(
        &self,
        before: &Snapshot,
        dir: &Path,
        allowed: Allowed,
        plan: Option<&Plan>,
        done: &mut PutBack,
    ) -> Result<(), TreeError> {
        let mut rounds = 0;
        while rounds < ROUNDS {
            let (survey, mut differences) = self.differences(before)?;
            differences.retain(|difference| allowed == Allowed::PutBack || !difference.allowed);
            done.left = Paths::default();
            differences.retain(|Difference { path, now, .. }| {
                // The implementer has ended: what was put back already was changed by another process since.
                let is_back =
                    done.restored.contains(path) || plan.is_some_and(|plan| plan.is_back(path));
                let is_later = now.as_ref().is_none_or(|now| !is_dir(now)) && is_back;
                let is_due = !is_later && plan.is_none_or(|plan| plan.holds(path));
                if !is_due {
                    done.left.insert(path);
                }
                is_due
            });
            if differences.is_empty() {
                break;
            }
            // What the walk could not list comes to light in the next round, however many it takes.
            rounds += usize::from(survey.more == 0);
            let so_far = done.moved.len() + done.restored.len();
            // What was lost in one round may be found in the next, once git's configuration or a
            // directory is back.
            done.lost = Paths::default();
            let stays = Stays::of(&survey, &differences);
            Passes::new(self, before, dir, &differences, done)
                .run(|new_dir| !stays.is_below(new_dir))?;
            if done.moved.len() + done.restored.len() == so_far {
                break;
            }
        }
        Ok(())
    }

    fn delta_differences(
        &self,
        before: &Snapshot,
        theirs: &BTreeSet<DeltaPath>,
    ) -> Result<Vec<Difference>, TreeError> {
        let mut differences = Vec::new();
        let mut delta = self.delta()?;
        delta.retain(|path, _| !theirs.contains(path));
        for (path, now) in delta {
            let Some(original) = before.originals().get(&path) else {
                continue;
            };
            if now.delta_change_from(&original.state).is_none() {
                continue;
            }
            let path = self.places.of_delta(&path);
            let entry = original.copy.as_ref().map(|copied| SnapshotEntry {
                stamp: Stamp::of_file(
                    original.state.permissions().unwrap_or(0o644),
                    copied.len,
                    original.ids,
                ),
                origin: Origin::Copy(copied.clone()),
                attributes: original.attributes.clone(),
            });
            // A stamp that cannot be had, since the path now leads through a file or a link, counts
            // as nothing there: that file or link is a separate stray.
            differences.push(Difference {
                now: self.at(&path).stamp().unwrap_or(None),
                mode_only: now.digest().is_some() && now.digest() == original.state.digest(),
                allowed: false,
                before: entry,
                path,
            });
        }
        Ok(differences)
    }

    /// New directories above a delta file are no strays, but they go when the file goes. One that
    /// still holds something is left: rmdir(2) refuses it, which is the check.
    fn remove_new_parents(&self, before: &Snapshot) {
        let parents = Delta::of(self).parents;
        for dir in parents.iter().rev().filter(|dir| !before.entries().contains_key(dir)) {
            let _ = self.at(dir).remove_dir();
        }
    }
}

/// What is in the tree and is no difference: the delta, say.
struct Stays<'a> {
    survey: &'a Survey,
    differ: BTreeSet<&'a RelPath>,
}

impl<'a> Stays<'a> {
    fn of(survey: &'a Survey, differences: &'a [Difference]) -> Self {
        let differ = differences.iter().map(|difference| &difference.path);
        Self { survey, differ: differ.collect() }
    }

    fn is_below(&self, dir: &RelPath) -> bool {
        let first = dir.join(b"");
        let entries = self.survey.entries.from(&first);
        entries
            .map(|(path, _)| path)
            .take_while(|path| path.bytes().starts_with(first.bytes()))
            .any(|path| !self.differ.contains(path))
    }
}

fn is_dir(stamp: &Stamp) -> bool {
    stamp.kind() == EntryType::Dir
}
