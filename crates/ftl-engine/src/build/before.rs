//! The tree before IMPLEMENT: a capture, or the base revision when the implementer is the tree.

use std::collections::BTreeMap;

use ftl_model::DeltaPath;

use super::Fault;
use crate::machine::event::{Change, Standing, Touched};
use crate::scope::{Base, Capture, Scope};

/// What touched files, new occurrences and lost exports are reckoned against.
#[derive(Debug)]
pub(super) enum Before {
    /// The tree as it was captured.
    Captured(Box<Capture>),
    /// A revision of git.
    Revision(Box<Base>),
    /// Nothing is known of what was there: the tree stands alone.
    Unknown,
}

impl Before {
    /// The delta files that differ from before, and all of the delta's digests.
    pub(super) fn compare(&self, scope: &Scope) -> Result<Standing, Fault> {
        let changes: BTreeMap<DeltaPath, Option<Change>> = match self {
            Self::Captured(capture) => {
                let changes = scope.compare(capture)?.delta;
                changes
                    .into_iter()
                    .map(|(path, at)| (path, at.change))
                    .collect()
            }
            Self::Revision(base) => {
                let changes = scope.changes_from(base)?;
                changes
                    .into_iter()
                    .map(|(path, at)| (path, at.change))
                    .collect()
            }
            Self::Unknown => {
                let there = |exists: bool| exists.then_some(Change::Modified);
                let delta = scope.delta()?;
                delta
                    .into_iter()
                    .map(|(path, at)| (path, there(at.kind.is_some())))
                    .collect()
            }
        };
        let bytes = scope
            .delta()?
            .into_iter()
            .map(|(path, now)| (path, now.digest))
            .collect();
        let touched = changes
            .into_iter()
            .filter_map(|(path, change)| change.map(|change| Touched { path, change }))
            .collect();
        Ok(Standing { touched, bytes })
    }

    /// The bytes of a delta file as they were; `None` where it was not there, or nothing is known.
    pub(super) fn read(&self, path: &DeltaPath) -> Result<Option<Vec<u8>>, Fault> {
        match self {
            Self::Captured(capture) => Ok(capture.read(path)?),
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
