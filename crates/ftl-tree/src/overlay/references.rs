//! Git's references in the view: which ones an implementer moved. They are not taken over. What branches and
//! tags lead to is in [`branches`](super::branches).

use std::path::Path;

use super::branches::is_branch;
use super::upper::{Held, UpperEntry};
use super::written::OverlayWork;
use crate::{PathState, RelPath, Tree, TreeError};

impl Tree {
    pub(crate) fn find_references(&self, written: &mut OverlayWork) -> Result<(), TreeError> {
        if self.places.git_dir.is_none() {
            return Ok(());
        }
        let mut moved = self.moved_branches(written)?;
        let index = self.index_label()?;
        for (path, entry) in &written.contents.entries {
            let Some(inner) = path.strip(b".git") else {
                continue;
            };
            if is_branch(&inner) {
                continue;
            }
            let is_index = index.as_ref() == Some(&inner);
            if matches!(entry.held, Held::Dir { .. }) || !(is_index || is_reference(&inner)) {
                continue;
            }
            if is_index {
                moved
                    .extend(self.is_other_index(written, path, entry)?.then(|| "index".to_owned()));
                continue;
            }
            let now = written.uppers.state(path, entry)?;
            if content(&now) != content(&self.state_at(path)?) {
                moved.push(inner.as_path().display().to_string());
            }
        }
        written.references = moved;
        Ok(())
    }
}

impl Tree {
    /// The index of this work tree below git's directory.
    fn index_label(&self) -> Result<Option<RelPath>, TreeError> {
        let Some(git) = &self.places.git else {
            return Ok(None);
        };
        let dir = git.own_dir()?;
        let below = dir.strip_prefix(&git.common_dir).unwrap_or(Path::new(""));
        let below = RelPath::new(below.as_os_str().as_encoded_bytes());
        Ok(Some(below.join(b"index")))
    }

    /// Whether an index says something else than the tree's. Git writes it again for innocent reasons.
    fn is_other_index(
        &self,
        written: &OverlayWork,
        path: &RelPath,
        entry: &UpperEntry,
    ) -> Result<bool, TreeError> {
        let Some(git) = &self.places.git else {
            return Ok(false);
        };
        let then = git.listing(None)?;
        let place = written.uppers.at(path);
        match entry.held {
            Held::File => match git.listing(Some(&place.full())) {
                Err(TreeError::Git { .. }) => Ok(true),
                now => Ok(now? != then),
            },
            Held::Whiteout => Ok(!then.is_empty()),
            Held::Dir { .. } | Held::Link | Held::Special => Ok(true),
        }
    }
}

/// The bytes alone: git sets modes as it likes.
fn content(state: &PathState) -> Option<PathState> {
    Some(match state {
        PathState::File { sha256, .. } => PathState::File { sha256: *sha256, permissions: 0 },
        other => other.clone(),
    })
}

/// Whether a path of git's directory says where a branch, a tag or HEAD is. Locks and logs do not.
pub(crate) fn is_reference(inner: &RelPath) -> bool {
    let parts: Vec<&[u8]> = inner.components().collect();
    let own = match parts.as_slice() {
        [b"worktrees", _, rest @ ..] => rest,
        all => all,
    };
    match own {
        [b"HEAD" | b"packed-refs"] => true,
        [b"refs", .., last] => !last.ends_with(b".lock"),
        _ => false,
    }
}
