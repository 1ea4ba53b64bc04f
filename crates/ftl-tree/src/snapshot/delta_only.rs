//! Snapshots of the delta alone: for a request that can't change the rest, and to keep how the delta was
//! before a task. Snapshots of a request go when their run is sealed, and a task that is reopened is
//! measured by what there was before its first run.

use std::collections::BTreeMap;
use std::path::Path;

use crate::snapshot::Snapshot;
use crate::snapshot::capture::begin;
use crate::snapshot::clean::Clean;
use crate::snapshot::copying::Copying;
use crate::snapshot::entry::Original;
use crate::snapshot::manifest::Manifest;
use crate::snapshot::pack::DIFFERS;
use crate::{Tree, TreeError};
use ftl_model::DeltaPath;

impl Tree {
    /// Takes a snapshot of the delta alone, durably: for an implementer that works on an overlay, and
    /// can't change the rest.
    ///
    /// # Errors
    /// When a delta file can't be read, or the snapshot cannot be written.
    pub fn snapshot_delta(&self, dir: &Path) -> Result<Snapshot, TreeError> {
        let (taken, mut pack) = begin(dir)?;
        let mut copying =
            Copying { tree: self, pack: &mut pack, clean: &Clean::default(), warnings: Vec::new() };
        let delta = copying.delta()?;
        let warnings = copying.warnings;
        let manifest = Manifest { taken, delta, warnings, ..Manifest::default() };
        self.store_snapshot(dir, manifest, pack)
    }

    /// Stores, durably and in `dir`, how delta files were, as the first of `earlier` that knows them says,
    /// and how those of `added` are now that none of them knows.
    ///
    /// # Errors
    /// When a file cannot be read, or the snapshot cannot be written.
    pub fn keep_delta(
        &self,
        earlier: &[&Snapshot],
        added: &[DeltaPath],
        dir: &Path,
    ) -> Result<Snapshot, TreeError> {
        let (taken, mut pack) = begin(dir)?;
        let mut copying =
            Copying { tree: self, pack: &mut pack, clean: &Clean::default(), warnings: Vec::new() };
        let mut delta: BTreeMap<DeltaPath, Original> = BTreeMap::new();
        for snapshot in earlier {
            for path in snapshot.originals().keys() {
                if !delta.contains_key(path) {
                    delta.insert(path.clone(), copying.again(snapshot, path)?);
                }
            }
        }
        for path in added {
            if !delta.contains_key(path) {
                delta.insert(path.clone(), copying.one(path)?);
            }
        }
        self.store_snapshot(dir, Manifest { taken, delta, ..Manifest::default() }, pack)
    }
}

impl Copying<'_> {
    /// A delta file as another snapshot has it.
    fn again(&mut self, snapshot: &Snapshot, path: &DeltaPath) -> Result<Original, TreeError> {
        let mut original = snapshot.originals()[path].clone();
        if let Some(copy) = &mut original.copy {
            let content = snapshot.open_copy(copy);
            let again = content.and_then(|mut content| self.pack.add(&mut content));
            let again = again.map_err(TreeError::io("copy", snapshot.dir()))?;
            if again.sha256 != copy.sha256 {
                return Err(TreeError::Damaged {
                    dir: snapshot.dir().to_path_buf(),
                    reason: DIFFERS.to_owned(),
                });
            }
            *copy = again;
        }
        Ok(original)
    }
}
