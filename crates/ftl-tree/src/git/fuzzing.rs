//! What fuzz/ reaches of the reading of git's answers.

use super::{Index, refs, revision};
use crate::walk::deciding::PathStatus;

/// Reads bytes as each of git's answers, and panics when a promise is broken.
///
/// # Panics
///
/// A tracked path is not known, or a reference of ftl's own is taken for another's.
pub fn git_answer(bytes: &[u8]) {
    let index = Index::parse(bytes);
    for path in index.files.keys() {
        assert_eq!(index.status(path), PathStatus::Known, "{path:?}");
        for dir in path.ancestors().filter(|dir| !dir.is_top()) {
            assert_eq!(index.status(&dir), PathStatus::Known, "{dir:?}");
        }
    }
    let refs = refs::parse(bytes);
    assert!(refs.keys().all(|name| !name.starts_with(refs::OWN)));
    drop((refs::staged_in(bytes), refs::blobs_in(bytes)));
    for (_, permissions) in revision::files_in(bytes).values() {
        assert!([0o644, 0o755].contains(permissions));
    }
}
