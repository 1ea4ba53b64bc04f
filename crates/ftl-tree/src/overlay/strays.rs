//! What an implementer wrote in the view outside the delta. It is compared with the tree, path by path,
//! since what the implementer did not write is no difference, whatever program changed it.

use std::collections::{BTreeMap, BTreeSet};

use super::upper::{Held, Uppers};
use super::written::OverlayWork;
use crate::compare::classify::{Difference, Former, Pair};
use crate::stamp::{EntryType, Stamp};
use crate::walk::found::Survey;
use crate::walk::git_dirs::TELLING;
use crate::walk::is_in_store;
use crate::walk::scratch::ScratchStamp;
use crate::{RelPath, Tree, TreeError};

/// The tree at the paths that were written in a view.
struct BelowView<'a> {
    tree: &'a Tree,
    written: &'a OverlayWork,
    entries: BTreeMap<RelPath, Stamp>,
    unreadable: BTreeSet<RelPath>,
}

impl Former for BelowView<'_> {
    type Earlier = Stamp;

    fn entries(&self) -> &BTreeMap<RelPath, Stamp> {
        &self.entries
    }

    fn unreadable(&self) -> &BTreeSet<RelPath> {
        &self.unreadable
    }

    fn is_plainly_same(&self, (_, then, now): &Pair<'_, Stamp>) -> Result<bool, TreeError> {
        Ok(then.is_dir() && now.is_dir() && then.permissions() == now.permissions())
    }

    fn examine(&self, pairs: &[Pair<'_, Stamp>]) -> Result<Vec<Difference<Stamp>>, TreeError> {
        let mut found = Vec::new();
        for pair @ (path, then, now) in pairs {
            let is_file = |stamp: &Stamp| stamp.kind() == EntryType::File;
            // A file may be very large: one of another size need not be read.
            let differs = is_file(now) && is_file(then) && now.size != then.size;
            let entry = self.written.contents.entries.get(path);
            let Some(entry) = entry.filter(|_| !differs) else {
                found.push(Difference::between(pair, !differs));
                continue;
            };
            let (was, is) = (self.tree.state_at(path)?, self.written.uppers.state(path, entry)?);
            if was != is {
                let is_same = was.is_dir() && is.is_dir();
                let is_same = is_same || (was.digest().is_some() && was.digest() == is.digest());
                found.push(Difference::between(pair, is_same));
            }
        }
        Ok(found)
    }
}

impl Tree {
    pub(super) fn find_strays(&self, written: &mut OverlayWork) -> Result<(), TreeError> {
        let mut view = self.view(&written.uppers, written)?;
        let former = BelowView {
            tree: self,
            written,
            entries: self.below_view(written)?,
            unreadable: BTreeSet::new(),
        };
        let found = self.differing(&view, &former)?;
        let (own, mut found): (Vec<_>, Vec<_>) =
            found.into_iter().partition(|difference| self.is_callers(&difference.path));
        self.settle(&mut view, &mut found);
        written.own = own.into_iter().map(|difference| difference.path).collect();
        written.scratch = view.scratch.into_keys().collect();
        let (allowed, strays): (Vec<_>, Vec<_>) =
            found.into_iter().partition(|difference| difference.allowed);
        let by_path = |found: Vec<Difference<Stamp>>| {
            found.into_iter().map(|difference| (difference.path.clone(), difference)).collect()
        };
        (written.allowed, written.strays) = (by_path(allowed), by_path(strays));
        Ok(())
    }

    /// What the layers hold, as a walk over the view would find it.
    fn view(&self, uppers: &Uppers, written: &OverlayWork) -> Result<Survey, TreeError> {
        let mut view = Survey::default();
        let top = RelPath::default();
        let mut found: Vec<_> =
            uppers.at(&top).found()?.map(|stamp| (top, stamp)).into_iter().collect();
        for (path, entry) in &written.contents.entries {
            if entry.held != Held::Whiteout && self.is_watched(path)? {
                found.push((path.clone(), entry.stamp));
            }
        }
        view.entries = found.into_iter().collect();
        let scratch = written.scratch.iter();
        let unlooked = ScratchStamp::unlooked(false);
        view.scratch = scratch.map(|path| (path.clone(), unlooked)).collect();
        Ok(view)
    }

    /// What the tree has at the paths that were written, and below those that hide it.
    fn below_view(&self, written: &OverlayWork) -> Result<BTreeMap<RelPath, Stamp>, TreeError> {
        let (delta, top) = (self.delta_paths(), RelPath::default());
        let mut below = BTreeMap::new();
        below.extend(self.at(&top).found()?.map(|stamp| (top, stamp)));
        for (path, entry) in &written.contents.entries {
            if delta.contains(path) || !self.is_watched(path)? {
                continue;
            }
            let Some(stamp) = self.at(path).found()? else {
                continue;
            };
            if stamp.is_dir() && entry.held != (Held::Dir { hides: false }) {
                let hidden = self.below(path)?.into_iter();
                below.extend(hidden.filter(|(path, _)| !delta.contains(path)));
            }
            below.insert(path.clone(), stamp);
        }
        Ok(below)
    }

    /// Whether a path is what the caller said to pass over, or is in it.
    fn is_callers(&self, path: &RelPath) -> bool {
        let skips = |path: &RelPath| self.own.skips(&self.at(path).full());
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
        let is_own = at == 0 && parts.len() > 1 && self.places.git_dir.is_some();
        if !is_own && self.kind_at(&git)? != Some(EntryType::Dir) {
            return Ok(parts.len() == at + 1);
        }
        let below = &parts[at + 1..];
        match below {
            // `git gc` writes it again.
            [b"info", b"refs"] => Ok(false),
            [b"worktrees", _, name] => Ok(*name == b"config.worktree"),
            below => Ok(below.first().is_some_and(|first| TELLING.contains(first))),
        }
    }

    /// What git ignored before the request is scratch, by its topmost path, if it is a cache or new. Other
    /// ignored files are as much a person's as those that git holds.
    pub(super) fn set_ignored_aside(&self, written: &mut OverlayWork) -> Result<(), TreeError> {
        // No ignore rule is asked about what is ftl's or git's own.
        let is_own =
            |path: &RelPath| path.components().next() == Some(b".git") || is_in_store(path);
        let mut open = Vec::new();
        for (path, entry) in &written.contents.entries {
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
            let is_below = path.is_below_any(&written.scratch);
            if !is_below
                && (self.is_cache_if_ignored(path, *is_dir) || self.kind_at(path)?.is_none())
            {
                written.scratch.insert(path.clone());
            }
        }
        let scratch = &written.scratch;
        let stays = |path: &RelPath| !scratch.contains(path) && !path.is_below_any(scratch);
        written.contents.entries.retain(|path, _| stays(path));
        Ok(())
    }
}
