//! The tree before IMPLEMENT: a snapshot, or the base revision when the implementer is the tree.
//!
//! It is what a change is measured by, not what is put back: that is a request's own snapshot.

use std::collections::BTreeMap;

use ftl_model::{Change, DeltaPath, DeltaState, Touched};

use ftl_tree::{Base, DeltaChange, FileState, Snapshot, Tree};

use super::Fault;

/// What touched files, new occurrences and lost exports are reckoned against.
#[derive(Debug)]
pub(super) enum Before {
    /// The tree as it was captured.
    Captured(Box<Snapshot>),
    /// A revision of git.
    Revision(Box<Base>),
    /// Nothing is known of what was there: the tree stands alone.
    Unknown,
}

impl Before {
    /// The delta files that differ from before, and all of the delta's digests.
    pub(super) fn compare(&self, tree: &Tree) -> Result<DeltaState, Fault> {
        let delta = match self {
            Self::Captured(snapshot) => tree.delta_since(snapshot)?,
            Self::Revision(base) => tree.changes_from(base)?,
            Self::Unknown => alone(tree.delta()?),
        };
        let mut state = DeltaState::default();
        for (path, DeltaChange { now, change }) in delta {
            if let Some(change) = change {
                let path = path.clone();
                state.touched.push(Touched { path, change });
            }
            state.bytes.insert(path, now.digest);
        }
        Ok(state)
    }

    /// What the tree as it stands is compared with: the base revision, where there is git.
    pub(super) fn of_tree(tree: &Tree, base: Option<&str>) -> Result<Self, Fault> {
        if tree.has_git() {
            Ok(Self::Revision(Box::new(tree.base(base)?)))
        } else {
            Ok(Self::Unknown)
        }
    }

    /// The bytes of a delta file as they were; `None` where it was not there, or nothing is known.
    pub(super) fn read(&self, path: &DeltaPath) -> Result<Option<Vec<u8>>, Fault> {
        match self {
            Self::Captured(snapshot) => Ok(snapshot.read(path)?),
            Self::Revision(base) => Ok(base.files.get(path).map(|file| file.bytes.clone())),
            Self::Unknown => Ok(None),
        }
    }

    /// Whether anything is known of what was there.
    pub(super) const fn is_known(&self) -> bool {
        match self {
            Self::Captured(_) | Self::Revision(_) => true,
            Self::Unknown => false,
        }
    }
}

/// With nothing to compare with, every file that is there counts as touched.
fn alone(delta: BTreeMap<DeltaPath, FileState>) -> BTreeMap<DeltaPath, DeltaChange> {
    let of = |now: FileState| DeltaChange {
        change: now.kind.is_some().then_some(Change::Modified),
        now,
    };
    delta
        .into_iter()
        .map(|(path, now)| (path, of(now)))
        .collect()
}
