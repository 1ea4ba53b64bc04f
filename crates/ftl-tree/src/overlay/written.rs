//! What an implementer wrote in the view, classified: the delta, what is allowed, strays, scratch, and
//! the changes of git's references.
//!
//! The rules are those of a comparison (`compare`). The tree is what it is compared with, path by path,
//! since what the implementer did not write is no difference, whatever program changed it.

use std::collections::{BTreeMap, BTreeSet};

use ftl_model::{Change, DeltaPath, Scratch};

use super::lands::Landing;
use super::upper::{Contents, Held, Reached, UpperEntry, Uppers};
use super::{OverlayLayer, Passing};
use crate::compare::{Changes, DeltaChange, Stray};
use crate::git::state::GitChanges;
use crate::openat::{At, is_gone};
use crate::stamp::EntryType;
use crate::walk::is_in_store;
use crate::{PathState, RelPath, Snapshot, Tree, TreeError};

/// What an implementer wrote.
#[derive(Debug)]
pub struct OverlayWork {
    pub(crate) uppers: Uppers,
    pub(crate) contents: Contents,
    /// Delta files that are no more as in the tree.
    pub(crate) delta: BTreeMap<DeltaPath, PathState>,
    /// Delta files that can't be reached: a directory above is none any more.
    pub(crate) cut: BTreeSet<DeltaPath>,
    pub(crate) strays: BTreeMap<RelPath, Change>,
    pub(crate) allowed: BTreeMap<RelPath, Change>,
    /// Topmost.
    pub(crate) scratch: BTreeSet<RelPath>,
    /// References that it moved, as they are called below git's directory.
    pub(crate) references: Vec<String>,
    /// What passed through and looks another way now.
    pub(crate) passed: BTreeMap<RelPath, u64>,
    /// What the caller keeps for itself and looks after.
    pub(crate) own: BTreeSet<RelPath>,
    /// When the view was laid.
    pub(crate) since: Option<i64>,
    /// Paths outside the delta that changed in the tree too, since then.
    pub(crate) changed_by_both: BTreeSet<RelPath>,
    /// The delta when the view was laid.
    pub(crate) expected: BTreeMap<RelPath, PathState>,
    /// Whether the request failed, so that of its work the delta alone comes into the tree.
    pub(crate) failed: bool,
}

impl Tree {
    /// What the implementer wrote into these layers, which must not be mounted any more.
    ///
    /// # Errors
    /// When they or the tree can't be read.
    pub fn written(
        &self,
        layers: &[OverlayLayer],
        passing: Option<&Passing>,
    ) -> Result<OverlayWork, TreeError> {
        let uppers = Uppers::open(layers)?;
        let contents = uppers.contents(self)?;
        let mut written = OverlayWork {
            uppers,
            contents,
            delta: BTreeMap::new(),
            cut: BTreeSet::new(),
            strays: BTreeMap::new(),
            allowed: BTreeMap::new(),
            scratch: BTreeSet::new(),
            references: Vec::new(),
            passed: BTreeMap::new(),
            own: BTreeSet::new(),
            since: passing.and_then(|passing| passing.since),
            changed_by_both: BTreeSet::new(),
            expected: BTreeMap::new(),
            failed: false,
        };
        written.scratch = std::mem::take(&mut written.contents.scratch);
        written.passed = self.changed_since(passing);
        self.set_ignored_aside(&mut written)?;
        self.find_delta(&mut written)?;
        self.find_strays(&mut written)?;
        self.find_references(&mut written)?;
        set_scratch_aside(&mut written);
        self.let_allowed_pass(&mut written);
        self.find_changed_by_both(&mut written)?;
        Ok(written)
    }

    fn changed_since(&self, passing: Option<&Passing>) -> BTreeMap<RelPath, u64> {
        let Some(passing) = passing else {
            return BTreeMap::new();
        };
        // Pipes and sockets are no scratch.
        let is_dir = |path: &&RelPath| self.state_at(path).is_ok_and(|state| state.is_dir());
        let paths: Vec<RelPath> = passing.looks.keys().filter(is_dir).cloned().collect();
        let now = self.looks(&paths, Some(passing)).into_iter();
        now.filter(|(path, look)| passing.looks.get(path) != Some(look))
            .map(|(path, look)| (path, u64::from(look.files)))
            .collect()
    }

    /// What git ignored before the request is scratch, by its topmost path, if it is a cache or new. Other
    /// ignored files are as much a person's as those that git holds.
    fn set_ignored_aside(&self, written: &mut OverlayWork) -> Result<(), TreeError> {
        let entries = &written.contents.entries;
        let mut open = Vec::new();
        for (path, entry) in entries {
            if is_own(path) || self.holds_delta(path) {
                continue;
            }
            let is_dir = match entry.held {
                Held::Dir { .. } => true,
                Held::Whiteout => self.kind_at(path)? == Some(EntryType::Dir),
                Held::File | Held::Link | Held::Special => false,
            };
            open.push((path.clone(), is_dir));
        }
        let ignored = self.ignored_among(&open);
        for (path, is_dir) in open.iter().filter(|(path, _)| ignored.contains(path)) {
            if path.is_below_any(&written.scratch) {
                continue;
            }
            if self.is_cache_if_ignored(path, *is_dir) || self.kind_at(path)?.is_none() {
                written.scratch.insert(path.clone());
            }
        }
        let scratch = &written.scratch;
        written
            .contents
            .entries
            .retain(|path, _| !scratch.contains(path) && !path.is_below_any(scratch));
        Ok(())
    }

