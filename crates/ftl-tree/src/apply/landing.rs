//! Bringing saved work into a tree: the project, where it lands, or a workplace, where it is laid out again.
//!
//! A path that is as it was when the work began becomes what the work made of it. One that another process changed since is
//! merged where both changed different places, and else left alone: it is a conflict.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use ftl_model::DeltaPath;

use super::merging::Merged;
use super::{Apply, Change, ChangePlan, plan};
use crate::openat::Rights;
use crate::{PathState, RelPath, SavedFiles, Tree, TreeError};

/// The plan for what a verify command changed, below that of the landing before it.
const WRITTEN: &str = "written";

/// What of saved work comes into a tree, and what does not.
#[derive(Debug, Default)]
pub struct Landing {
    coming: BTreeMap<DeltaPath, Coming>,
    /// Files of which the tree gets both versions, merged.
    pub merged: Vec<DeltaPath>,
    /// Files that stay as they are in the tree, since both versions differ from the base at the same places.
    pub conflicts: Vec<DeltaPath>,
}

/// What a path is to become.
#[derive(Debug)]
struct Coming {
    before: PathState,
    after: PathState,
    merged: Option<Merged>,
    between: Option<Between>,
}

/// What a path is between the two steps of a landing.
#[derive(Debug)]
enum Between {
    /// As it was before.
    Before,
    /// These bytes, in a file with the mode of the one that comes.
    Bytes(Vec<u8>, PathState),
}

impl Landing {
    /// Whether nothing of the tree is to change.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.coming.is_empty()
    }

    /// The files that change.
    pub fn paths(&self) -> impl Iterator<Item = &DeltaPath> {
        self.coming.keys()
    }

    /// Whether a file was there before.
    #[must_use]
    pub fn replaces(&self, path: &DeltaPath) -> bool {
        self.coming.get(path).is_some_and(|coming| !coming.before.is_nothing())
    }

    /// The bytes that a file of `work` gets; `None` where it goes.
    ///
    /// # Errors
    /// When the work cannot be read.
    pub fn bytes(&self, work: &SavedFiles, path: &DeltaPath) -> Result<Option<Vec<u8>>, TreeError> {
        match self.coming.get(path).and_then(|coming| coming.merged.as_ref()) {
            Some(merged) => Ok(Some(merged.bytes.clone())),
            None => work.read(path),
        }
    }

    /// Leaves a file as it was until [`Tree::land_rest`].
    pub fn hold(&mut self, path: &DeltaPath) {
        if let Some(coming) = self.coming.get_mut(path) {
            coming.between = Some(Between::Before);
        }
    }

    /// Gives a file these bytes until [`Tree::land_rest`].
    pub fn put_first(&mut self, path: &DeltaPath, bytes: Vec<u8>) {
        if let Some(coming) = self.coming.get_mut(path)
            && let Some(permissions) = coming.after.permissions()
        {
            let sha256 = ftl_model::Digest::of(&bytes);
            let state = PathState::File { sha256, permissions };
            coming.between = Some(Between::Bytes(bytes, state));
        }
    }

    /// Whether it is made in two steps.
    #[must_use]
    pub fn has_rest(&self) -> bool {
        self.coming.values().any(|coming| coming.between.is_some())
    }
}

/// Whether a merged file can be used.
pub type Accepts<'a> = dyn FnMut(&DeltaPath, &[u8]) -> bool + 'a;

impl Tree {
    /// Plans what of `work` comes into this tree. `base` is how the files were where the work began; `bench` is a
    /// private directory for merges, removed afterwards.
    ///
    /// # Errors
    /// When a version cannot be read.
    pub fn plan_landing(
        &self,
        base: &SavedFiles,
        work: &SavedFiles,
        bench: &Path,
        accepts: &mut Accepts<'_>,
    ) -> Result<Landing, TreeError> {
        let mut landing = Landing::default();
        for (path, file) in work.files() {
            let (was, after) = (base.state(path), &file.state);
            let now = self.state(path)?;
            // A device, pipe or socket is no work, and cannot be brought anywhere.
            if after.delta_change_from(&was).is_none() || now == *after || after.is_odd() {
                continue;
            }
            let coming = |after: PathState, merged| Coming {
                before: now.clone(),
                after,
                merged,
                between: None,
            };
            if now == was {
                landing.coming.insert(path.clone(), coming(after.clone(), None));
                continue;
            }
            let merged = self.merged(path, (base, work), &now, bench)?;
            match merged.filter(|merged| accepts(path, &merged.bytes)) {
                Some(merged) => {
                    let sha256 = ftl_model::Digest::of(&merged.bytes);
                    let after = PathState::File { sha256, permissions: merged.permissions };
                    landing.merged.push(path.clone());
                    landing.coming.insert(path.clone(), coming(after, Some(merged)));
                }
                None => landing.conflicts.push(path.clone()),
            }
        }
        Ok(landing)
    }

