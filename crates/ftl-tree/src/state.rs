//! What is at a path, in a form that two places can be compared by: the tree, a workplace, saved files.

use std::fs::File;
use std::io;

use ftl_model::{Change, Digest};
use serde::{Deserialize, Serialize};

use crate::digest::digest_of;
use crate::openat::At;
use crate::stamp::{EntryType, Stamp};
use crate::{RelPath, Tree, TreeError};

/// What is at a path: things whose states are equal can take each other's place.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Stored", into = "Stored")]
pub enum PathState {
    /// Nothing, or something above it is no directory.
    #[default]
    Nothing,
    /// A regular file.
    File {
        /// The digest of its bytes.
        sha256: Digest,
        /// The permission bits.
        permissions: u32,
    },
    /// A directory. What is in it has separate states.
    Dir {
        /// The permission bits.
        permissions: u32,
    },
    /// A symbolic link.
    Link {
        /// Where it leads.
        target: RelPath,
    },
    /// A named pipe.
    Pipe {
        /// The permission bits.
        permissions: u32,
    },
    /// A socket or device, or a path that leads through a link or a file where that matters.
    Special,
}

impl PathState {
    /// What kind of thing it is; `None` of nothing.
    #[must_use]
    pub fn kind(&self) -> Option<EntryType> {
        Some(match self {
            Self::Nothing => return None,
            Self::File { .. } => EntryType::File,
            Self::Dir { .. } => EntryType::Dir,
            Self::Link { .. } => EntryType::Link,
            Self::Pipe { .. } | Self::Special => EntryType::Special,
        })
    }

    /// Whether something is there that is no regular file.
    #[must_use]
    pub fn is_odd(&self) -> bool {
        !matches!(self, Self::Nothing | Self::File { .. })
    }

    /// Whether nothing is there.
    #[must_use]
    pub fn is_nothing(&self) -> bool {
        *self == Self::Nothing
    }

    pub(crate) fn is_dir(&self) -> bool {
        matches!(self, Self::Dir { .. })
    }

    /// The digest of a file.
    #[must_use]
    pub fn digest(&self) -> Option<Digest> {
        match self {
            Self::File { sha256, .. } => Some(*sha256),
            _ => None,
        }
    }

    pub(crate) fn permissions(&self) -> Option<u32> {
        match self {
            Self::File { permissions, .. }
            | Self::Dir { permissions }
            | Self::Pipe { permissions } => Some(*permissions),
            Self::Nothing | Self::Link { .. } | Self::Special => None,
        }
    }

    /// How this differs from what was there before, if it does.
    pub(crate) fn change_from(&self, before: &Self) -> Option<Change> {
        match (before, self) {
            (before, now) if before == now => None,
            (Self::Nothing, _) => Some(Change::Created),
            (_, Self::Nothing) => Some(Change::Deleted),
            _ => Some(Change::Modified),
        }
    }

    /// How a delta file differs from what was there before. Of what is no regular file only the kind counts: none of
    /// it is read or written.
    pub(crate) fn delta_change_from(&self, before: &Self) -> Option<Change> {
        let is_same = self.is_odd() && self.kind() == before.kind();
        self.change_from(before).filter(|_| !is_same)
    }

    /// Of what is at a path.
    pub(crate) fn of(at: &At<'_>) -> io::Result<Self> {
        Self::read(at, |at| at.file())
    }

    /// Of something that is ours to read, whatever its mode says.
    pub(crate) fn of_owned(at: &At<'_>) -> io::Result<Self> {
        Self::read(at, |at| at.owned_file())
    }

    fn read(at: &At<'_>, open: fn(&At<'_>) -> io::Result<File>) -> io::Result<Self> {
        let Some(stamp) = at.stamp()? else {
            return Ok(Self::Nothing);
        };
        let content = Self::with_content(at, &stamp, open);
        match content {
            Err(error) if crate::openat::is_gone(&error) => Ok(Self::Nothing),
            state => state,
        }
    }

    fn with_content(
        at: &At<'_>,
        stamp: &Stamp,
        open: fn(&At<'_>) -> io::Result<File>,
    ) -> io::Result<Self> {
        let permissions = stamp.permissions();
        Ok(match stamp.kind() {
            EntryType::Dir => Self::Dir { permissions },
            EntryType::Link => Self::Link { target: RelPath::new(at.link_target()?) },
            EntryType::File => Self::File { sha256: digest_of(&mut open(at)?)?, permissions },
            EntryType::Special if stamp.is_pipe() => Self::Pipe { permissions },
            EntryType::Special => Self::Special,
        })
    }
}

/// A state as it is stored. Only of a pipe, among what is special, permissions are known.
#[derive(Serialize, Deserialize)]
struct Stored {
    kind: Option<EntryType>,
    digest: Option<Digest>,
    permissions: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    target: Option<RelPath>,
}

impl From<PathState> for Stored {
    fn from(state: PathState) -> Self {
        let (kind, digest, permissions) = (state.kind(), state.digest(), state.permissions());
        let target = match state {
            PathState::Link { target } => Some(target),
            _ => None,
        };
        Self { kind, digest, permissions, target }
    }
}

impl From<Stored> for PathState {
    fn from(Stored { kind, digest, permissions, target }: Stored) -> Self {
        match (kind, digest, permissions) {
            (None, _, _) => Self::Nothing,
            (Some(EntryType::File), Some(sha256), Some(permissions)) => {
                Self::File { sha256, permissions }
            }
            (Some(EntryType::Dir), _, permissions) => {
                Self::Dir { permissions: permissions.unwrap_or_default() }
            }
            (Some(EntryType::Link), _, _) => Self::Link { target: target.unwrap_or_default() },
            (Some(EntryType::Special), _, Some(permissions)) => Self::Pipe { permissions },
            (Some(EntryType::File | EntryType::Special), _, _) => Self::Special,
        }
    }
}

impl Tree {
    /// What is at a path of the tree now.
    pub(crate) fn state_at(&self, label: &RelPath) -> Result<PathState, TreeError> {
        let at = self.at(label);
        PathState::of(&at).map_err(at.failed("look at"))
    }

    /// What kind of thing is at a path of the tree now, without reading it.
    pub(crate) fn kind_at(&self, label: &RelPath) -> Result<Option<EntryType>, TreeError> {
        Ok(self.at(label).found()?.map(|stamp| stamp.kind()))
    }
}

/// Permission bits with or without the execute bits: with the right to read comes that to execute.
pub(crate) const fn adapted(permissions: u32, executable: bool) -> u32 {
    let was = permissions & 0o100 != 0;
    match (was, executable) {
        (false, true) => permissions | (permissions & 0o444) >> 2,
        (true, false) => permissions & !0o111,
        (true, true) | (false, false) => permissions,
    }
}
