//! Which bytes a snapshot copies, and what it records of paths that need no copy.
//!
//! Copied are the delta, whatever git says of it, and every other regular file that is not clean in
//! git. What is too large or may not be read is watched only, with a warning; what disappears while
//! it is copied was not there.

use std::collections::BTreeMap;
use std::io;

use ftl_model::DeltaPath;

use crate::compare::delta::Opened;
use crate::openat::{Attributes, is_gone};
use crate::snapshot::clean::Clean;
use crate::snapshot::entry::{Origin, Original, SnapshotEntry};
use crate::snapshot::pack::PackWriter;
use crate::stamp::{EntryType, Ids, Stamp};
use crate::walk::stamps::Stamps;
use crate::{PathState, RelPath, Tree, TreeError};

/// Copies into one pack, and collects what the user has to be warned of.
pub(crate) struct Copying<'a> {
    pub(crate) tree: &'a Tree,
    pub(crate) pack: &'a mut PackWriter,
    pub(crate) clean: &'a Clean,
    pub(crate) warnings: Vec<String>,
}

impl Copying<'_> {
    pub(crate) fn delta(&mut self) -> Result<BTreeMap<DeltaPath, Original>, TreeError> {
        self.tree.delta.iter().map(|path| Ok((path.clone(), self.one(path)?))).collect()
    }

    /// One delta file as it is now.
    pub(crate) fn one(&mut self, path: &DeltaPath) -> Result<Original, TreeError> {
        let (mut file, permissions) = match self.tree.open_delta(path)? {
            Opened::Other(state) => return Ok(Original { state, ..Original::default() }),
            Opened::File(file, stamp) => (file, stamp.permissions()),
        };
        let copied = self.pack.add(&mut file).map_err(TreeError::io("copy", path.as_path()))?;
        let look = || Ok((Ids::of(&rustix::fs::fstat(&file)?), Attributes::of(&file)?));
        let (ids, attributes) = look().map_err(TreeError::io("look at", path.as_path()))?;
        let state = PathState::File { sha256: copied.sha256, permissions };
        Ok(Original { state, copy: Some(copied), ids, attributes })
    }

    pub(crate) fn entries(
        &mut self,
        stamps: Stamps,
        mut attributes: BTreeMap<RelPath, Attributes>,
    ) -> Result<BTreeMap<RelPath, SnapshotEntry>, TreeError> {
        let delta = self.tree.delta_paths();
        let mut entries = BTreeMap::new();
        for (path, stamp) in stamps {
            if delta.contains(&path) {
                continue;
            }
            match self.origin(&path, &stamp) {
                Ok(origin) => {
                    let attributes = attributes.remove(&path).unwrap_or_default();
                    entries.insert(path, SnapshotEntry { stamp, origin, attributes });
                }
                Err(error) if is_gone(&error) => {}
                Err(error) => return Err(self.tree.at(&path).failed("copy")(error)),
            }
        }
        Ok(entries)
    }

    fn origin(&mut self, path: &RelPath, stamp: &Stamp) -> io::Result<Origin> {
        match stamp.kind() {
            EntryType::Dir => Ok(Origin::Dir),
            EntryType::Link => Ok(Origin::Link(RelPath::new(self.tree.at(path).link_target()?))),
            EntryType::Special => Ok(Origin::Watched),
            EntryType::File => match self.clean.object(path) {
                Some(object) => Ok(Origin::Object(object.to_owned())),
                None => self.copy(path, stamp),
            },
        }
    }

    fn copy(&mut self, path: &RelPath, stamp: &Stamp) -> io::Result<Origin> {
        let limit = self.tree.settings.max_backup;
        if stamp.size > limit {
            let (size, path) = (stamp.size, self.tree.shown(path));
            self.warnings.push(format!(
                "`{path}` is watched but could not be put back: its {size} bytes are over the \
                 {limit} of `scope.max_backup`"
            ));
            return Ok(Origin::Watched);
        }
        let place = self.tree.at(path);
        match place.file() {
            Ok(mut file) => Ok(Origin::Copy(self.pack.add(&mut file)?)),
            Err(error) if place.forbids(EntryType::File, &error) => {
                let path = self.tree.shown(path);
                self.warnings.push(format!(
                    "`{path}` is watched but could not be put back, because it cannot be read: {error}"
                ));
                Ok(Origin::Watched)
            }
            Err(error) => Err(error),
        }
    }
}
