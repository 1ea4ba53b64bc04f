//! What a take-over is about to do, durably, before it does anything: for each path what is there, with
//! its bytes, and what will be. After a kill in the middle, there is enough to undo it.

use std::io::Read;
use std::path::{Path, PathBuf};

use ftl_store::{Files, OsFiles};
use serde::{Deserialize, Serialize};

use crate::overlay::lower::State;
use crate::snapshot::pack::{Copied, Pack, PackWriter};
use crate::{RelPath, Tree, TreeError};

const PLAN: &str = "plan.json";
const PACK: &str = "copies";
const VERSION: u32 = 1;

/// One path that is to become another thing.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct PlannedChange {
    pub(crate) path: RelPath,
    pub(crate) before: State,
    /// The bytes of a file that was there.
    pub(crate) copy: Option<Copied>,
    pub(crate) after: State,
}

impl PlannedChange {
    /// Whether what is there must go first, since it can't be replaced in one step.
    pub(crate) fn removes(&self) -> bool {
        let replaced = match (&self.before, &self.after) {
            (State::Nothing, _) => false,
            (_, State::Nothing) => true,
            (before, after) => before.is_dir() != after.is_dir() || *after == State::Pipe,
        };
        replaced && self.before != self.after
    }
}

/// Whether this is what is expected at a path.
pub(crate) type IsExpected<'e> = dyn Fn(&RelPath, &State) -> Result<bool, TreeError> + 'e;

#[derive(Debug, Serialize, Deserialize)]
struct Plan {
    version: u32,
    steps: Vec<PlannedChange>,
}

/// A plan that is on the disk.
#[derive(Debug)]
pub(crate) struct Journal {
    dir: PathBuf,
    pub(crate) steps: Vec<PlannedChange>,
}

impl Journal {
    /// Writes the plan in `dir`, in place of an older one. Paths at which something unexpected is are left
    /// alone, and returned.
    pub(crate) fn write(
        tree: &Tree,
        dir: &Path,
        changes: Vec<(RelPath, State)>,
        is_expected: &IsExpected<'_>,
    ) -> Result<(Self, Vec<RelPath>), TreeError> {
        ftl_store::ensure_dir(&OsFiles, dir)?;
        forget(dir)?;
        let mut pack = PackWriter::create(&dir.join(PACK))?;
        let (mut steps, mut left) = (Vec::new(), Vec::new());
        for (path, after) in changes {
            let before = tree.state_at(&path)?;
            if !is_expected(&path, &before)? {
                left.push(path);
                continue;
            }
            let copy = match before {
                State::File { .. } => {
                    let (place, inner) = tree.places.locate(&path);
                    let copied = place.file(&inner).and_then(|mut file| pack.add(&mut file));
                    Some(copied.map_err(TreeError::io("copy", place.full(&inner)))?)
                }
                _ => None,
            };
            steps.push(PlannedChange { path, before, copy, after });
        }
        pack.finish()?;
        let plan = Plan { version: VERSION, steps };
        let bytes = serde_json::to_vec(&plan).map_err(|error| damaged(dir, &error))?;
        ftl_store::replace(&OsFiles, &dir.join(PLAN), &bytes)?;
        Ok((Self { dir: dir.to_path_buf(), steps: plan.steps }, left))
    }

    /// The plan that an earlier process wrote; `None` when it had not finished that.
    pub(crate) fn load(dir: &Path) -> Result<Option<Self>, TreeError> {
        let path = dir.join(PLAN);
        let bytes = match std::fs::read(&path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            bytes => bytes.map_err(TreeError::io("read", path))?,
        };
        let plan: Plan = serde_json::from_slice(&bytes).map_err(|error| damaged(dir, &error))?;
        if plan.version != VERSION {
            return Err(damaged(dir, &"it is of another version of ftl"));
        }
        Ok(Some(Self { dir: dir.to_path_buf(), steps: plan.steps }))
    }

    /// The bytes of a file before.
    pub(crate) fn bytes(&self, copy: &Copied) -> Result<Vec<u8>, TreeError> {
        let path = self.dir.join(PACK);
        let mut bytes = Vec::new();
        Pack::at(path.clone())
            .open(copy)
            .and_then(|mut content| content.read_to_end(&mut bytes))
            .map_err(TreeError::io("read", &path))?;
        if ftl_model::Digest::of(&bytes) == copy.sha256 {
            return Ok(bytes);
        }
        Err(damaged(&self.dir, &"a copy differs from what was stored"))
    }
}

/// The plan goes before its copies do: it must never name what is not there.
fn forget(dir: &Path) -> Result<(), TreeError> {
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