    /// Makes the changes of a landing, each file by one rename, after their plan with what was there is in `plan_dir`
    /// durably; of one in two steps the first. `modes` is the tree in which the work was done: missing directories get their modes from there.
    ///
    /// Returns the files that another process changed at this moment: then nothing of the landing stays in the tree.
    ///
    /// # Errors
    /// When the file system refuses; [`undo_landing`](Self::undo_landing) undoes what was done.
    pub fn land(
        &self,
        landing: &Landing,
        work: &SavedFiles,
        modes: &Tree,
        (plan_dir, owner): (&Path, &str),
    ) -> Result<BTreeSet<DeltaPath>, TreeError> {
        let mut wanted: BTreeMap<RelPath, PathState> = BTreeMap::new();
        let mut paths: BTreeMap<RelPath, &DeltaPath> = BTreeMap::new();
        for (path, coming) in &landing.coming {
            let label = self.places.of_delta(path);
            wanted.insert(label.clone(), coming.after.clone());
            paths.insert(label, path);
        }
        self.add_parents(modes, &mut wanted)?;
        let to = |label: &RelPath| self.at(label);
        let is_expected = |label: &RelPath, now: &PathState| {
            let coming = paths.get(label).and_then(|path| landing.coming.get(*path));
            Ok(coming.map_or(now.is_nothing() || now.is_dir(), |coming| coming.before == *now))
        };
        let wanted = wanted.into_iter().collect();
        // What a verify command wrote after an earlier landing is no part of this one.
        plan::forget(&plan_dir.join(WRITTEN))?;
        let (mut plan, mut left) = ChangePlan::prepare(&to, plan_dir, wanted, &is_expected)?;
        plan.set_between(&|change| {
            let coming = landing.coming.get(*paths.get(&change.path)?)?;
            coming.between.as_ref().map(|between| match between {
                Between::Before => change.before.clone(),
                Between::Bytes(_, state) => state.clone(),
            })
        });
        // From here on a crash at any point is undone by the process that locks the tree next.
        let plan = plan.store(owner)?;
        if left.is_empty() {
            let fill = |change: &Change, file: &mut File| {
                let path = paths.get(&change.path).ok_or(io::ErrorKind::NotFound)?;
                match landing.coming.get(*path).and_then(|coming| coming.between.as_ref()) {
                    Some(Between::Bytes(bytes, _)) => {
                        write(landing, work, path, (file, Some(bytes.as_slice())))
                    }
                    _ => write(landing, work, path, (file, None)),
                }
            };
            let first: Vec<Change> = plan.changes.iter().filter_map(Change::first_step).collect();
            left = Apply { to: &to, fill: &fill, durable: true }.run(&first)?;
        }
        if !left.is_empty() {
            plan.undo(&to)?;
            plan::forget(plan_dir)?;
        }
        Ok(left.iter().filter_map(|label| paths.get(label).map(|path| (*path).clone())).collect())
    }

    /// Makes the second step of a landing. Returns the files that are not as the first step left them: they stay as they
    /// are, and the caller undoes the landing.
    ///
    /// # Errors
    /// As [`land`](Self::land).
    pub fn land_rest(
        &self,
        landing: &Landing,
        work: &SavedFiles,
        plan_dir: &Path,
    ) -> Result<BTreeSet<DeltaPath>, TreeError> {
        let Some(plan) = ChangePlan::load(plan_dir)? else {
            return Ok(landing.paths().cloned().collect());
        };
        let mut paths: BTreeMap<RelPath, &DeltaPath> = BTreeMap::new();
        for path in landing.paths() {
            paths.insert(self.places.of_delta(path), path);
        }
        let fill = |change: &Change, file: &mut File| {
            let path = paths.get(&change.path).ok_or(io::ErrorKind::NotFound)?;
            write(landing, work, path, (file, None))
        };
        let to = |label: &RelPath| self.at(label);
        let rest: Vec<Change> = plan.changes.iter().filter_map(Change::second_step).collect();
        let left = Apply { to: &to, fill: &fill, durable: true }.run(&rest)?;
        Ok(left.iter().filter_map(|label| paths.get(label).map(|path| (*path).clone())).collect())
    }