    fn find_delta(&self, written: &mut OverlayWork) -> Result<(), TreeError> {
        for path in &self.delta {
            let label = self.places.of_delta(path);
            let state = match written.contents.reach(&label) {
                Reached::Untouched => continue,
                Reached::Cut => {
                    written.cut.insert(path.clone());
                    continue;
                }
                Reached::Gone => PathState::Nothing,
                Reached::Held(entry) => written.uppers.state(&label, &entry)?,
            };
            if state != self.state_at(&label)? {
                written.delta.insert(path.clone(), state);
            }
        }
        Ok(())
    }

    fn find_strays(&self, written: &mut OverlayWork) -> Result<(), TreeError> {
        let delta = self.delta_paths();
        let parents: BTreeSet<RelPath> = delta.iter().flat_map(RelPath::ancestors).collect();
        let mut strays = BTreeMap::new();
        let top = RelPath::default();
        let mode = |at: At<'_>| Ok::<_, TreeError>(at.found()?.map(|stamp| stamp.permissions()));
        if mode(written.uppers.at(&top))? != mode(self.at(&top))? {
            strays.insert(RelPath::default(), Change::Modified);
        }
        for (path, entry) in &written.contents.entries {
            if delta.contains(path) || !self.is_watched(path)? {
                continue;
            }
            if let Some(change) = self.plain_change(&written.uppers, path, entry)? {
                strays.insert(path.clone(), change);
                continue;
            }
            let then = self.state_at(path)?;
            let now = written.uppers.state(path, entry)?;
            let hides = !now.is_dir() || entry.held == Held::Dir { hides: true };
            if then.is_dir() && hides {
                for below in self.below(path)? {
                    let stays = written.contents.entries.contains_key(&below);
                    if !stays && !delta.contains(&below) && !parents.contains(&below) {
                        strays.insert(below, Change::Deleted);
                    }
                }
            }
            let comes_or_goes = then.is_nothing() || now.is_nothing();
            let on_the_way = parents.contains(path) && comes_or_goes;
            if let Some(change) = now.change_from(&then)
                && !(on_the_way && (then.is_dir() || now.is_dir()))
            {
                strays.insert(path.clone(), change);
            }
        }
        for (path, change) in strays {
            if self.is_callers(&path) {
                written.own.insert(path);
            } else {
                written.strays.insert(path, change);
            }
        }
        Ok(())
    }

    /// What became of a file, where that shows without reading it: it may be very large.
    fn plain_change(
        &self,
        uppers: &Uppers,
        path: &RelPath,
        entry: &UpperEntry,
    ) -> Result<Option<Change>, TreeError> {
        if entry.held != Held::File {
            return Ok(None);
        }
        let tree = self.at(path);
        let then = match tree.stamp() {
            Err(error) if is_gone(&error) => None,
            then => then.map_err(tree.failed("look at"))?,
        };
        let upper = uppers.at(path);
        let now = upper.stamp();
        let now = now.map_err(upper.failed("look at"))?;
        Ok(match (then, now) {
            (None, _) => Some(Change::Created),
            (Some(then), Some(now)) if then.kind() == EntryType::File && then.size != now.size => {
                Some(Change::Modified)
            }
            (Some(_), _) => None,
        })
    }

    /// Whether a path is what the caller said to pass over, or is in it.
    fn is_callers(&self, path: &RelPath) -> bool {
        let skips = |path: &RelPath| {
            let place = self.at(path);
            self.own.skips(&place.full())
        };
        is_in_store(path) && (skips(path) || path.ancestors().any(|dir| skips(&dir)))
    }

    /// Of git's own directory only what makes it run programs, or says where to look.
    /// One that was not there is planted, and counts as a whole.
    fn is_watched(&self, path: &RelPath) -> Result<bool, TreeError> {
        let parts: Vec<&[u8]> = path.components().collect();
        let Some(at) = parts.iter().position(|part| *part == b".git") else {
            return Ok(true);
        };
        let git = RelPath::new(parts[..=at].join(&b'/'));
        let there = match (at, &self.places.git_dir) {
            (0, Some(_)) if parts.len() > 1 => true,
            _ => self.state_at(&git)?.is_dir(),
        };
        if !there {
            return Ok(parts.len() == at + 1);
        }
        // `git gc` writes it again.
        if parts[at + 1..] == [&b"info"[..], b"refs"] {
            return Ok(false);
        }
        let first = parts.get(at + 1).copied();
        let telling: [&[u8]; 4] = [b"hooks", b"config", b"config.worktree", b"info"];
        Ok(first.is_some_and(|first| telling.contains(&first)))
    }

