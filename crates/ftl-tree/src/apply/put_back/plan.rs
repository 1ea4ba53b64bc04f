//! What a comparison found, written down before it is put back.
//!
//! After a kill, the process that finishes undoes this and nothing else: what came to differ since is
//! another program's work.

use std::collections::BTreeSet;
use std::io;
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
}

impl Plan {
    /// Whether a path differed, or one above it.
    pub(crate) fn holds(&self, path: &RelPath) -> bool {
        let paths = self.paths.as_ref();
        paths.is_none_or(|paths| paths.contains(path) || path.is_below_any(paths))
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
        };
        let path = path_of(before);
        let bytes = serde_json::to_vec(&plan)
            .map_err(io::Error::from)
            .map_err(TreeError::io("write", &path))?;
        ftl_store::replace(&OsFiles, &path, &bytes)?;
        crate::snapshot::manifest::set_private(&path, 0o600)
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
    let plan = serde_json::from_slice(&bytes).map_err(|error| TreeError::Damaged {
        dir: before.dir().to_path_buf(),
        reason: error.to_string(),
    })?;
    Ok(Some(plan))
}

fn path_of(before: &Snapshot) -> PathBuf {
    before.dir().join(PLAN)
}
