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
use crate::{FileState, RelPath, Tree, TreeError};

/// Copies into one pack, and collects what the user has to be warned of.
pub(crate) struct Copying<'a> {
    pub(crate) tree: &'a Tree,
    pub(crate) pack: &'a mut PackWriter,
    pub(crate) clean: &'a Clean,
    pub(crate) warnings: Vec<String>,
}

impl Copying<'_> {
    pub(crate) fn delta(&mut self) -> Result<BTreeMap<DeltaPath, Original>, TreeError> {
        let mut delta = BTreeMap::new();
        for path in &self.tree.delta {
            let original = self.one(path)?;
            delta.insert(path.clone(), original);
        }
        Ok(delta)
    }

    /// One delta file as it is now.
    pub(crate) fn one(&mut self, path: &DeltaPath) -> Result<Original, TreeError> {
        Ok(match self.tree.open_delta(path)? {
            Opened::Other(state) => Original {
                state,
                copy: None,
                ids: Ids::default(),
                attributes: Attributes::default(),
            },
            Opened::File(mut file, permissions) => {
                let copied = self.pack.add(&mut file);
                let copied = copied.map_err(TreeError::io("copy", path.as_path()))?;
                let stat = rustix::fs::fstat(&file).map_err(io::Error::from);
                let stat = stat.map_err(TreeError::io("look at", path.as_path()))?;
                let attributes = Attributes::of(&file);
                Original {
                    state: FileState::regular(copied.sha256, permissions),
                    copy: Some(copied),
                    ids: Ids::of(&stat),
                    attributes: attributes.map_err(TreeError::io("look at", path.as_path()))?,
                }
            }
        })
    }

    pub(crate) fn entries(
        &mut self,
        stamps: BTreeMap<RelPath, Stamp>,
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
                    let entry = SnapshotEntry {
                        stamp,
                        origin,
                        attributes: attributes.remove(&path).unwrap_or_default(),
                    };
                    entries.insert(path, entry);
                }
                Err(error) if is_gone(&error) => {}
                Err(error) => {
                    let (place, path) = self.tree.places.locate(&path);
                    return Err(TreeError::io("copy", place.full(&path))(error));
                }
            }
        }
        Ok(entries)
    }

    fn origin(&mut self, path: &RelPath, stamp: &Stamp) -> io::Result<Origin> {
        let (place, inner) = self.tree.places.locate(path);
        match stamp.kind() {
            EntryType::Dir => Ok(Origin::Dir),
            EntryType::Link => Ok(Origin::Link(RelPath::new(place.link_target(&inner)?))),
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
        let (place, inner) = self.tree.places.locate(path);
        match place.file(&inner) {
            Ok(mut file) => Ok(Origin::Copy(self.pack.add(&mut file)?)),
            Err(error) if place.forbids(&inner, EntryType::File, &error) => {
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
