//! What an implementer did in a workplace: the copy compared with its base, once.
//!
//! A path whose copy looks as the base says is the same, and no file of it is opened. Times alone are never a change:
//! a file that was written again with the same bytes is found by comparing it with the project's, as long as that
//! looks as it did.

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use ftl_model::{Change, DeltaPath};

use super::base::{Base, Copied};
use super::{Workplace, outputs, repositories};
use crate::compare::classify::{Difference, Former as Compared, Known, Pair};
use crate::compare::delta::Delta;
use crate::compare::same_bytes;
use crate::openat::is_gone;
use crate::places::Places;
use crate::stamp::{EntryType, Stamp};
use crate::walk::deciding::{PathStatus, Purpose};
use crate::walk::{Former, Surveyor};
use crate::{Changes, CopiedOut, RelPath, SavedFiles, Stray, Tree, TreeError};

impl Known for Copied {
    fn stamp(&self) -> &Stamp {
        &self.copy
    }
}

/// Allowed files that are saved at a refresh, and the bytes of the largest.
const MOST_ALLOWED: usize = 100;
const LARGEST_ALLOWED: u64 = 4 << 20;

impl Workplace {
    /// What differs from the base, sorted by what counts. `before` is how the delta was; new directories of the root
    /// that are empty and have one of the names in `leaves` are no changes.
    ///
    /// # Errors
    /// When the workplace was not refreshed, or cannot be read.
    pub fn changes(
        &self,
        tree: &Tree,
        before: &SavedFiles,
        leaves: &[String],
    ) -> Result<Changes, TreeError> {
        let base = self.base()?;
        let to = repositories::places(&self.dir, tree)?;
        let status = |path: &RelPath| match base.entries.contains_key(path) {
            true => PathStatus::Known,
            false if base.scratch.contains_key(path) => PathStatus::Scratch,
            false => PathStatus::New,
        };
        let surveyor = Surveyor {
            tree,
            places: &to,
            delta: &Delta::of(tree),
            status_of: &status,
            former: Some(Former {
                rules: &base.rules,
                scratch: &base.scratch,
                owns_git_dir: base.owns_git_dir,
                unchanged: None,
            }),
            purpose: Purpose::Worked,
            types_alone: None,
        };
        let mut survey = surveyor.survey()?;
        let mut found = tree.differing(&survey, &SinceBase { base, live: tree, copy: &to })?;
        let has_moved_references = found.iter().any(|at| is_reference(&at.path));
        let delta: BTreeSet<RelPath> =
            tree.delta.iter().map(|path| tree.places.of_delta(path)).collect();
        found.retain(|at| !is_git(&at.path) && !delta.contains(&at.path));
        tree.settle(&mut survey, &mut found);
        let is_left = |path: &RelPath| {
            let name = path.strip_below(tree.places.root());
            let is_named = name.is_some_and(|name| leaves.iter().any(|at| at.as_bytes() == name));
            is_named && to.at(path).names().is_ok_and(|names| names.is_empty())
        };
        let (mut allowed, mut strays) = (Vec::new(), Vec::new());
        for difference in found {
            let path = tree.delta_path(&difference.path);
            match path.filter(|_| difference.allowed) {
                Some(path) if !difference.is_dir() => allowed.push(path),
                Some(_) => {}
                None if is_left(&difference.path) => {}
                None => {
                    let change = difference.change();
                    strays.push(Stray { path: difference.path, change });
                }
            }
        }
        Ok(Changes {
            delta: self.tree(tree)?.delta_since(before)?,
            allowed,
            strays,
            more_strays: survey.more,
            dependencies: outputs::written(&self.dir, tree, &to, &base.dependencies),
            has_moved_references,
        })
    }

    /// Copies strays into a directory, for people.
    ///
    /// # Errors
    /// When the file system refuses.
    pub fn copy_strays(
        &self,
        tree: &Tree,
        strays: &[Stray],
        dir: &std::path::Path,
    ) -> Result<CopiedOut, TreeError> {
        let copy = self.tree(tree)?;
        copy.copy_out(strays.iter().map(|at| (&at.path, at.change == Change::Created)), dir)
    }

    /// The files of the project that an implementer changed outside the delta, as they were, where the project still
    /// has them so: what a merge needs later. Paths that no task file can name are left out.
    #[must_use]
    pub fn originals(&self, tree: &Tree, changes: &Changes) -> Vec<DeltaPath> {
        let Ok(base) = self.base() else {
            return Vec::new();
        };
        let strays = changes.strays.iter().filter_map(|stray| tree.delta_path(&stray.path));
        let is_as_then = |path: &DeltaPath| {
            let label = tree.places.of_delta(path);
            let now = tree.at(&label).stamp().ok().flatten();
            match (base.entries.get(&label), now) {
                (Some(copied), Some(now)) => copied.then == now && !now.is_dir(),
                (None, None) => true,
                _ => false,
            }
        };
        strays.chain(changes.allowed.iter().cloned()).filter(is_as_then).collect()
    }

