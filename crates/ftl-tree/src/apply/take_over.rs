//! Taking what an implementer wrote over into the tree, and undoing that where it was cut short.
//!
//! The order: the plan is durable first, with what is there now. Then what can't be replaced in one step
//! goes, children first; what comes is made, parents first, each file under another name (`exchange`);
//! modes of directories come last. A path that changed in the tree since the view was laid is left alone.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;

use ftl_model::Change;

use crate::apply::exchange::{beside, is_state, remove_if_there};
use crate::apply::journal::{Journal, PlannedChange};
use crate::openat::{Beneath, Rights, is_gone};
use crate::overlay::lands::Landing;
use crate::overlay::lower::State;
use crate::overlay::scratch::{copy_beside, make_pipe, overwrite, sync_parent};
use crate::overlay::upper::{Held, Uppers};
use crate::overlay::written::OverlayWork;
use crate::{RelPath, Tree, TreeError};

/// The result of a take-over, or of undoing one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TakenOver {
    /// Paths that another process changed in between and that were left alone.
    pub left: BTreeSet<RelPath>,
    /// Scratch that could not be taken over, and why.
    pub missed: Vec<String>,
}

impl TakenOver {
    /// The paths that were left alone, as people read them.
    #[must_use]
    pub fn left_text(&self, tree: &Tree) -> Vec<String> {
        self.left.iter().map(|path| tree.shown(path)).collect()
    }
}

impl Tree {
    /// Brings what lands into the tree. The plan is kept in `dir`.
    ///
    /// # Errors
    /// When the file system refuses; [`undo_take_over`](Self::undo_take_over) puts back what was done.
    pub fn take_over(
        &self,
        written: &OverlayWork,
        landing: &Landing,
        dir: &Path,
    ) -> Result<TakenOver, TreeError> {
        let mut done = TakenOver::default();
        let changes = self.planned(written, landing)?;
        if !changes.is_empty() {
            let is_expected = |path: &RelPath, now: &State| self.is_as_laid(written, path, now);
            let (journal, left) = Journal::write(self, dir, changes, &is_expected)?;
            done.left.extend(left);
            self.perform(&journal.steps, &written.uppers, &mut done)?;
        }
        let lands = landing.scratch && done.left.is_empty();
        let scratch = written.scratch.iter().filter(|_| lands);
        done.missed = self.take_scratch(&written.uppers, scratch);
        Ok(done)
    }

    fn planned(
        &self,
        written: &OverlayWork,
        landing: &Landing,
    ) -> Result<Vec<(RelPath, State)>, TreeError> {
        let mut changes = BTreeMap::new();
        for (path, state) in &written.delta {
            changes.insert(self.label_of(path), state.clone());
        }
        for (path, change) in written.allowed.iter().chain(&written.strays) {
            if !landing.paths.contains(path) {
                continue;
            }
            let entry = written.contents.entries.get(path);
            let state = match (change, entry) {
                (Change::Deleted, _) | (_, None) => State::Nothing,
                (_, Some(entry)) => written.uppers.state(path, entry)?,
            };
            changes.insert(path.clone(), state);
        }
        // A socket or device can't be brought anywhere, and is a failure all the same.
        changes.retain(|path, state| landing.paths.contains(path) && *state != State::Special);
        self.add_parents(written, &mut changes)?;
        Ok(changes.into_iter().collect())
    }

    /// Directories that are missing above what comes.
    fn add_parents(
        &self,
        written: &OverlayWork,
        changes: &mut BTreeMap<RelPath, State>,
    ) -> Result<(), TreeError> {
        let come = changes.iter().filter(|(_, state)| **state != State::Nothing);
        let parents: BTreeSet<RelPath> = come.flat_map(|(path, _)| path.ancestors()).collect();
        for dir in parents {
            if changes.contains_key(&dir) || self.state_at(&dir)? != State::Nothing {
                continue;
            }
            let entry = written.contents.entries.get(&dir);
            let permissions = match entry.filter(|entry| matches!(entry.held, Held::Dir { .. })) {
                Some(entry) => entry.permissions,
                // It was there when the implementer wrote below it.
                None => 0o755,
            };
            changes.insert(dir, State::Dir { permissions });
        }
        Ok(())
    }

    fn perform(
        &self,
        steps: &[PlannedChange],
        uppers: &Uppers,
        done: &mut TakenOver,
    ) -> Result<(), TreeError> {
        let left = &mut done.left;
        for step in steps.iter().rev().filter(|step| step.removes()) {
            if self.state_at(&step.path)? != step.before || !self.take_away(step)? {
                left.insert(step.path.clone());
            }
        }
        for step in steps.iter().filter(|step| step.after != State::Nothing) {
            let expected = if step.removes() { &State::Nothing } else { &step.before };
            let now = self.state_at(&step.path)?;
            if left.contains(&step.path) || now != *expected || !self.make(step, uppers)? {
                left.insert(step.path.clone());
            }
        }
        for step in steps.iter().rev() {
            if let State::Dir { permissions } = step.after
                && !left.contains(&step.path)
            {
                let (place, path) = self.places.locate(&step.path);
                place
                    .set_permissions(&path, permissions)
                    .map_err(TreeError::io("set the mode of", place.full(&path)))?;
            }
        }
        self.sync_steps(steps)
    }

    /// `false` if another process's version is there, and stays.
    fn take_away(&self, step: &PlannedChange) -> Result<bool, TreeError> {
        let (place, path) = self.places.locate(&step.path);
        let gone = match step.before.is_dir() {
            true => place.remove_dir(&path).map(|()| true),
            false => self.remove_expected(step),
        };
        match gone {
            // Scratch or another process's new file is in it, so it stays.
            Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => Ok(true),
            Err(error) if is_gone(&error) => Ok(true),
            gone => gone.map_err(TreeError::io("remove", place.full(&path))),
        }
    }

