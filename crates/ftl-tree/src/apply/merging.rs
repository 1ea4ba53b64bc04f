//! Merging a file that two have changed at different places, or that two have added to, by `git merge-file` on copies outside of the project.

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
        let versions = [("tree", &ours), ("before", &before), ("work", &theirs)];
        let merge = |union| three_way(versions, union, bench);
        let mut bytes = merge(false).map_err(TreeError::io("merge in", bench))?;
        // Many tasks add to the same place of an allowed file: a changelog, a lock file.
        let only_add = adds_only(&before, &ours) && adds_only(&before, &theirs);
        if bytes.is_none() && only_add && self.allows(path) {
            bytes = merge(true).map_err(TreeError::io("merge in", bench))?;
        }
        Ok(bytes.map(|bytes| Merged { bytes, permissions }))
    }
}

/// Whether every line of `before` is in `after`, in the same order.
fn adds_only(before: &[u8], after: &[u8]) -> bool {
    let mut lines = after.split_inclusive(|byte| *byte == b'\n');
    before.split_inclusive(|byte| *byte == b'\n').all(|line| lines.any(|other| other == line))
}

/// `None` where both changed the same lines, or git can't tell. A `union` has the lines of both there.
fn three_way(
    versions: [(&str, &Vec<u8>); 3],
    union: bool,
    bench: &Path,
) -> io::Result<Option<Vec<u8>>> {
    fs::create_dir_all(bench)?;
    for (name, bytes) in versions {
        fs::write(bench.join(name), bytes)?;
    }
    let names = versions.map(|(name, _)| name);
    let words = ["merge-file", "-p", "-q"].into_iter().chain(union.then_some("--union"));
    let mut probe = Probe::new("git", words.chain(names));
    probe.dir = Some(bench.to_path_buf());
    probe.env = environment();
    let answer = probe.run();
    fs::remove_dir_all(bench)?;
    // Without git there is no merge.
    let clean = answer.ok().filter(|answer| answer.how == How::Exit(0));
    Ok(clean.map(|answer| answer.stdout))
}
