//! Merging delta files that a user and an implementer changed at different places.
//!
//! Git merges copies, outside of the project. A clean result takes the place of the implementer's version in the
//! upper layer, and is taken over from there as that would have been, if the user's version is still in the tree.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Read};
use std::path::Path;

use ftl_model::{DeltaPath, Digest};
use ftl_process::{How, Probe};

use super::OverlayWork;
use crate::git::environment;
use crate::openat::Rights;
use crate::{PathState, Snapshot, Tree, TreeError};

/// Bytes of a version that is merged, at most.
const LARGEST: u64 = 16 << 20;

/// The three versions of a file, and the modes of the two.
struct Versions {
    base: Vec<u8>,
    theirs: Vec<u8>,
    ours: Vec<u8>,
    /// What is in the tree.
    now: PathState,
    permissions: u32,
}

impl Tree {
    /// Merges delta files of these conflicts, as far as that is clean and `accepts` says that the result can be
    /// used. Those are conflicts no more, and are returned. `dir` is private, and takes copies.
    ///
    /// # Errors
    /// When a version can't be read or written.
    pub fn merge(
        &self,
        written: &mut OverlayWork,
        conflicts: &mut BTreeSet<DeltaPath>,
        before: &Snapshot,
        dir: &Path,
        accepts: &mut dyn FnMut(&DeltaPath, &[u8]) -> bool,
    ) -> Result<Vec<DeltaPath>, TreeError> {
        let mut merged = Vec::new();
        for path in conflicts.iter() {
            let Some(versions) = self.versions(written, before, path)? else {
                continue;
            };
            let result = three_way(&versions, dir).map_err(TreeError::io("merge in", dir))?;
            if let Some(bytes) = result.filter(|bytes| accepts(path, bytes)) {
                self.take_merged(written, path, &versions, &bytes)?;
                merged.push(path.clone());
            }
        }
        conflicts.retain(|path| !merged.contains(path));
        Ok(merged)
    }

    /// `None` unless there are three, of regular files.
    fn versions(
        &self,
        written: &OverlayWork,
        before: &Snapshot,
        path: &DeltaPath,
    ) -> Result<Option<Versions>, TreeError> {
        let Some(PathState::File { permissions, .. }) = written.delta.get(path) else {
            return Ok(None);
        };
        let original = before.delta().remove(path).unwrap_or_default();
        let now = self.state(path)?;
        let lengths = [before.len(path), self.len(path)?];
        if lengths.into_iter().flatten().any(|len| len > LARGEST) {
            return Ok(None);
        }
        let (Some(base), Some(ours)) = (before.read(path)?, self.read(path)?) else {
            return Ok(None);
        };
        let place = written.uppers.at(&self.places.of_delta(path));
        let mut theirs = Vec::new();
        let read = place.owned_file().and_then(|file| {
            file.take(LARGEST + 1).read_to_end(&mut theirs)?;
            Ok(())
        });
        read.map_err(place.failed("read"))?;
        let is_small = |bytes: &Vec<u8>| bytes.len() as u64 <= LARGEST;
        // Saved again since it was looked at.
        if now.digest() != Some(Digest::of(&ours))
            || ![&base, &ours, &theirs].into_iter().all(is_small)
        {
            return Ok(None);
        }
        let kept = now.permissions().unwrap_or(*permissions);
        let permissions =
            if original.permissions() == Some(*permissions) { kept } else { *permissions };
        Ok(Some(Versions { base, theirs, ours, now, permissions }))
    }

    fn take_merged(
        &self,
        written: &mut OverlayWork,
        path: &DeltaPath,
        versions: &Versions,
        bytes: &[u8],
    ) -> Result<(), TreeError> {
        let label = self.places.of_delta(path);
        let place = written.uppers.at(&label);
        let write = || -> io::Result<()> {
            let attributes = place.attributes()?;
            let rights =
                Rights { permissions: versions.permissions, ids: None, attributes: &attributes };
            let new = place.stage(|new| new.make_file(&mut &*bytes, Some(rights)).map(drop))?;
            new.rename(&place)
        };
        write().map_err(place.failed("write"))?;
        let (sha256, permissions) = (Digest::of(bytes), versions.permissions);
        written.delta.insert(path.clone(), PathState::File { sha256, permissions });
        written.expected.insert(label, versions.now.clone());
        Ok(())
    }
}

/// `None` where both changed the same lines, or git can't tell.
fn three_way(versions: &Versions, dir: &Path) -> io::Result<Option<Vec<u8>>> {
    fs::create_dir_all(dir)?;
    let named = [("tree", &versions.ours), ("before", &versions.base), ("agent", &versions.theirs)];
    for (name, bytes) in &named {
        fs::write(dir.join(name), bytes)?;
    }
    let names = named.map(|(name, _)| name);
    let mut probe = Probe::new("git", ["merge-file", "-p", "-q"].into_iter().chain(names));
    probe.dir = Some(dir.to_path_buf());
    probe.env = environment();
    let answer = probe.run();
    fs::remove_dir_all(dir)?;
    // Without git there is no merge.
    let clean = answer.ok().filter(|answer| answer.how == How::Exit(0));
    Ok(clean.map(|answer| answer.stdout))
}