    /// `false` if another process's version is there, and stays.
    fn make(&self, step: &PlannedChange, uppers: &Uppers) -> Result<bool, TreeError> {
        let (from, inner) = uppers.locate(&step.path);
        let (to, path) = self.places.locate(&step.path);
        let made = match &step.after {
            State::Nothing | State::Special => Ok(true),
            State::Dir { .. } if step.before.is_dir() => Ok(true),
            State::Dir { .. } => to.make_dir(&path).map(|()| true),
            State::File { .. } | State::Link { .. } => {
                self.make_file(step, [from, to], [&inner, &path])
            }
            State::Pipe => make_pipe(to, &path, 0o644).map(|()| true),
        };
        made.map_err(TreeError::io("write", to.full(&path)))
    }

    /// Beside the path first, and then in its place; in place at once where the directory takes no new name.
    fn make_file(
        &self,
        step: &PlannedChange,
        [from, to]: [&Beneath; 2],
        [inner, path]: [&RelPath; 2],
    ) -> io::Result<bool> {
        match copy_beside(from, inner, to, path, true) {
            Ok(Some(staged)) => self.bring_in(step, to, &staged),
            Ok(None) => Ok(true),
            // Nothing can be exchanged in such a directory: a last look has to do.
            Err(_) if !is_state(to, path, &step.before) => Ok(false),
            Err(refused) => overwrite(from, inner, to, path, refused).map(|()| true),
        }
    }

    fn sync_steps(&self, steps: &[PlannedChange]) -> Result<(), TreeError> {
        let mut synced = BTreeSet::new();
        for step in steps {
            let (place, path) = self.places.locate(&step.path);
            if !synced.insert(place.full(&path.split().0)) {
                continue;
            }
            match sync_parent(place, &path) {
                Err(error) if !is_gone(&error) => {
                    return Err(TreeError::io("sync", place.full(&path))(error));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Undoes a take-over whose plan is in `dir`: what it made of a path is what was there before. A
    /// path that is neither as before nor as planned was changed since, and is left alone. Can be
    /// repeated.
    ///
    /// # Errors
    /// When the file system refuses, or the plan can't be read.
    pub fn undo_take_over(&self, dir: &Path) -> Result<TakenOver, TreeError> {
        let mut done = TakenOver::default();
        let Some(journal) = Journal::load(dir)? else {
            return Ok(done);
        };
        for step in &journal.steps {
            if !self.clear_beside(step)? {
                done.left.insert(step.path.clone());
            }
        }
        for step in journal.steps.iter().rev() {
            if step.before != State::Nothing || self.state_at(&step.path)? == State::Nothing {
                continue;
            }
            if self.is_ours(step)? {
                self.take_back(step)?;
            } else {
                done.left.insert(step.path.clone());
            }
        }
        for step in &journal.steps {
            if step.before == State::Nothing || self.state_at(&step.path)? == step.before {
                continue;
            }
            if !self.is_ours(step)? {
                done.left.insert(step.path.clone());
                continue;
            }
            self.restore_step(&journal, step)?;
        }
        self.sync_steps(&journal.steps)?;
        Ok(done)
    }

    /// Whether what is at the path is what the take-over made of it, at any stage.
    fn is_ours(&self, step: &PlannedChange) -> Result<bool, TreeError> {
        let now = self.state_at(&step.path)?;
        Ok(now == step.after
            || (now == State::Nothing && step.removes())
            || (now.is_dir() && step.after.is_dir()))
    }

    fn take_back(&self, step: &PlannedChange) -> Result<bool, TreeError> {
        let undone = PlannedChange { before: step.after.clone(), ..step.clone() };
        self.take_away(&undone)
    }

    fn restore_step(&self, journal: &Journal, step: &PlannedChange) -> Result<(), TreeError> {
        let now = self.state_at(&step.path)?;
        let (place, path) = self.places.locate(&step.path);
        let failed = TreeError::io("put back", place.full(&path));
        let brought = || -> io::Result<()> {
            if now != State::Nothing && (now.is_dir() != step.before.is_dir()) {
                match now.is_dir() {
                    true => place.remove_dir(&path)?,
                    false => place.remove(&path)?,
                }
            }
            match (&step.before, &step.copy) {
                (State::Dir { permissions }, _) => {
                    if !now.is_dir() {
                        place.make_dir(&path)?;
                    }
                    place.set_permissions(&path, *permissions)
                }
                (State::Link { target }, _) => {
                    let new = beside(&path);
                    remove_if_there(place, &new)?;
                    place.make_link(&new, target.bytes())?;
                    place.rename(&new, &path)
                }
                (State::File { permissions, .. }, Some(copy)) => {
                    let bytes = journal.bytes(copy).map_err(io::Error::other)?;
                    let new = beside(&path);
                    remove_if_there(place, &new)?;
                    let attributes = place.attributes(&path)?;
                    let rights =
                        Rights { permissions: *permissions, ids: None, attributes: &attributes };
                    let made = place.make_file(&new, &mut bytes.as_slice(), Some(rights));
                    match made.and_then(|_| place.rename(&new, &path)) {
                        // It was written in place, too.
                        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                            io::Write::write_all(&mut place.file_to_overwrite(&path)?, &bytes)?;
                            place.set_permissions(&path, *permissions)
                        }
                        done => done,
                    }
                }
                _ => Ok(()),
            }
        };
        brought().map_err(failed)
    }
}
