//! Merging a file that two have changed at different places, by `git merge-file` on copies outside of the project.

use std::fs;
use std::io;
use std::path::Path;

use ftl_model::{DeltaPath, Digest};
use ftl_process::{How, Probe};

use crate::git::environment;
use crate::{PathState, SavedFiles, Tree, TreeError};

/// Bytes of a version that is merged, at most.
const LARGEST: u64 = 16 << 20;

/// A file that two have changed, merged.
#[derive(Debug)]
pub(super) struct Merged {
    pub(super) bytes: Vec<u8>,
    pub(super) permissions: u32,
}

impl Tree {
    /// Merges the version of `work` with the tree's. `None` unless all three versions are regular files of moderate
    /// size, the merge is clean, and the file in the tree is still `now`.
    pub(super) fn merged(
        &self,
        path: &DeltaPath,
        (base, work): (&SavedFiles, &SavedFiles),
        now: &PathState,
        bench: &Path,
    ) -> Result<Option<Merged>, TreeError> {
        let PathState::File { permissions, .. } = work.state(path) else {
            return Ok(None);
        };
        let lengths = [base.len(path), work.len(path), self.len(path)?];
        if lengths.iter().any(|length| length.is_none_or(|length| length > LARGEST)) {
            return Ok(None);
        }
        let versions = (base.read(path)?, work.read(path)?, self.read(path)?);
        let (Some(before), Some(theirs), Some(ours)) = versions else {
            return Ok(None);
        };
        // Saved again since it was looked at.
        if now.digest() != Some(Digest::of(&ours)) {
            return Ok(None);
        }
        // A mode that the work did not change stays the tree's.
        let kept = now.permissions().unwrap_or(permissions);
        let is_kept = base.state(path).permissions() == Some(permissions);
        let permissions = if is_kept { kept } else { permissions };
        let bytes = three_way([("tree", &ours), ("before", &before), ("work", &theirs)], bench);
        let bytes = bytes.map_err(TreeError::io("merge in", bench))?;
        Ok(bytes.map(|bytes| Merged { bytes, permissions }))
    }
}

/// `None` where both changed the same lines, or git can't tell.
fn three_way(versions: [(&str, &Vec<u8>); 3], bench: &Path) -> io::Result<Option<Vec<u8>>> {
    fs::create_dir_all(bench)?;
    for (name, bytes) in versions {
        fs::write(bench.join(name), bytes)?;
    }
    let names = versions.map(|(name, _)| name);
    let mut probe = Probe::new("git", ["merge-file", "-p", "-q"].into_iter().chain(names));
    probe.dir = Some(bench.to_path_buf());
    probe.env = environment();
    let answer = probe.run();
    fs::remove_dir_all(bench)?;
    // Without git there is no merge.
    let clean = answer.ok().filter(|answer| answer.how == How::Exit(0));
    Ok(clean.map(|answer| answer.stdout))
}
