//! What an implementer wrote in the view, told apart: the delta, what is allowed, strays, scratch, and
//! what became of git's references.
//!
//! The rules are those of a comparison (`changes.rs`). The tree is what it is compared with, path by path,
//! since what the implementer did not write is no difference, whoever changed it.

use std::collections::{BTreeMap, BTreeSet};

use ftl_model::{Change, DeltaPath, Scratch};

use super::OverlayLayer;
use super::lower::State;
use super::upper::{Contents, Held, Uppers};
use crate::changes::{Changes, DeltaChange, Stray};
use crate::{FileState, RelPath, Snapshot, Tree, TreeError};

/// What an implementer wrote.
#[derive(Debug)]
pub struct Written {
    pub(super) uppers: Uppers,
    pub(super) contents: Contents,
    /// Delta files that are no more as in the tree.
    pub(super) delta: BTreeMap<DeltaPath, State>,
    /// Delta files that can't be reached: a directory above is none any more.
    pub(super) cut: BTreeSet<DeltaPath>,
    pub(super) strays: BTreeMap<RelPath, Change>,
    pub(super) allowed: BTreeMap<RelPath, Change>,
    /// Topmost.
    pub(super) scratch: BTreeSet<RelPath>,
    /// References that it moved, as they are called below git's directory.
    pub(super) references: Vec<String>,
    /// Ignored files that were there and that it changed.
    pub(super) ignored: Vec<RelPath>,
}

impl Tree {
    /// What the implementer wrote into these layers, which nobody has mounted any more.
    ///
    /// # Errors
    /// When they or the tree can't be read.
    pub fn written(&self, layers: &[OverlayLayer]) -> Result<Written, TreeError> {
        let uppers = Uppers::open(layers)?;
        let contents = uppers.contents(self)?;
        let mut written = Written {
            uppers,
            contents,
            delta: BTreeMap::new(),
            cut: BTreeSet::new(),
            strays: BTreeMap::new(),
            allowed: BTreeMap::new(),
            scratch: BTreeSet::new(),
            references: Vec::new(),
            ignored: Vec::new(),
        };
        written.scratch = std::mem::take(&mut written.contents.scratch);
        self.set_ignored_aside(&mut written)?;
        self.find_delta(&mut written)?;
        self.find_strays(&mut written)?;
        self.find_references(&mut written)?;
        set_scratch_aside(&mut written);
        self.let_allowed_pass(&mut written);
        Ok(written)
    }

    /// What git ignored before the request is scratch, by its topmost path.
    fn set_ignored_aside(&self, written: &mut Written) -> Result<(), TreeError> {
        let entries = &written.contents.entries;
        let open: Vec<RelPath> = entries
            .keys()
            .filter(|path| !is_own(path) && !self.holds_delta(path))
            .cloned()
            .collect();
        let ignored = match self.ignored_among(&open) {
            // The rules do not hold everywhere, such as in a submodule. One stray too many is reported
            // rather than one too few.
            Err(TreeError::Git { .. }) => BTreeSet::new(),
            ignored => ignored?,
        };
        for path in &ignored {
            if path.is_below_any(&ignored) {
                continue;
            }
            if !matches!(entries[path].held, Held::Dir { .. })
                && self.state_at(path)? != State::Nothing
            {
                written.ignored.push(path.clone());
            }
            written.scratch.insert(path.clone());
        }
        let scratch = &written.scratch;
        written
            .contents
            .entries
            .retain(|path, _| !scratch.contains(path) && !path.is_below_any(scratch));
        Ok(())
    }

    fn find_delta(&self, written: &mut Written) -> Result<(), TreeError> {
        for path in &self.delta {
            let label = self.label_of(path);
            let state = match written.contents.reach(&label) {
                Reached::Untouched => continue,
                Reached::Cut => {
                    written.cut.insert(path.clone());
                    continue;
                }
                Reached::Gone => State::Nothing,
                Reached::Held(held) => written.uppers.state(&label, held)?,
            };
            if state != self.state_at(&label)? {
                written.delta.insert(path.clone(), state);
            }
        }
        Ok(())
    }

    fn find_strays(&self, written: &mut Written) -> Result<(), TreeError> {
        let delta = self.delta_labels();
        let parents: BTreeSet<RelPath> = delta.iter().flat_map(RelPath::ancestors).collect();
        let mut strays = BTreeMap::new();
        for (path, entry) in &written.contents.entries {
            if delta.contains(path) || !self.is_watched(path) {
                continue;
            }
            let then = self.state_at(path)?;
            let now = written.uppers.state(path, entry.held)?;
            let hides = !now.is_dir() || entry.held == Held::Dir { hides: true };
            if then.is_dir() && hides {
                for below in self.below(path)? {
                    let stays = written.contents.entries.contains_key(&below);
                    if !stays && !delta.contains(&below) && !parents.contains(&below) {
                        strays.insert(below, Change::Deleted);
                    }
                }
            }
            let comes_or_goes = then == State::Nothing || now == State::Nothing;
            let on_the_way = parents.contains(path) && comes_or_goes;
            if let Some(change) = change(&then, &now)
                && !(on_the_way && (then.is_dir() || now.is_dir()))
            {
                strays.insert(path.clone(), change);
            }
        }
        written.strays = strays;
        Ok(())
    }

