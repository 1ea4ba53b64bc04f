//! Files that may change without being in the delta, such as lock files: `[scope] allow`.
//!
//! Only regular files may, and never what decides about this build or the next: `ftl.toml`, `.ftl` and
//! git's own. A directory that came or went with nothing else in it came or went with them.

use std::collections::BTreeSet;

use crate::compare::Difference;
use crate::stamp::{EntryType, Stamp};
use crate::{RelPath, Tree};

impl Tree {
    /// Marks what may differ.
    pub(crate) fn allow(&self, differences: &mut [Difference]) {
        let (mut with_allowed, mut with_others) = (BTreeSet::new(), BTreeSet::new());
        for difference in &mut *differences {
            difference.allowed = is_file(difference) && self.may_change(&difference.path);
            if difference.allowed {
                with_allowed.extend(difference.path.ancestors());
            } else if !is_passing_dir(difference) {
                with_others.extend(difference.path.ancestors());
            }
        }
        for difference in differences.iter_mut().filter(|at| is_passing_dir(at)) {
            let path = &difference.path;
            difference.allowed = with_allowed.contains(path) && !with_others.contains(path);
        }
    }

    /// Whether a path may be changed outside the delta, and decides nothing.
    pub(crate) fn may_change(&self, path: &RelPath) -> bool {
        let root = self.places.root();
        let decides = *path == root.join(b"ftl.toml")
            || path.components().any(|part| part == b".git" || part == b".ftl");
        !decides && self.allowed.hold(self.shown(path).as_bytes())
    }
}

/// Whether there is nothing but a regular file on both sides.
fn is_file(difference: &Difference) -> bool {
    let is = |stamp: &Stamp| stamp.kind() == EntryType::File;
    let before = difference.before.as_ref().map(|entry| &entry.stamp);
    before.is_none_or(is) && difference.now.as_ref().is_none_or(is)
}

/// Whether a directory came or went.
fn is_passing_dir(difference: &Difference) -> bool {
    let before = difference.before.as_ref().map(|entry| &entry.stamp);
    match (before, &difference.now) {
        (Some(stamp), None) | (None, Some(stamp)) => stamp.is_dir(),
        (Some(_), Some(_)) | (None, None) => false,
    }
}
