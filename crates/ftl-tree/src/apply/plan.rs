//! What is about to be changed, on the disk before it is: for each path what is there, with its bytes, and what will
//! be. It is enough to undo the changes after a kill at any point.

use std::collections::BTreeSet;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use ftl_model::DeltaPath;
use ftl_store::{Files, OsFiles};
use serde::{Deserialize, Serialize};

use super::{Apply, Change, Former, Places, replacing, state};
use crate::openat::{At, Attributes, Rights, is_gone};
use crate::saved::SavedFiles;
use crate::saved::manifest;
use crate::saved::pack::{Pack, PackWriter};
use crate::{PathState, RelPath, TreeError};

const PLAN: &str = "plan.json";
const PACK: &str = "copies";
const VERSION: u32 = 3;

/// Whether this is what is expected at a path.
pub(super) type IsExpected<'e> = dyn Fn(&RelPath, &PathState) -> Result<bool, TreeError> + 'e;

#[derive(Debug, Serialize, Deserialize)]
struct StoredPlan {
    version: u32,
    /// Whose changes these are, in the caller's words.
    owner: String,
    changes: Vec<Change>,
}

/// Changes, with what it takes to undo them.
#[derive(Debug)]
pub(crate) struct ChangePlan {
    dir: PathBuf,
    pub(crate) owner: String,
    pub(crate) changes: Vec<Change>,
    pack: Pack,
}

impl Former {
    fn copy(at: &At<'_>, pack: &mut PackWriter) -> io::Result<Self> {
        let mut file = at.file()?;
        let attributes = Attributes::of(&file)?;
        Ok(Self { copied: pack.add(&mut file)?, attributes })
    }
}

impl ChangePlan {
    /// Copies what is there into `dir`, in place of an older plan. Paths at which something unexpected is are left
    /// alone, and returned.
    pub(super) fn prepare(
        to: &Places<'_>,
        dir: &Path,
        wanted: Vec<(RelPath, PathState)>,
        is_expected: &IsExpected<'_>,
    ) -> Result<(Self, BTreeSet<RelPath>), TreeError> {
        ftl_store::ensure_dir(&OsFiles, dir)?;
        forget(dir)?;
        let mut pack = PackWriter::create(&dir.join(PACK))?;
        let (mut changes, mut left) = (Vec::new(), BTreeSet::new());
        for (path, after) in wanted {
            let at = to(&path);
            let before = state(&at)?;
            if !is_expected(&path, &before)? {
                left.insert(path);
                continue;
            }
            let mut change = Change::new(path, before, after);
            if let PathState::File { .. } = change.before {
                let former = Former::copy(&at, &mut pack);
                change.former = Some(former.map_err(at.failed("copy"))?);
            }
            changes.push(change);
        }
        let (dir, owner) = (dir.to_path_buf(), String::new());
        Ok((Self { dir, owner, changes, pack: pack.close()? }, left))
    }

    /// The plan of changes that another process made already: what each path was is in `originals`.
    pub(super) fn of_made(
        dir: &Path,
        originals: &SavedFiles,
        made: Vec<(RelPath, DeltaPath, PathState)>,
    ) -> Result<Self, TreeError> {
        ftl_store::ensure_dir(&OsFiles, dir)?;
        forget(dir)?;
        let mut pack = PackWriter::create(&dir.join(PACK))?;
        let mut changes = Vec::new();
        for (label, path, now) in made {
            let Some(original) = originals.files().get(&path) else {
                continue;
            };
            let mut change = Change::new(label, original.state.clone(), now);
            if let Some(copy) = &original.copy {
                let added = originals.open(copy).and_then(|mut bytes| pack.add(&mut bytes));
                let copied = added.map_err(TreeError::io("copy", path.as_path()))?;
                change.former = Some(Former { copied, attributes: original.attributes().clone() });
            }
            changes.push(change);
        }
        let (dir, owner) = (dir.to_path_buf(), String::new());
        Ok(Self { dir, owner, changes, pack: pack.close()? })
    }