    fn let_allowed_pass(&self, written: &mut OverlayWork) {
        let strays = std::mem::take(&mut written.strays);
        for (path, change) in strays {
            if self.may_change(&path) {
                written.allowed.insert(path, change);
            } else {
                written.strays.insert(path, change);
            }
        }
        // Directories made on the way to what is allowed are allowed with it.
        let parents: BTreeSet<RelPath> =
            written.allowed.keys().flat_map(RelPath::ancestors).collect();
        written.strays.retain(|path, change| *change != Change::Created || !parents.contains(path));
    }
}

/// What is ftl's or git's own: no ignore rule is asked about it.
fn is_own(path: &RelPath) -> bool {
    path.components().next() == Some(b".git") || is_in_store(path)
}

/// A new directory with nothing but scratch in it is scratch itself, and that is then not listed.
fn set_scratch_aside(written: &mut OverlayWork) {
    let is_new_dir = |path: &RelPath, change: &Change| {
        let entry = written.contents.entries.get(path);
        *change == Change::Created
            && entry.is_some_and(|entry| matches!(entry.held, Held::Dir { .. }))
    };
    let dirs = written.strays.iter();
    let dirs = dirs.filter(|(path, change)| is_new_dir(path, change));
    let only_scratch = |dir: &RelPath| {
        let first = dir.join(b"");
        let below = |path: &RelPath| path.bytes().starts_with(first.bytes());
        let mut entries = written.contents.entries.iter();
        let mut scratch = written.scratch.iter();
        scratch.any(below)
            && entries.all(|(path, entry)| !below(path) || matches!(entry.held, Held::Dir { .. }))
    };
    let aside: BTreeSet<RelPath> =
        dirs.map(|(path, _)| path.clone()).filter(only_scratch).collect();
    written.strays.retain(|path, _| !aside.contains(path));
    written.scratch.extend(aside);
    let all = written.scratch.clone();
    written.scratch.retain(|path| !path.is_below_any(&all));
}

impl OverlayWork {
    /// Says whether the request failed. One that leaves something in the place of a delta file that is not
    /// a regular file has failed too. What it was allowed to change is a stray then.
    pub fn fail(&mut self, failed: bool) {
        self.failed = failed || !self.cut.is_empty();
        self.failed |= self.delta.values().any(|state| state.is_odd());
        if self.failed {
            self.strays.append(&mut self.allowed);
        }
    }

    /// As a comparison with a snapshot of the delta gives it, once everything is taken over.
    ///
    /// # Errors
    /// When a delta file can't be read.
    pub fn changes(
        &self,
        tree: &Tree,
        before: &Snapshot,
        landing: &Landing,
    ) -> Result<Changes, TreeError> {
        let mut delta = tree.delta_since(before)?;
        for (path, state) in &self.delta {
            let then = before.delta().remove(path).unwrap_or_default();
            let change = state.delta_change_from(&then);
            delta.insert(path.clone(), DeltaChange { now: state.clone(), change });
        }
        for path in &self.cut {
            let now = PathState::Special;
            let change = Some(Change::Modified);
            delta.insert(path.clone(), DeltaChange { now, change });
        }
        Ok(Changes {
            delta,
            strays: self.stray_list(),
            more_strays: 0,
            git: GitChanges::default(),
            allowed: self.allowed.keys().cloned().collect(),
            ignored: Vec::new(),
            scratch: self.scratch_list(tree, landing),
        })
    }

    fn stray_list(&self) -> Vec<Stray> {
        let strays = self.strays.iter();
        strays.map(|(path, change)| Stray { path: path.clone(), change: *change }).collect()
    }

    fn scratch_list(&self, tree: &Tree, landing: &Landing) -> Vec<Scratch> {
        let mut counts = self.passed.clone();
        for path in self.scratch.iter().filter(|_| landing.scratch) {
            counts.insert(path.clone(), self.count(path));
        }
        let listed = counts.into_iter().take(100);
        listed.map(|(path, files)| Scratch { path: tree.shown(&path), files }).collect()
    }

    fn count(&self, path: &RelPath) -> u64 {
        super::upper::list(&self.uppers.at(path)).map_or(1, |entries| entries.len().max(1) as u64)
    }

    /// What the implementer wrote, in the view alone, of what the caller keeps for itself: topmost paths.
    #[must_use]
    pub fn own(&self, tree: &Tree) -> Vec<String> {
        let topmost = self.own.iter().filter(|path| !path.is_below_any(&self.own));
        topmost.map(|path| tree.shown(path)).collect()
    }

    /// Branches and other references of git that the implementer moved, in the view alone.
    #[must_use]
    pub fn references(&self) -> &[String] {
        &self.references
    }

    /// Whether nothing was written but what may vanish.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.delta.is_empty() && self.strays.is_empty() && self.allowed.is_empty()
    }
}
