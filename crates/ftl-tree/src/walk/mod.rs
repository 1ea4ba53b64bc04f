//! The walk over the tree: one stamp for each path that is watched. No content is read here but that of
//! ignore files, and nothing is compared.
//!
//! Whether a path is watched is decided in this order (`deciding`). A path that was known before, to a base or
//! to git's index, keeps its status. Then names decide, by the built-in list of caches and the
//! configuration. Last come the ignore rules. They are read by a first walk; a later walk takes
//! those, so that adding a rule hides no file. Scratch is listed and not entered. Ignored paths
//! that are there before a request are protected within bounds (`ignored`).
//!
//! Task files in a `.ftl` are watched against all rules: they decide what is built next. Runs and locks, which
//! ftl keeps there, are passed over.
//!
//! A `.git` directory that was there before is entered for its hooks and settings only (`git_dirs`). A
//! later one was planted: it is one path, whatever it holds.
//!
//! What is new since may be more than fits into memory, or deeper than a path may be long. Of
//! one new directory a later walk lists a part, of which it is plain that it is more than scratch, and
//! goes on elsewhere; what is not listed is counted.
//!
//! Other processes may write during the walk. A path that is gone between listing and looking is skipped.

pub(crate) mod deciding;
pub(crate) mod found;
pub(crate) mod git_dirs;
mod ignored;
pub(crate) mod listing;
mod name;
pub(crate) mod rules;
pub(crate) mod scratch;
pub(crate) mod stamps;
pub(crate) mod unchanged;

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::sync::mpsc;
use std::thread;

use rustix::fs::{Mode, OFlags};

use crate::compare::delta::Delta;
use crate::openat::is_gone;
use crate::stamp::{EntryType, Stamp};
use crate::walk::deciding::{Decided, PathStatus, Purpose};
use crate::walk::found::{Level, Survey, Walk};
use crate::walk::listing::{AHEAD, Ahead, BATCH, Batch, Lister, Listing, TypesAlone};
use crate::walk::rules::{IgnoreRules, read_rules};
use crate::walk::scratch::{Looker, ScratchStamp};
use crate::walk::unchanged::Unchanged;
use crate::{Places, RelPath, Tree, TreeError};

/// The directory of a project's tasks and runs, in every project that the tree holds.
const STORE: &[u8] = b".ftl";

/// Where so many directories wait to be listed, other threads list them in parallel.
const MANY: usize = 16;

/// What an earlier walk found.
#[derive(Clone, Copy)]
pub(crate) struct Former<'a> {
    pub(crate) rules: &'a IgnoreRules,
    pub(crate) scratch: &'a BTreeMap<RelPath, ScratchStamp>,
    pub(crate) owns_git_dir: bool,
    /// What is not to be found again, where only differences count.
    pub(crate) unchanged: Option<&'a Unchanged<'a>>,
}

impl Tree {
    /// Walks the tree.
    pub(crate) fn surveyed(
        &self,
        status_of: &dyn Fn(&RelPath) -> PathStatus,
        former: Option<Former<'_>>,
        purpose: Purpose,
    ) -> Result<Survey, TreeError> {
        let surveyor = Surveyor {
            tree: self,
            places: &self.places,
            delta: &Delta::of(self),
            status_of,
            former,
            purpose,
            types_alone: None,
        };
        surveyor.survey()
    }
}

/// Walks the tree.
pub(crate) struct Surveyor<'a> {
    pub(crate) tree: &'a Tree,
    pub(crate) places: &'a Places,
    pub(crate) delta: &'a Delta,
    pub(crate) status_of: &'a dyn Fn(&RelPath) -> PathStatus,
    /// `None` of a first walk.
    pub(crate) former: Option<Former<'a>>,
    pub(crate) purpose: Purpose,
    /// Of a first walk that need not look at all files.
    pub(crate) types_alone: Option<TypesAlone>,
}

