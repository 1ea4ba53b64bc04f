//! What a comparison found, written down before it is put back, and then each path that is back.
//!
//! After a kill, the process that finishes undoes this and nothing else: what came to differ since, and what
//! differs again after it was back, is another program's work.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Write as _};
use std::path::PathBuf;

use ftl_store::OsFiles;
use serde::{Deserialize, Serialize};

use crate::compare::Changes;
use crate::git::state::GitSeen;
use crate::snapshot::Snapshot;
use crate::snapshot::manifest::PLAN;
use crate::{RelPath, Tree, TreeError};

/// What is to be put back.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Plan {
    /// Paths outside the delta; `None` where more differed than a comparison lists.
    paths: Option<BTreeSet<RelPath>>,
    pub(crate) git: Option<GitSeen>,
    /// Since when the system runs. Lines outlast a kill, but after a power cut a line may be there and the file that
    /// it names not.
    boot: Option<String>,
    /// What is back: in the file, one line each, after that of the plan.
    #[serde(skip)]
    back: BTreeSet<RelPath>,
}

impl Plan {
    /// Whether a path differed, or one above it.
    pub(crate) fn holds(&self, path: &RelPath) -> bool {
        let paths = self.paths.as_ref();
        paths.is_none_or(|paths| paths.contains(path) || path.is_below_any(paths))
    }

    /// Whether a path was put back already.
    pub(crate) fn is_back(&self, path: &RelPath) -> bool {
        self.back.contains(path)
    }
}

/// The names of paths that are back, behind a plan.
#[derive(Debug)]
pub(crate) struct PlanLog(Option<File>);

impl PlanLog {
    /// `None` where nothing was planned.
    pub(crate) fn of(before: &Snapshot) -> Self {
        Self(File::options().append(true).open(path_of(before)).ok())
    }

    /// Without this line a later process puts the path back once more, so an error is none of the tree's.
    pub(crate) fn add(&mut self, path: &RelPath) {
        if let Some(file) = &mut self.0
            && let Ok(mut line) = serde_json::to_vec(path)
        {
            line.insert(0, b'\n');
            let _ = file.write_all(&line);
        }
    }
}

impl Tree {
    /// Writes down what is about to be put back, for [`quarantine`](Self::quarantine) and [`finish`](Self::finish).
    ///
    /// # Errors
    /// When the file system refuses.
    pub fn plan_put_back(&self, before: &Snapshot, changes: &Changes) -> Result<(), TreeError> {
        let strays = changes.strays.iter().map(|stray| &stray.path);
        let paths = strays.chain(&changes.allowed).cloned();
        let plan = Plan {
            paths: (changes.more_strays == 0).then(|| paths.collect()),
            git: before
                .git_state()
                .and_then(|state| state.seen(self.places.git.as_ref(), &changes.git)),
            boot: boot(),
            back: BTreeSet::new(),
        };
        let path = path_of(before);
        let bytes = serde_json::to_vec(&plan)
            .map_err(io::Error::from)
            .map_err(TreeError::io("write", &path))?;
        Ok(ftl_store::replace_private(&OsFiles, &path, &bytes)?)
    }
}

/// What was written down; `None` where nothing was.
pub(crate) fn read(before: &Snapshot) -> Result<Option<Plan>, TreeError> {
    let path = path_of(before);
    let bytes = match std::fs::read(&path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(TreeError::io("read", path)(error)),
    };
    let mut lines = bytes.split(|byte| *byte == b'\n');
    let plan = lines.next().unwrap_or_default();
    let mut plan: Plan = serde_json::from_slice(plan).map_err(|error| TreeError::Damaged {
        dir: before.dir().to_path_buf(),
        reason: error.to_string(),
    })?;
    if plan.boot.is_some() && plan.boot == boot() {
        // The last line may be cut off.
        plan.back = lines.map_while(|line| serde_json::from_slice(line).ok()).collect();
    }
    Ok(Some(plan))
}

fn boot() -> Option<String> {
    ftl_process::boot_id().ok().map(str::to_owned)
}

fn path_of(before: &Snapshot) -> PathBuf {
    before.dir().join(PLAN)
}
