//! What differs, and whether it counts: delta files from saved ones, a workplace from its base, the tree from a commit
//! or from what it was before a command.
//!
//! Which differences count is in `classify`.

pub(crate) mod base;
pub(crate) mod classify;
pub(crate) mod delta;
pub(crate) mod moment;
pub(crate) mod watch;

use std::collections::BTreeMap;
use std::io::{self, Read};

use ftl_model::{Change, DeltaPath};

use crate::{PathState, RelPath, SavedFiles, Tree, TreeError};

/// What an implementer did in a workplace.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Changes {
    /// Every delta file.
    pub delta: BTreeMap<DeltaPath, DeltaChange>,
    /// The files that changed outside the delta and may, by path.
    pub allowed: Vec<DeltaPath>,
    /// What else changed, by path. Of a new directory with very much in it, a part.
    pub strays: Vec<Stray>,
    /// At least so many new paths outside the delta are not listed.
    pub more_strays: u64,
    /// What was written into dependencies: the topmost new paths, else the directory.
    pub dependencies: Vec<String>,
    /// Whether references of git were moved.
    pub has_moved_references: bool,
}

impl Changes {
    /// Whether any delta file changed.
    #[must_use]
    pub fn touch_delta(&self) -> bool {
        self.delta.values().any(|file| file.change.is_some())
    }

    /// Whether nothing changed but what is private to the workplace.
    #[must_use]
    pub fn are_none(&self) -> bool {
        let others = self.strays.len() + self.allowed.len();
        !self.touch_delta() && others == 0 && self.more_strays == 0 && !self.has_moved_references
    }

    /// The files of the work: of the delta those that changed, and the allowed ones.
    pub fn work(&self) -> impl Iterator<Item = &DeltaPath> {
        let touched = self.delta.iter().filter(|(_, file)| file.change.is_some());
        touched.map(|(path, _)| path).chain(&self.allowed)
    }
}

/// A delta file, and how it differs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeltaChange {
    /// The file as it is now.
    pub now: PathState,
    /// How it differs from before, if it does.
    pub change: Option<Change>,
}

/// A change outside the delta.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stray {
    /// The path that changed.
    pub path: RelPath,
    /// How it differs. A path that is another kind of thing now is modified.
    pub change: Change,
}

impl Tree {
    /// The state of every delta file, compared with what is saved.
    ///
    /// # Errors
    /// When a delta file cannot be read.
    pub fn delta_since(
        &self,
        before: &SavedFiles,
    ) -> Result<BTreeMap<DeltaPath, DeltaChange>, TreeError> {
        let mut delta = BTreeMap::new();
        for (path, now) in self.delta()? {
            let change = now.delta_change_from(&before.state(&path));
            delta.insert(path, DeltaChange { now, change });
        }
        Ok(delta)
    }
}

/// Whether two readers give the same, with a little of each in memory.
pub(crate) fn same_bytes(one: &mut dyn Read, other: &mut dyn Read) -> io::Result<bool> {
    let (mut left, mut right) = ([0; 1 << 14], [0; 1 << 14]);
    loop {
        let count = fill(one, &mut left)?;
        if count != fill(other, &mut right)? || left[..count] != right[..count] {
            return Ok(false);
        }
        if count == 0 {
            return Ok(true);
        }
    }
}

/// Reads until the buffer is full or there is no more.
fn fill(from: &mut dyn Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match from.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}
