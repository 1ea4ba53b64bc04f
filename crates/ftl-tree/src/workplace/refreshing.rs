//! Making a workplace's copy equal to the tree.
//!
//! Both are surveyed, and a path is left alone only where both look as the base says. Every other one is
//! compared or copied. So what an earlier refresh left half done, or another process did to the copy, is repaired by the
//! next one.
//!
//! What is copied or removed gets a new modification time, so that no build tool takes what it built from another
//! version for current; a new copy has the times of the tree.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::num::NonZero;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use super::base::{Base, Copied};
use super::files::{Copier, Outcome, stamp_at};
use super::{Placement, Refreshed, outputs, repositories};
use crate::compare::delta::Delta;
use crate::openat::is_gone;
use crate::places::Places;
use crate::stamp::{self, EntryType, Stamp};
use crate::walk::deciding::{PathStatus, Purpose};
use crate::walk::found::Survey;
use crate::walk::stamps::Stamps;
use crate::walk::{Former, Surveyor};
use crate::{RelPath, Tree, TreeError};

/// Files that a thread takes at once.
const BATCH: usize = 32;

/// Threads that copy.
const MOST_THREADS: usize = 4;

/// How often git's own files are looked at again, should they change while they are copied.
const ROUNDS: usize = 5;

/// The mode bits that an owner needs to change a directory.
const OWNER: u32 = 0o700;

/// What became of files, by their paths.
type Outcomes<'p> = Vec<(&'p RelPath, Outcome)>;

/// Refreshes the copy in `dir` from its last base, or makes it.
pub(super) fn refresh(
    dir: &Path,
    tree: &Tree,
    placement: Placement,
    former: Option<Base>,
) -> Result<(Base, Refreshed), TreeError> {
    let to = repositories::places(dir, tree)?;
    let taken = stamp::now();
    let mut survey = survey(tree)?;
    add_delta(tree, &mut survey)?;
    let made = former.is_none();
    let mut base = former.unwrap_or_else(|| Base::begin(tree, placement, taken));
    let there = if made { Stamps::default() } else { survey_copy(tree, &to, &survey, &base)? };
    if made {
        outputs::check_room(&to, &survey)?;
    }
    let copier = Copier { from: &tree.places, to: &to, modified: (!made).then_some(taken) };
    let mut refresh = Refresh {
        copier,
        base: &mut base,
        unreadable: survey.unreadable.clone(),
        changed: BTreeSet::new(),
        dropped: BTreeSet::new(),
    };
    refresh.drop_gone(&survey, &there)?;
    refresh.apply(&survey.entries, &there)?;
    refresh.base.taken = taken;
    refresh.settle_git(tree)?;
    let Refresh { changed, dropped, unreadable, .. } = refresh;
    base.objects = repositories::share_objects(dir, tree, &to, &survey.objects)?;
    base.dependencies = outputs::provide(tree, &to, &survey, &base.dependencies, placement)?;
    if placement == Placement::OwnPath && repositories::relink(dir, tree, &to)? {
        let path = RelPath::new(".git");
        if let (Some(at), Some(copy)) = (base.entries.get_mut(&path), to.top.at(&path).found()?) {
            at.copy = copy;
        }
    }
    if made {
        outputs::copy(tree, &to, &survey, &base.dependencies)?;
        keep_times_of_dirs(&copier, &base)?;
    }
    base.rules = survey.rules;
    base.scratch = survey.scratch;
    base.unreadable = survey.unreadable;
    let listed = |paths: BTreeSet<RelPath>| if made { Vec::new() } else { sorted(paths) };
    let refreshed = Refreshed {
        made,
        paths: base.entries.len(),
        changed: listed(changed),
        dropped: listed(dropped),
        unreadable: sorted(unreadable),
    };
    Ok((base, refreshed))
}

fn sorted(paths: BTreeSet<RelPath>) -> Vec<RelPath> {
    paths.into_iter().collect()
}

/// What the tree has to be copied.
fn survey(tree: &Tree) -> Result<Survey, TreeError> {
    match &tree.places.git {
        Some(git) => {
            let index = git.read_index()?;
            tree.surveyed(&|path| index.status(path), None, Purpose::Copy)
        }
        None => tree.surveyed(&|_| PathStatus::New, None, Purpose::Copy),
    }
}

/// Delta files are in the copy also where they are scratch.
fn add_delta(tree: &Tree, survey: &mut Survey) -> Result<(), TreeError> {
    let mut added = Vec::new();
    for file in tree.delta_paths() {
        for path in [file.clone()].into_iter().chain(file.ancestors()) {
            let found = tree.at(&path).found()?;
            if let Some(stamp) = found.filter(|stamp| path != file || !stamp.is_dir()) {
                added.push((path, stamp));
            }
        }
    }
    survey.entries.add(added);
    Ok(())
}

