//! What is at a path, in a form that two places can be compared by: the tree, and an upper layer.

use std::fs::File;
use std::io;

use ftl_model::Digest;
use rustix::fs::FileType;
use serde::{Deserialize, Serialize};

use super::upper::{self, Held, UpperEntry, Uppers};
use crate::digest::digest_of;
use crate::openat::{Beneath, is_gone};
use crate::stamp::EntryType;
use crate::{FileState, RelPath, Tree, TreeError};

/// What is at a path: equal states look the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum State {
    Nothing,
    File {
        sha256: Digest,
        permissions: u32,
    },
    Dir {
        permissions: u32,
    },
    Link {
        target: RelPath,
    },
    Pipe,
    /// A socket or device.
    Special,
}

/// How a file is opened to read it.
type Open = fn(&Beneath, &RelPath) -> io::Result<File>;

impl State {
    pub(crate) fn of(place: &Beneath, path: &RelPath) -> io::Result<Self> {
        Self::look(place, path, Beneath::file)
    }

    /// Of something that is ours to read, whatever its mode says.
    pub(crate) fn of_owned(place: &Beneath, path: &RelPath) -> io::Result<Self> {
        Self::look(place, path, Beneath::owned_file)
    }

    fn look(place: &Beneath, path: &RelPath, open: Open) -> io::Result<Self> {
        match Self::found(place, path, open) {
            Err(error) if is_gone(&error) => Ok(Self::Nothing),
            state => state,
        }
    }

    fn found(place: &Beneath, path: &RelPath, open: Open) -> io::Result<Self> {
        let Some(stamp) = place.stamp(path)? else {
            return Ok(Self::Nothing);
        };
        let permissions = stamp.permissions();
        Ok(match stamp.kind() {
            EntryType::Dir => Self::Dir { permissions },
            EntryType::Link => Self::Link { target: RelPath::new(place.link_target(path)?) },
            EntryType::File => {
                Self::File { sha256: digest_of(&mut open(place, path)?)?, permissions }
            }
            EntryType::Special if is_pipe(stamp.mode) => Self::Pipe,
            EntryType::Special => Self::Special,
        })
    }

    pub(crate) fn is_dir(&self) -> bool {
        matches!(self, Self::Dir { .. })
    }

    /// As the state of a delta file.
    pub(crate) fn as_delta(&self) -> FileState {
        let odd = |kind| FileState { kind: Some(kind), ..FileState::default() };
        match self {
            Self::Nothing => FileState::default(),
            Self::File { sha256, permissions } => FileState {
                kind: Some(EntryType::File),
                digest: Some(*sha256),
                permissions: Some(*permissions),
            },
            Self::Dir { .. } => odd(EntryType::Dir),
            Self::Link { .. } => odd(EntryType::Link),
            Self::Pipe | Self::Special => odd(EntryType::Special),
        }
    }
}

fn is_pipe(mode: u32) -> bool {
    FileType::from_raw_mode(mode as _) == FileType::Fifo
}

impl Uppers {
    /// What an implementer made of a path that it wrote.
    pub(crate) fn state(&self, label: &RelPath, entry: &UpperEntry) -> Result<State, TreeError> {
        match entry.held {
            Held::Whiteout => return Ok(State::Nothing),
            Held::Dir { .. } => {
                let permissions = entry.permissions;
                return Ok(State::Dir { permissions });
            }
            Held::File | Held::Link | Held::Special => {}
        }
        let (place, path) = self.locate(label);
        let state = State::of_owned(place, &path);
        let mut state = state.map_err(TreeError::io("read", place.full(&path)))?;
        if let State::File { permissions, .. } = &mut state {
            *permissions = entry.permissions;
        }
        Ok(state)
    }
}

impl Tree {
    /// What is at a path of the tree now.
    pub(crate) fn state_at(&self, label: &RelPath) -> Result<State, TreeError> {
        let (place, path) = self.places.locate(label);
        State::of(place, &path).map_err(TreeError::io("look at", place.full(&path)))
    }

    /// What kind of thing is at a path of the tree now, without reading it.
    pub(crate) fn kind_at(&self, label: &RelPath) -> Result<Option<EntryType>, TreeError> {
        let (place, path) = self.places.locate(label);
        match place.stamp(&path) {
            Err(error) if is_gone(&error) => Ok(None),
            found => {
                let found = found.map_err(TreeError::io("look at", place.full(&path)))?;
                Ok(found.map(|stamp| stamp.kind()))
            }
        }
    }

    /// All paths below a directory of the tree, without scratch.
    pub(crate) fn below(&self, dir: &RelPath) -> Result<Vec<RelPath>, TreeError> {
        let (mut open, mut found) = (vec![dir.clone()], Vec::new());
        while let Some(dir) = open.pop() {
            let (place, inner) = self.places.locate(&dir);
            for (name, entry) in upper::list(place, &inner)? {
                let path = dir.join(&name);
                let is_dir = matches!(entry.held, Held::Dir { .. });
                if self.is_scratch_by_name(&path, is_dir) {
                    continue;
                }
                if is_dir {
                    open.push(path.clone());
                }
                found.push(path);
            }
        }
        Ok(found)
    }
}