    /// Of git's own directory only what makes it run programs, or tells it where to look.
    fn is_watched(&self, path: &RelPath) -> bool {
        let Some(inner) = path.strip(b".git") else {
            // The directory itself counts where it is planted.
            return path.bytes() != b".git" || self.places.git_dir.is_none();
        };
        let first = inner.components().next().unwrap_or_default();
        self.places.git_dir.is_some()
            && matches!(first, b"hooks" | b"config" | b"config.worktree" | b"info")
    }

    fn let_allowed_pass(&self, written: &mut Written) {
        let strays = std::mem::take(&mut written.strays);
        for (path, change) in strays {
            if self.is_allowed(&path) {
                written.allowed.insert(path, change);
            } else {
                written.strays.insert(path, change);
            }
        }
        // Directories made on the way to what is allowed are allowed with it.
        let parents: BTreeSet<RelPath> = written
            .allowed
            .keys()
            .flat_map(RelPath::ancestors)
            .collect();
        written
            .strays
            .retain(|path, change| *change != Change::Created || !parents.contains(path));
    }
}

/// Which entries decide what a path is in the view.
enum Reached {
    Untouched,
    Gone,
    Cut,
    Held(Held),
}

impl Contents {
    fn reach(&self, label: &RelPath) -> Reached {
        let mut above: Vec<RelPath> = label.ancestors().collect();
        let mut hidden = false;
        while let Some(dir) = above.pop() {
            match self.entries.get(&dir).map(|entry| entry.held) {
                None => {}
                Some(Held::Dir { hides }) => hidden |= hides,
                Some(Held::Whiteout) => return Reached::Gone,
                Some(Held::File | Held::Link | Held::Special) => return Reached::Cut,
            }
        }
        match self.entries.get(label) {
            Some(entry) => Reached::Held(entry.held),
            None if hidden => Reached::Gone,
            None => Reached::Untouched,
        }
    }
}

/// What is ftl's or git's own: no ignore rule is asked about it.
fn is_own(path: &RelPath) -> bool {
    let first = path.components().next().unwrap_or_default();
    matches!(first, b".git" | b".ftl")
}

fn change(then: &State, now: &State) -> Option<Change> {
    match (then, now) {
        (then, now) if then == now => None,
        (State::Nothing, _) => Some(Change::Created),
        (_, State::Nothing) => Some(Change::Deleted),
        _ => Some(Change::Modified),
    }
}

/// A new directory with nothing but scratch in it is scratch itself, and that is then not listed.
fn set_scratch_aside(written: &mut Written) {
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
    let aside: BTreeSet<RelPath> = dirs
        .map(|(path, _)| path.clone())
        .filter(only_scratch)
        .collect();
    written.strays.retain(|path, _| !aside.contains(path));
    written.scratch.extend(aside);
    let all = written.scratch.clone();
    written.scratch.retain(|path| !path.is_below_any(&all));
}

impl Written {
    /// As a comparison with a snapshot of the delta gives it, once everything is taken over.
    ///
    /// # Errors
    /// When a delta file can't be read.
    pub fn changes(&self, tree: &Tree, before: &Snapshot) -> Result<Changes, TreeError> {
        let mut delta = tree.delta_since(before)?;
        for (path, state) in &self.delta {
            let now = state.as_delta();
            let then = before.delta().remove(path).unwrap_or_default();
            let change = now.change_from(&then);
            delta.insert(path.clone(), DeltaChange { now, change });
        }
        for path in &self.cut {
            let now = FileState {
                kind: Some(crate::EntryType::Link),
                ..FileState::default()
            };
            let change = Some(Change::Modified);
            delta.insert(path.clone(), DeltaChange { now, change });
        }
        Ok(Changes {
            delta,
            strays: self.stray_list(),
            scratch: self.scratch_list(tree),
        })
    }

    fn stray_list(&self) -> Vec<Stray> {
        let strays = self.strays.iter();
        strays
            .map(|(path, change)| Stray {
                path: path.clone(),
                change: *change,
            })
            .collect()
    }

    fn scratch_list(&self, tree: &Tree) -> Vec<Scratch> {
        let listed = self.scratch.iter().take(100);
        listed
            .map(|path| Scratch {
                path: tree.told(path),
                files: self.count(path),
            })
            .collect()
    }

    fn count(&self, path: &RelPath) -> u64 {
        let (place, inner) = self.uppers.locate(path);
        super::upper::list(place, &inner).map_or(1, |entries| entries.len().max(1) as u64)
    }

    /// Files that git ignores, that were there, and that the implementer changed.
    #[must_use]
    pub fn ignored(&self, tree: &Tree) -> Vec<String> {
        self.ignored.iter().map(|path| tree.told(path)).collect()
    }

    /// Branches and other references of git that the implementer moved, in the view alone.
    #[must_use]
    pub fn references(&self) -> &[String] {
        &self.references
    }

    /// Delta files that the implementer wrote and somebody else did too: they differ from the snapshot,
    /// in the tree, by other bytes than the implementer's.
    ///
    /// # Errors
    /// When a delta file can't be read.
    pub fn conflicts(
        &self,
        tree: &Tree,
        before: &Snapshot,
    ) -> Result<BTreeSet<DeltaPath>, TreeError> {
        let since = tree.delta_since(before)?;
        let written = self.delta.keys().chain(&self.cut);
        let changed = |path: &&DeltaPath| {
            let file = since.get(*path);
            file.is_some_and(|file| file.change.is_some())
        };
        Ok(written.filter(changed).cloned().collect())
    }

    /// Whether nothing was written but what may vanish.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.delta.is_empty() && self.strays.is_empty() && self.allowed.is_empty()
    }
}
