//! Git's references in the view: which ones an implementer moved. They are not taken over.

use super::lower::State;
use super::upper::Held;
use super::written::OverlayWork;
use crate::{RelPath, Tree, TreeError};

impl Tree {
    pub(super) fn find_references(&self, written: &mut OverlayWork) -> Result<(), TreeError> {
        if self.places.git_dir.is_none() {
            return Ok(());
        }
        let mut moved = Vec::new();
        for (path, entry) in &written.contents.entries {
            let Some(inner) = path.strip(b".git") else {
                continue;
            };
            if matches!(entry.held, Held::Dir { .. }) || !is_reference(&inner) {
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

/// The bytes alone: git sets modes as it likes.
fn content(state: &State) -> Option<State> {
    Some(match state {
        State::File { sha256, .. } => State::File {
            sha256: *sha256,
            permissions: 0,
        },
        other => other.clone(),
    })
}

/// Whether a path of git's directory says where a branch, a tag or HEAD is. Locks and logs do not.
fn is_reference(inner: &RelPath) -> bool {
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