impl Surveyor<'_> {
    pub(crate) fn survey(&self) -> Result<Survey, TreeError> {
        let mut walk = Walk::default();
        walk.survey.rules = self.first_rules();
        walk.survey.owns_git_dir = self.places.owns_git_dir;
        if let Some(top) = self.places.top.top().found()? {
            walk.take(RelPath::default(), top, false);
        }
        self.enter_all(&mut walk)?;
        self.survey_git_dirs(&mut walk)?;
        self.take_ignored(&mut walk)?;
        walk.gather();
        let mut looker = Looker::new(self.places, self.delta);
        let scratch = walk.scratch.into_iter().map(|path| (path, false));
        for (path, is_unprotected) in
            scratch.chain(walk.unprotected.into_iter().map(|path| (path, true)))
        {
            let former = self.former.and_then(|former| former.scratch.get(&path));
            let stamp = match self.purpose {
                Purpose::Copy | Purpose::Copied | Purpose::Worked => {
                    ScratchStamp::unlooked(is_unprotected)
                }
                Purpose::Watch => looker.look(&path, is_unprotected, former),
            };
            walk.survey.scratch.insert(path, stamp);
        }
        Ok(walk.survey)
    }

    fn first_rules(&self) -> IgnoreRules {
        match (&self.former, &self.places.git) {
            (None, Some(git)) => git.rules(),
            (Some(_), _) | (None, None) => IgnoreRules::default(),
        }
    }

    pub(crate) fn enter_all(&self, walk: &mut Walk) -> Result<(), TreeError> {
        while walk.levels.len() < MANY {
            let Some(level) = walk.levels.pop() else {
                return Ok(());
            };
            self.enter(walk, level)?;
        }
        let lister = self.lister();
        thread::scope(|scope| {
            let (sender, listed) = mpsc::channel();
            let ahead = Ahead::start(scope, &lister, move |batch: Batch<Level>| {
                // The walk has failed if there is no receiver any more.
                let _ = sender.send(batch);
            });
            self.enter_listed(walk, &ahead, &listed)
        })
    }

    /// Goes on with the directories that other threads list, in whichever order they are done.
    fn enter_listed(
        &self,
        walk: &mut Walk,
        ahead: &Ahead<Level>,
        listed: &mpsc::Receiver<Batch<Level>>,
    ) -> Result<(), TreeError> {
        let mut under_way = 0;
        loop {
            while under_way < AHEAD && !walk.levels.is_empty() {
                let batch = self.take_batch(walk)?;
                let wanted = batch.len();
                let refused = ahead.list(batch, |level| &level.path);
                under_way += wanted - refused.len();
                for level in refused {
                    self.enter(walk, level)?;
                }
            }
            if under_way == 0 {
                return Ok(());
            }
            let Ok(batch) = listed.recv() else {
                // The scope says why no thread lists any more.
                return Ok(());
            };
            under_way -= batch.len();
            for (level, listed) in batch {
                self.take_in(walk, &level, listed)?;
            }
        }
    }

    /// Some of the directories that wait. New ones are entered here: they are listed within bounds, as what
    /// came before them decides.
    fn take_batch(&self, walk: &mut Walk) -> Result<Vec<Level>, TreeError> {
        let mut batch = Vec::with_capacity(BATCH);
        while batch.len() < BATCH {
            match walk.levels.pop() {
                Some(level) if level.top.is_some() => self.enter(walk, level)?,
                Some(level) => batch.push(level),
                None => break,
            }
        }
        Ok(batch)
    }

    fn lister(&self) -> Lister<'_> {
        Lister {
            places: self.places,
            types_alone: self.types_alone.as_ref(),
            unchanged: self.former.and_then(|former| former.unchanged),
        }
    }

    pub(crate) fn enter(&self, walk: &mut Walk, level: Level) -> Result<(), TreeError> {
        if walk.is_full(level.top) {
            return Ok(());
        }
        let listed = match level.top {
            Some(_) => self.lister().names(&level.path),
            None => self.lister().list(&level.path),
        };
        self.take_in(walk, &level, listed)
    }

    fn take_in(
        &self,
        walk: &mut Walk,
        level: &Level,
        listed: io::Result<Listing>,
    ) -> Result<(), TreeError> {
        let place = self.places.at(&level.path);
        match listed.and_then(|listing| self.take_names(walk, listing, level)) {
            Err(error) if is_gone(&error) => Ok(()),
            Err(error) if place.forbids(EntryType::Dir, &error) => {
                walk.survey.unreadable.insert(level.path.clone());
                Ok(())
            }
            taken => taken.map_err(place.failed("list")),
        }
    }

    fn take_names(&self, walk: &mut Walk, listing: Listing, level: &Level) -> io::Result<()> {
        let identity = listing.identity.map(|identity| (level.path.clone(), identity));
        walk.survey.identities.extend(identity);
        if !level.is_git && self.former.is_none() {
            collect_rules(walk, &listing, level);
        }
        let is_ignored_dir = if walk.in_ignored { OnceCell::from(true) } else { OnceCell::new() };
        let level_in_store = is_in_store(&level.path);
        let first = walk.levels.len();
        let has_objects = listing.has(b"HEAD") && listing.has(b"refs");
        let Listing { dir, names, .. } = listing;
        for mut at in names {
            let looked = at.looked.take();
            let bytes = at.name.as_bytes();
            let path = level.path.join(bytes);
            if self.tree.left_out.contains(&path) {
                continue;
            }
            if walk.is_full(level.top) {
                walk.survey.more += 1;
                continue;
            }
            let in_store = level_in_store || bytes == STORE;
            if in_store && self.skips(&path) {
                continue;
            }
            let looked = match looked {
                Some(looked) => looked,
                None => self.lister().look(dir.fd()?, &at)?,
            };
            let Some(stamp) = looked else {
                continue;
            };
            if level.is_git {
                self.take_within_git(walk, path, stamp, has_objects);
            } else if in_store {
                let status = (self.status_of)(&path);
                self.take(walk, path, stamp, level, status);
            } else if bytes == b".git" && stamp.kind() == EntryType::Dir {
                self.meet_git_dir(walk, path, stamp);
            } else {
                let rules = self.former.map_or(&walk.survey.rules, |former| former.rules);
                let is_dir = stamp.kind() == EntryType::Dir;
                let ignored = || {
                    *is_ignored_dir.get_or_init(|| rules.ignores_dir(&level.path))
                        || rules.ignores(&path, is_dir)
                };
                let status = (self.status_of)(&path);
                match self.tree.decide(&path, &stamp, status, self.purpose, ignored) {
                    // It is compared for itself.
                    Decided::Scratch if self.delta.files.contains(&path) => {}
                    Decided::Scratch => walk.scratch.push(path),
                    Decided::Ignored if !walk.in_ignored => walk.ignored.push((path, stamp)),
                    Decided::Ignored | Decided::Watched => {
                        self.take(walk, path, stamp, level, status);
                    }
                }
            }
        }
        // The first of them is the next to be popped, so that most paths come in their order.
        if let Some(new) = walk.levels.get_mut(first..) {
            new.reverse();
        }
        Ok(())
    }

    /// Whether a path in a `.ftl` is ftl's alone: its runs and locks, and to a watch all of it, since other commands
    /// may write there.
    fn skips(&self, path: &RelPath) -> bool {
        if self.purpose == Purpose::Watch {
            return true;
        }
        let mut parts = path.components().skip_while(|name| *name != STORE).skip(1);
        parts.next().is_some_and(|name| name == b"runs" || name == b"locks")
    }

    /// Takes a path that is watched: in a later walk, a new one only as far as the bounds go.
    fn take(
        &self,
        walk: &mut Walk,
        path: RelPath,
        stamp: Stamp,
        level: &Level,
        status: PathStatus,
    ) {
        let is_new = self.former.is_some() && status == PathStatus::New;
        if is_new {
            let starts = stamp.is_dir() && !self.delta.parents.contains(&path);
            walk.take_new(path, stamp, level.top, starts);
        } else {
            walk.take(path, stamp, false);
        }
    }
}

/// Whether a path is a `.ftl` or is in one.
pub(crate) fn is_in_store(path: &RelPath) -> bool {
    path.components().any(|name| name == STORE)
}

/// Reads the ignore rules of a directory, and notes whether a repository begins in it.
fn collect_rules(walk: &mut Walk, listing: &Listing, level: &Level) {
    let open = |path: &[u8]| {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let dir = listing.dir.fd();
        let file = dir.and_then(|dir| rustix::fs::openat(dir, path, flags, Mode::empty()));
        file.map_or_else(|_| Vec::new(), |file| read_rules(&File::from(file)))
    };
    let rules = &mut walk.survey.rules;
    if !level.path.is_top() && listing.has(b".git") {
        rules.add_repository(&level.path, open(b".git/info/exclude"));
    }
    if listing.has(b".gitignore") {
        rules.add_file(&level.path, open(b".gitignore"));
    }
}