    /// The allowed files that the copy was made with, as far as they are few and small: what several tasks change at
    /// the same time is merged by them.
    ///
    /// # Errors
    /// When the workplace was not refreshed.
    pub fn allowed(&self, tree: &Tree) -> Result<Vec<DeltaPath>, TreeError> {
        if tree.allowed.is_empty() {
            return Ok(Vec::new());
        }
        let base = self.base()?;
        let is_small = |stamp: &Stamp| !stamp.is_dir() && stamp.size <= LARGEST_ALLOWED;
        let small = base.entries.iter().filter(|(_, copied)| is_small(&copied.then));
        let paths = small.filter_map(|(path, _)| tree.delta_path(path));
        Ok(paths.filter(|path| tree.allows(path)).take(MOST_ALLOWED).collect())
    }

    /// Files of the project outside the delta that the copy does not hold as the watch found them: they came or changed
    /// since the last refresh, or an implementer changed the copy.
    ///
    /// # Errors
    /// When the workplace was not refreshed.
    pub fn lacks(
        &self,
        tree: &Tree,
        watch: &crate::Watch,
        changed: &BTreeSet<RelPath>,
    ) -> Result<Vec<DeltaPath>, TreeError> {
        let base = self.base()?;
        let files = watch.files_beside(tree);
        let lacking = files.filter(|(path, now)| {
            // What its owner cannot read cannot be compared, nor saved.
            let is_held = base.holds(path, now) || now.permissions() & 0o400 == 0;
            !is_held || changed.contains(*path)
        });
        Ok(lacking.filter_map(|(path, _)| tree.delta_path(path)).collect())
    }
}

impl Tree {
    /// A path below the root, if it can be one of a delta.
    pub(crate) fn delta_path(&self, path: &RelPath) -> Option<DeltaPath> {
        let shown = self.shown(path);
        DeltaPath::parse(&shown).ok().filter(|parsed| parsed.as_str() == shown)
    }
}

/// What changed since a workplace was refreshed.
struct SinceBase<'a> {
    base: &'a Base,
    live: &'a Tree,
    copy: &'a Places,
}

impl Compared for SinceBase<'_> {
    type Earlier = Copied;

    fn entries(&self) -> &BTreeMap<RelPath, Copied> {
        &self.base.entries
    }

    fn unreadable(&self) -> &BTreeSet<RelPath> {
        &self.base.unreadable
    }

    fn is_plainly_same(&self, (_, known, now): &Pair<'_, Copied>) -> Result<bool, TreeError> {
        Ok(known.copy == *now)
    }

    fn examine(&self, pairs: &[Pair<'_, Copied>]) -> Result<Vec<Difference<Copied>>, TreeError> {
        let mut found = Vec::new();
        for pair in pairs {
            let (path, known, now) = pair;
            let is_same = is_git(path) && !is_reference(path) || self.is_same(path, known, now)?;
            if !is_same {
                found.push(Difference::between(pair));
            }
        }
        Ok(found)
    }
}

impl SinceBase<'_> {
    fn is_same(&self, path: &RelPath, known: &Copied, now: &Stamp) -> Result<bool, TreeError> {
        let same = |one: &Stamp, other: &Stamp| {
            (one.mode, one.ids, one.size) == (other.mode, other.ids, other.size)
        };
        if !same(&known.copy, now) {
            return Ok(false);
        }
        let (live, copy) = (self.live.at(path), self.copy.at(path));
        if live.found()? != Some(known.then) {
            return Ok(now.is_dir());
        }
        let compared = match now.kind() {
            EntryType::Dir | EntryType::Special => Ok(true),
            EntryType::Link => live.link_target().and_then(|one| Ok(one == copy.link_target()?)),
            EntryType::File => {
                let opened = live.file().and_then(|one| Ok((one, copy.file()?)));
                opened.and_then(|(mut one, mut other)| same_bytes(&mut one, &mut other))
            }
        };
        match compared {
            Err(error) if is_gone(&error) || is_refused(&error) => Ok(false),
            compared => compared.map_err(copy.failed("compare")),
        }
    }
}

fn is_refused(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::PermissionDenied | io::ErrorKind::InvalidInput)
}

/// Whether a path is git's, which an implementer may change in its own copy.
fn is_git(path: &RelPath) -> bool {
    path.components().any(|name| name == b".git")
}

/// Whether a path says where a branch, a tag, HEAD or a stash is.
fn is_reference(path: &RelPath) -> bool {
    let Some(inner) = path.strip(b".git") else {
        return false;
    };
    let parts: Vec<&[u8]> = inner.components().collect();
    let own = match parts.as_slice() {
        [b"worktrees", _, rest @ ..] => rest,
        all => all,
    };
    match own {
        [b"HEAD"] | [b"packed-refs"] | [b"logs", b"refs", b"stash"] => true,
        [b"refs", rest @ ..] => !rest.last().is_some_and(|last| last.ends_with(b".lock")),
        _ => false,
    }
}
