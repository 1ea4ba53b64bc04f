//! Scratch in a slot: build outputs, which belong to it, and dependency directories, of which a view has the tree's
//! own below an upper layer.

use rustix::io::Errno;

use crate::openat::Room;
use crate::places::Places;
use crate::stamp::EntryType;
use crate::walk::found::Survey;
use crate::{RelPath, Tree, TreeError};

/// Names of directories with installed dependencies, wherever they are scratch.
const DEPENDENCIES: [&str; 15] = [
    ".bundle",
    ".direnv",
    ".eggs",
    ".nox",
    ".pnpm-store",
    ".terraform",
    ".tox",
    ".venv",
    ".yarn",
    "Pods",
    "bower_components",
    "node_modules",
    "site-packages",
    "vendor",
    "venv",
];

/// Build outputs that are copied into a new slot, in all; the rest is built again.
const ROOM: Room = Room { files: 50_000, bytes: 1 << 30, of: "a slot copies" };

/// Whether a path is or is in a directory of dependencies.
pub(crate) fn is_dependency(path: &RelPath) -> bool {
    path.components().any(|name| DEPENDENCIES.iter().any(|known| known.as_bytes() == name))
}

/// The directories of which a view has the tree's own. Makes a place in the copy to mount each on, and removes those
/// that the tree has no more.
pub(super) fn dependencies(
    tree: &Tree,
    to: &Places,
    survey: &Survey,
    former: &[RelPath],
) -> Result<Vec<RelPath>, TreeError> {
    let mut found = Vec::new();
    for (label, stamp) in &survey.scratch {
        let is_git = label.ancestors().any(|dir| dir.name() == b".git");
        let wanted = stamp.is_unprotected || is_git || is_dependency(label);
        if !wanted || tree.kind_at(label)? != Some(EntryType::Dir) {
            continue;
        }
        let place = to.at(label);
        let made = || {
            if place.kind()? == Some(EntryType::Dir) {
                return Ok(());
            }
            place.remove_all()?;
            place.make_parents()?;
            place.make_dir()
        };
        made().map_err(place.failed("make"))?;
        found.push(label.clone());
    }
    for label in former.iter().filter(|label| !found.contains(label)) {
        let place = to.at(label);
        // Files that are tracked by now may be in it.
        if !survey.entries.contains(label) {
            place.remove_all().map_err(place.failed("remove"))?;
        }
    }
    Ok(found)
}

/// Copies the build outputs of the tree into a new slot, each as a whole or not at all.
pub(super) fn copy(
    tree: &Tree,
    to: &Places,
    survey: &Survey,
    dependencies: &[RelPath],
) -> Result<(), TreeError> {
    let mut left = ROOM;
    let outputs = survey.scratch.iter().filter(|(label, stamp)| {
        !stamp.is_unprotected && !dependencies.contains(label) && !is_dependency(label)
    });
    for (label, _) in outputs {
        let (mut room, to) = (left, to.at(label));
        let copied = to.make_parents().and_then(|()| tree.at(label).copy_all(&to, &mut room, None));
        match copied {
            Ok(()) => left = room,
            Err(_) => to.remove_all().map_err(to.failed("remove"))?,
        }
    }
    Ok(())
}

/// Refuses to fill a disk that has no room for the copy, unless both share their blocks there.
pub(super) fn check_room(to: &Places, survey: &Survey) -> Result<(), TreeError> {
    let place = &to.top;
    let full = |error: Errno| TreeError::io("copy to", place.path())(error.into());
    let files = survey.entries.iter().filter(|(_, stamp)| stamp.kind() == EntryType::File);
    let bytes: u64 = files.map(|(_, stamp)| stamp.size).sum();
    let found = rustix::fs::statvfs(place.path()).map_err(full)?;
    let free = found.f_bavail.saturating_mul(found.f_frsize);
    match bytes > free && !place.shares_blocks() {
        true => Err(full(Errno::NOSPC)),
        false => Ok(()),
    }
}