/// What the copy has of it, by the same rules.
fn survey_copy(
    tree: &Tree,
    to: &Places,
    survey: &Survey,
    base: &Base,
) -> Result<Stamps, TreeError> {
    let known =
        |path: &RelPath| match survey.entries.contains(path) || base.entries.contains_key(path) {
            true => PathStatus::Known,
            false => PathStatus::New,
        };
    let surveyor = Surveyor {
        tree,
        places: to,
        delta: &Delta::of(tree),
        status_of: &known,
        former: Some(Former {
            rules: &survey.rules,
            scratch: &survey.scratch,
            owns_git_dir: survey.owns_git_dir,
            unchanged: None,
        }),
        purpose: Purpose::Copied,
        types_alone: None,
    };
    let mut found = surveyor.survey()?.entries;
    // The walk does not come to what is in scratch.
    let in_scratch = survey.entries.paths().filter(|path| path.is_below_any_of(&survey.scratch));
    let stamp = |path: &RelPath| Some((path.clone(), to.at(path).stamp().ok()??));
    found.add(in_scratch.filter_map(stamp).collect());
    Ok(found)
}

struct Refresh<'a> {
    copier: Copier<'a>,
    base: &'a mut Base,
    unreadable: BTreeSet<RelPath>,
    changed: BTreeSet<RelPath>,
    dropped: BTreeSet<RelPath>,
}

impl Refresh<'_> {
    /// Removes what the tree has no more. Scratch is left: it belongs to the workplace.
    fn drop_gone(&mut self, survey: &Survey, there: &Stamps) -> Result<(), TreeError> {
        let wanted = |path: &RelPath| survey.entries.contains(path);
        let is_scratch = |path: &RelPath| {
            survey.scratch.contains_key(path) || path.is_below_any_of(&survey.scratch)
        };
        let gone = there.paths().filter(|path| !wanted(path) && !is_scratch(path)).cloned();
        self.open_dirs(there)?;
        self.drop_all(gone.collect())?;
        self.base.entries.retain(|path, _| wanted(path));
        Ok(())
    }

    /// Lets the owner change directories of the copy that are closed to it. They get their modes in the end.
    fn open_dirs(&self, there: &Stamps) -> Result<(), TreeError> {
        let closed = there
            .iter()
            .filter(|(_, stamp)| stamp.is_dir() && stamp.permissions() & OWNER != OWNER);
        for (label, stamp) in closed {
            let to = self.copier.to.at(label);
            let opened = to.set_permissions(stamp.permissions() | OWNER);
            opened.map_err(to.failed("set the mode of"))?;
        }
        Ok(())
    }

    fn drop_all(&mut self, gone: Vec<RelPath>) -> Result<(), TreeError> {
        for label in gone.into_iter().rev() {
            let to = self.copier.to.at(&label);
            to.remove_all().map_err(to.failed("remove"))?;
            self.base.entries.remove(&label);
            self.dropped.insert(label);
        }
        Ok(())
    }

    /// Makes the copies of these paths equal to them. `there` is how the copies look.
    fn apply(&mut self, wanted: &Stamps, there: &Stamps) -> Result<(), TreeError> {
        let (mut files, mut dirs) = (Vec::new(), Vec::new());
        for (path, stamp) in wanted.iter() {
            let copy = there.get(path);
            if stamp.is_dir() {
                if self.needs_dir(path, stamp, copy)? {
                    self.changed.insert(path.clone());
                    dirs.push((path, stamp));
                } else if stamp.permissions() & OWNER != OWNER {
                    dirs.push((path, stamp));
                }
            } else if !self.is_current(path, stamp, copy)? {
                files.push((path, *stamp));
            }
        }
        for (path, copied) in copy_all(self.copier, &files)? {
            self.changed.insert(path.clone());
            match copied {
                Outcome::Gone => {
                    self.base.entries.remove(path);
                }
                Outcome::Copied(copied) => drop(self.base.entries.insert(path.clone(), copied)),
                Outcome::Unreadable(copied) => {
                    self.unreadable.insert(path.clone());
                    self.base.entries.insert(path.clone(), copied);
                }
            }
        }
        // The mode comes last, for it may forbid what was still to be done below.
        for (path, stamp) in dirs.into_iter().rev() {
            let copy = self.finish_dir(path, stamp);
            let copy = copy.map_err(TreeError::io("set the mode of", path.as_path()))?;
            self.base.entries.insert(path.clone(), Copied { then: *stamp, copy });
        }
        Ok(())
    }

    /// Makes a directory where none is. Whether anything is to be done about it.
    fn needs_dir(
        &self,
        label: &RelPath,
        stamp: &Stamp,
        copy: Option<&Stamp>,
    ) -> Result<bool, TreeError> {
        let known = self.base.entries.get(label);
        let is_dir = copy.is_some_and(Stamp::is_dir);
        if is_dir && known.is_some_and(|known| (Some(&known.copy), &known.then) == (copy, stamp)) {
            return Ok(false);
        }
        let to = self.copier.to.at(label);
        let made = || match to.kind()? {
            Some(EntryType::Dir) => Ok(()),
            _ => {
                to.remove_all()?;
                to.make_parents()?;
                to.make_private_dir()
            }
        };
        made().map_err(to.failed("make")).map(|()| true)
    }

    fn finish_dir(&self, label: &RelPath, stamp: &Stamp) -> io::Result<Stamp> {
        let to = self.copier.to.at(label);
        to.set_ids(stamp.ids)?;
        to.set_permissions(stamp.permissions())?;
        stamp_at(&to)
    }

    /// Whether a copy is as the tree is now. Where stamps don't decide, the bytes do.
    fn is_current(
        &mut self,
        label: &RelPath,
        now: &Stamp,
        copy: Option<&Stamp>,
    ) -> Result<bool, TreeError> {
        let (Some(known), Some(copy)) = (self.base.entries.get(label), copy) else {
            return Ok(false);
        };
        if known.copy != *copy {
            return Ok(false);
        }
        if known.then == *now && now.settled_at(self.base.taken) {
            return Ok(true);
        }
        let same = self.copier.is_same(label, known, now);
        let same = same.map_err(TreeError::io("compare", label.as_path()))?;
        if same {
            self.base.entries.insert(label.clone(), Copied { then: *now, copy: *copy });
        }
        Ok(same)
    }

    /// Copies what changed in git's directories since they were surveyed, until nothing does: HEAD, the index and
    /// references have to fit together.
    fn settle_git(&mut self, tree: &Tree) -> Result<(), TreeError> {
        for _ in 0..ROUNDS {
            let now = git_state(tree, &self.base.entries)?;
            let copied = self.base.entries.iter().filter(|(path, _)| is_git_state(path));
            let copied =
                copied.map(|(path, at)| ((path.clone(), at.then), (path.clone(), at.copy)));
            let (then, there): (Vec<_>, Vec<_>) = copied.unzip();
            let (then, there): (Stamps, Stamps) =
                (then.into_iter().collect(), there.into_iter().collect());
            if then == now {
                break;
            }
            let gone = then.paths().filter(|path| !now.contains(path)).cloned();
            self.drop_all(gone.collect())?;
            self.apply(&now, &there)?;
        }
        Ok(())
    }
}

