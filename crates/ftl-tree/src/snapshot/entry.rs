//! What a snapshot holds of a path: how it was, and where its bytes are.

use serde::{Deserialize, Serialize};

use crate::openat::{Attributes, Rights};
use crate::snapshot::pack::Copied;
use crate::stamp::{Ids, Stamp};
use crate::{PathState, RelPath};

/// A delta file as it was.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Original {
    pub(crate) state: PathState,
    pub(crate) copy: Option<Copied>,
    pub(crate) ids: Ids,
    #[serde(default, skip_serializing_if = "Attributes::is_empty")]
    pub(crate) attributes: Attributes,
}

/// A path outside the delta as it was.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct SnapshotEntry {
    pub(crate) stamp: Stamp,
    pub(crate) origin: Origin,
    #[serde(default, skip_serializing_if = "Attributes::is_empty")]
    pub(crate) attributes: Attributes,
}

impl SnapshotEntry {
    /// What the file gets when it is made again.
    pub(crate) fn rights(&self) -> Rights<'_> {
        Rights {
            permissions: self.stamp.permissions(),
            ids: Some(self.stamp.ids),
            attributes: &self.attributes,
        }
    }
}

/// Where its content comes from when it is put back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Origin {
    /// A directory needs only its mode.
    Dir,
    /// A link needs only its target.
    Link(RelPath),
    /// An object of git.
    Object(String),
    /// A copy of our own.
    Copy(Copied),
    /// Nowhere: a file that is too large or unreadable, or a device, pipe or socket. Its changes are
    /// found, and lost when it is put back.
    Watched,
}