    /// Makes these changes in two steps, with such states in between.
    pub(super) fn set_between(&mut self, between: &dyn Fn(&Change) -> Option<PathState>) {
        for change in &mut self.changes {
            change.between = between(change);
        }
    }

    /// Makes the plan durable.
    pub(super) fn store(self, owner: &str) -> Result<Self, TreeError> {
        self.pack.sync()?;
        let owner = owner.to_owned();
        let plan = StoredPlan { version: VERSION, owner, changes: self.changes };
        let bytes = serde_json::to_vec(&plan).map_err(|error| damaged(&self.dir, &error))?;
        manifest::write_few(&self.dir.join(PLAN), bytes, &self.pack)?;
        Ok(Self { owner: plan.owner, changes: plan.changes, ..self })
    }

    /// The plan that an earlier process stored; `None` when it had not finished that.
    pub(crate) fn load(dir: &Path) -> Result<Option<Self>, TreeError> {
        let path = dir.join(PLAN);
        let bytes = match std::fs::read(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            bytes => bytes.map_err(TreeError::io("read", path))?,
        };
        let (bytes, few) = manifest::parts(&bytes);
        let plan: StoredPlan =
            serde_json::from_slice(bytes).map_err(|error| damaged(dir, &error))?;
        if plan.version != VERSION {
            return Err(damaged(dir, &"it is of another version of ftl"));
        }
        let pack = Pack::found(dir.join(PACK), few.map(<[u8]>::to_vec));
        let StoredPlan { owner, changes, .. } = plan;
        Ok(Some(Self { dir: dir.to_path_buf(), owner, changes, pack }))
    }

    /// Undoes what was made of the plan, at whatever point that was cut off. A path that is neither as before nor as
    /// planned was changed since: it is left alone, and returned. Can be repeated.
    pub(super) fn undo(&self, to: &Places<'_>) -> Result<BTreeSet<RelPath>, TreeError> {
        let (mut left, mut undone) = (BTreeSet::new(), Vec::new());
        for change in &self.changes {
            let at = to(&change.path);
            let is_clear = replacing::clear_beside(change, &at).map_err(at.failed("remove"))?;
            let now = state(&at)?;
            if now == change.before && is_clear {
                continue;
            }
            if !change.made(&now) || !is_clear {
                left.insert(change.path.clone());
                continue;
            }
            // Another process may have removed the directory since the last file in it went.
            match at.make_parents() {
                Err(error) if !is_gone(&error) => {
                    return Err(at.failed("make the directory of")(error));
                }
                _ => {}
            }
            undone.push(Change { before: now, after: change.before.clone(), ..change.clone() });
        }
        let fill = |change: &Change, file: &mut File| self.fill(change, file);
        left.extend(Apply { to, fill: &fill, durable: true }.run(&undone)?);
        Ok(left)
    }

    fn fill(&self, change: &Change, file: &mut File) -> io::Result<()> {
        let (Some(former), Some(permissions)) = (&change.former, change.after.permissions()) else {
            return Err(io::ErrorKind::NotFound.into());
        };
        self.pack.copy_to(&former.copied, file)?;
        Rights { permissions, ids: None, attributes: &former.attributes }.give(file)
    }
}

/// The plan goes before its copies do: it must never name what is not there.
pub(super) fn forget(dir: &Path) -> Result<(), TreeError> {
    let plan = dir.join(PLAN);
    if OsFiles.metadata(&plan)?.is_some() {
        OsFiles.remove(&plan)?;
        OsFiles.sync_dir(dir)?;
    }
    Ok(())
}

fn damaged(dir: &Path, reason: &dyn std::fmt::Display) -> TreeError {
    TreeError::Damaged { dir: dir.to_path_buf(), reason: reason.to_string() }
}