    /// Directories that are missing above what comes.
    fn add_parents(
        &self,
        modes: &Tree,
        wanted: &mut BTreeMap<RelPath, PathState>,
    ) -> Result<(), TreeError> {
        let come = wanted.iter().filter(|(_, state)| !state.is_nothing());
        let parents: BTreeSet<RelPath> = come.flat_map(|(path, _)| path.ancestors()).collect();
        for dir in parents {
            let is_top = dir.is_top();
            if is_top || wanted.contains_key(&dir) || !self.state_at(&dir)?.is_nothing() {
                continue;
            }
            let made = modes.at(&dir).found()?.filter(|stamp| stamp.is_dir());
            let permissions = made.map_or(0o755, |stamp| stamp.permissions());
            wanted.insert(dir, PathState::Dir { permissions });
        }
        Ok(())
    }

    /// Stores how to undo what a verify command changed after a landing: files outside the work, of which
    /// `originals` has what they were.
    ///
    /// # Errors
    /// When a file cannot be read, or the plan cannot be written.
    pub fn plan_restoring(
        &self,
        originals: &SavedFiles,
        plan_dir: &Path,
        owner: &str,
    ) -> Result<(), TreeError> {
        let mut made = Vec::new();
        for (path, file) in originals.files() {
            let now = self.state(path)?;
            if now != file.state {
                made.push((self.places.of_delta(path), path.clone(), now));
            }
        }
        let dir = plan_dir.join(WRITTEN);
        ChangePlan::of_made(&dir, originals, made)?.store(owner).map(drop)
    }

    /// Undoes the landing whose plan is in `plan_dir`, at any point at which it was cut off, and what a verify command
    /// changed after it. Returns the paths that are neither as before nor as they landed: another process
    /// changed them since, and they are left alone. Can be repeated.
    ///
    /// # Errors
    /// When the file system refuses, or the plan can't be read.
    pub fn undo_landing(&self, plan_dir: &Path) -> Result<Vec<String>, TreeError> {
        let mut left = BTreeSet::new();
        for dir in [plan_dir.join(WRITTEN), plan_dir.to_path_buf()] {
            if let Some(plan) = ChangePlan::load(&dir)? {
                left.extend(plan.undo(&|label| self.at(label))?);
            }
        }
        Ok(left.iter().map(|label| self.shown(label)).collect())
    }
}

/// Whose landing the plan in `plan_dir` is of; `None` where there is none.
///
/// # Errors
/// When the plan cannot be read.
pub fn landing_owner(plan_dir: &Path) -> Result<Option<String>, TreeError> {
    Ok(ChangePlan::load(plan_dir)?.map(|plan| plan.owner))
}

/// Removes a plan that is no longer needed, its name first, and the one for what a verify command changed before it.
///
/// # Errors
/// When the file system refuses.
pub fn forget_landing(plan_dir: &Path) -> Result<(), TreeError> {
    if plan_dir.is_dir() {
        plan::forget(&plan_dir.join(WRITTEN))?;
        plan::forget(plan_dir)?;
        std::fs::remove_dir_all(plan_dir).map_err(TreeError::io("remove", plan_dir))?;
    }
    Ok(())
}

/// Fills a file with what is to land, or with what is there in between.
fn write(
    landing: &Landing,
    work: &SavedFiles,
    path: &DeltaPath,
    (file, between): (&mut File, Option<&[u8]>),
) -> io::Result<()> {
    let missing = || io::Error::from(io::ErrorKind::NotFound);
    let saved = work.files().get(path).ok_or_else(missing)?;
    let coming = landing.coming.get(path).ok_or_else(missing)?;
    let permissions = coming.after.permissions().unwrap_or(0o644);
    match (between, &coming.merged) {
        (Some(bytes), _) => file.write_all(bytes)?,
        (None, Some(merged)) => file.write_all(&merged.bytes)?,
        (None, None) => {
            let copy = saved.copy.as_ref().ok_or_else(missing)?;
            work.copy_to(copy, file)?;
        }
    }
    let rights: Rights<'_> = saved.rights(permissions);
    rights.give(file)
}