/// How git's directories look now.
fn git_state(tree: &Tree, entries: &BTreeMap<RelPath, Copied>) -> Result<Stamps, TreeError> {
    let surveyor = Surveyor {
        tree,
        places: &tree.places,
        delta: &Delta::of(tree),
        status_of: &|_| PathStatus::Known,
        former: None,
        purpose: Purpose::Copy,
        types_alone: None,
    };
    let within = entries
        .iter()
        .filter(|(path, at)| path.name() == b".git" && path.bytes() != b".git" && at.then.is_dir());
    surveyor.survey_git(within.map(|(path, _)| path.clone()).collect())
}

/// Whether a path is in a git directory.
fn is_git_state(path: &RelPath) -> bool {
    path.ancestors().any(|dir| dir.name() == b".git")
}

/// Copies files, on some threads. All that came before an error are copied.
fn copy_all<'p>(
    copier: Copier<'_>,
    files: &[(&'p RelPath, Stamp)],
) -> Result<Outcomes<'p>, TreeError> {
    let next = AtomicUsize::new(0);
    let work = || -> Result<Outcomes<'p>, TreeError> {
        let mut done = Vec::new();
        loop {
            let first = next.fetch_add(BATCH, Ordering::Relaxed);
            let Some(batch) = files.get(first..) else { break };
            for (path, stamp) in batch.iter().take(BATCH) {
                let copied = copier.copy(path, stamp);
                let copied = copied.map_err(|error| {
                    next.store(files.len() + 1, Ordering::Relaxed);
                    copier.to.at(path).failed("copy to")(error)
                })?;
                done.push((*path, copied));
            }
        }
        Ok(done)
    };
    let cores = thread::available_parallelism().map_or(1, NonZero::get).min(MOST_THREADS);
    let others = cores.min(files.len().div_ceil(BATCH)).saturating_sub(1);
    thread::scope(|scope| {
        let start = |_| thread::Builder::new().spawn_scoped(scope, work).ok();
        let threads: Vec<_> = (0..others).filter_map(start).collect();
        let mut all = work()?;
        for thread in threads {
            let done = thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            all.append(&mut done?);
        }
        Ok(all)
    })
}

/// Gives the directories of a new copy the times of the tree's, after everything is in them.
fn keep_times_of_dirs(copier: &Copier<'_>, base: &Base) -> Result<(), TreeError> {
    for (label, _) in base.entries.iter().rev().filter(|(_, at)| at.then.is_dir()) {
        let (from, to) = (copier.from.at(label), copier.to.at(label));
        match from.modified().and_then(|at| to.set_modified(at)) {
            Err(error) if is_gone(&error) => {}
            Err(error) if from.forbids(EntryType::Dir, &error) => {}
            done => done.map_err(to.failed("set the time of"))?,
        }
    }
    Ok(())
}
