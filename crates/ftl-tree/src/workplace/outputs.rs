//! Scratch in a workplace: build outputs, which belong to it, and directories of dependencies, which are the project's
//! own and to be read.

use std::fs::{DirBuilder, Permissions};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};

use rustix::io::Errno;
use serde::{Deserialize, Serialize};

use super::{Layer, Placement, remove_dir};
use crate::compare::delta::Delta;
use crate::openat::{At, Room};
use crate::places::Places;
use crate::stamp::EntryType;
use crate::walk::found::Survey;
use crate::walk::scratch::{Looker, ScratchStamp};
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

/// Paths of build outputs, and of a directory of dependencies, that are copied at most.
const MOST_FILES: u64 = 500_000;

/// Paths that are named of each directory of dependencies.
const MOST_SHOWN: usize = 100;

/// Layers over dependencies, beside the copy.
const LAYERS: &str = "layers";

/// A directory or file of the project that the workplace does not have as copied paths.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Dependency {
    pub(super) path: RelPath,
    pub(super) how: Provided,
    /// How the project's own looked when it was provided.
    live: ScratchStamp,
    /// How the copy looked then, where it is one.
    copy: ScratchStamp,
}

/// How an implementer gets a dependency.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Provided {
    /// The project's own, below a private layer that takes what is written.
    Layer,
    /// A copy.
    Copy,
    /// The project's own: mounted to be read, or by a link.
    Link,
}

/// Whether a path is or is in a directory of dependencies.
fn is_dependency(path: &RelPath) -> bool {
    path.components().any(|name| DEPENDENCIES.iter().any(|known| known.as_bytes() == name))
}

/// A look at everything in a directory, which shows later whether something in it changed.
fn look(places: &Places, tree: &Tree, path: &RelPath) -> ScratchStamp {
    let delta = Delta::of(tree);
    Looker::new(places, &delta).look(path, false, Some(&ScratchStamp::whole()))
}

/// Provides the dependencies of a tree, and removes those that it has no more.
pub(super) fn provide(
    tree: &Tree,
    to: &Places,
    survey: &Survey,
    former: &[Dependency],
    placement: Placement,
) -> Result<Vec<Dependency>, TreeError> {
    let mut found: Vec<Dependency> = Vec::new();
    for (path, stamp) in &survey.scratch {
        let is_git = path.ancestors().any(|dir| dir.name() == b".git");
        let is_large = stamp.is_unprotected || is_git;
        let kind = tree.kind_at(path)?;
        let is_dir = kind == Some(EntryType::Dir);
        if (!is_large && !is_dependency(path)) || !(is_dir || kind == Some(EntryType::File)) {
            continue;
        }
        let known = former.iter().find(|known| known.path == *path);
        found.push(provide_one(tree, to, path, (is_dir, is_large, placement), known)?);
    }
    for gone in former.iter().filter(|old| !found.iter().any(|now| now.path == old.path)) {
        // Files that are tracked by now may be in it.
        if !survey.entries.contains(&gone.path) {
            let place = to.at(&gone.path);
            place.remove_all().map_err(place.failed("remove"))?;
        }
    }
    Ok(found)
}

fn provide_one(
    tree: &Tree,
    to: &Places,
    path: &RelPath,
    (is_dir, is_large, placement): (bool, bool, Placement),
    known: Option<&Dependency>,
) -> Result<Dependency, TreeError> {
    let place = to.at(path);
    let none = ScratchStamp::whole();
    let provided = |how, live, copy| Dependency { path: path.clone(), how, live, copy };
    if placement == Placement::Layered && is_dir {
        make_place(&place, true).map_err(place.failed("make"))?;
        return Ok(provided(Provided::Layer, none, none));
    }
    if !is_large && is_dir {
        let live = look(&tree.places, tree, path);
        let is_current = known.is_some_and(|known| {
            known.how == Provided::Copy && known.live == live && known.copy == look(to, tree, path)
        });
        if is_current {
            return Ok(provided(Provided::Copy, live, look(to, tree, path)));
        }
        place.remove_all().map_err(place.failed("remove"))?;
        place.make_parents().map_err(place.failed("make"))?;
        let mut room = room(tree);
        if tree.at(path).copy_all(&place, &mut room).is_ok() {
            return Ok(provided(Provided::Copy, live, look(to, tree, path)));
        }
    }
    let made = match placement {
        Placement::Layered | Placement::Bound => make_place(&place, is_dir),
        Placement::OwnPath => {
            let target = tree.at(path).full();
            let is_there =
                place.link_target().is_ok_and(|at| at == target.as_os_str().as_encoded_bytes());
            match is_there {
                true => Ok(()),
                false => place
                    .remove_all()
                    .and_then(|()| place.make_parents())
                    .and_then(|()| place.make_link(target.as_os_str().as_encoded_bytes())),
            }
        }
    };
    made.map_err(place.failed("make"))?;
    Ok(provided(Provided::Link, look(&tree.places, tree, path), none))
}

/// Makes something to mount on.
fn make_place(place: &At<'_>, is_dir: bool) -> std::io::Result<()> {
    let wanted = if is_dir { EntryType::Dir } else { EntryType::File };
    if place.kind()? == Some(wanted) {
        return Ok(());
    }
    place.remove_all()?;
    place.make_parents()?;
    if is_dir { place.make_dir() } else { place.new_file().map(drop) }
}

fn room(tree: &Tree) -> Room {
    let (files, bytes) = (MOST_FILES, tree.settings.max_outputs);
    Room { files, bytes, of: "`scope.max_outputs`", are_ours: false }
}

/// What was written into dependencies, as people read it: of each its topmost new paths, else itself.
pub(super) fn written(
    dir: &Path,
    tree: &Tree,
    to: &Places,
    dependencies: &[Dependency],
) -> Vec<String> {
    let mut all = Vec::new();
    for (number, dependency) in dependencies.iter().enumerate() {
        let path = &dependency.path;
        let own = tree.at(path).full();
        let mut found = Vec::new();
        let is_written = match dependency.how {
            Provided::Layer => {
                topmost(&layer_dir(dir, number).join("upper"), &own, path, true, &mut found);
                !found.is_empty()
            }
            Provided::Copy => {
                let is_written = look(to, tree, path) != dependency.copy;
                if is_written {
                    topmost(&to.at(path).full(), &own, path, false, &mut found);
                }
                is_written
            }
            Provided::Link => look(&tree.places, tree, path) != dependency.live,
        };
        if is_written && found.is_empty() {
            found.push(path.clone());
        }
        all.extend(found.iter().map(|path| tree.shown(path)));
    }
    all
}

/// The topmost paths that the project's own directory lacks; of a layer, also what is no directory there. Where a
/// directory can't be read, its paths are missing.
fn topmost(written: &Path, own: &Path, path: &RelPath, is_layer: bool, found: &mut Vec<RelPath>) {
    let Ok(entries) = std::fs::read_dir(written) else {
        return;
    };
    let mut names: Vec<_> = entries.flatten().map(|entry| entry.file_name()).collect();
    names.sort();
    for name in names {
        if found.len() == MOST_SHOWN {
            return;
        }
        let (written, own) = (written.join(&name), own.join(&name));
        let path = path.join(name.as_bytes());
        let is_dir = |at: &Path| at.symlink_metadata().is_ok_and(|found| found.is_dir());
        if is_dir(&written) && is_dir(&own) {
            topmost(&written, &own, &path, is_layer, found);
        } else if is_layer || own.symlink_metadata().is_err() {
            found.push(path);
        }
    }
}

fn layer_dir(dir: &Path, number: usize) -> PathBuf {
    dir.join(LAYERS).join(number.to_string())
}

/// Removes what was written to the layers over dependencies.
pub(super) fn clear_layers(dir: &Path) -> Result<(), TreeError> {
    remove_dir(&dir.join(LAYERS))
}

/// Makes the directories of the layers over dependencies, where they are missing.
pub(super) fn layers(
    dir: &Path,
    tree: &Tree,
    dependencies: &[Dependency],
) -> Result<Vec<Layer>, TreeError> {
    let mut layers = Vec::new();
    for (number, dependency) in dependencies.iter().enumerate() {
        let over = tree.at(&dependency.path).full();
        let Ok(mode) = over.metadata().map(|at| at.permissions().mode() & 0o7777) else {
            continue;
        };
        if dependency.how != Provided::Layer {
            continue;
        }
        let place = layer_dir(dir, number);
        let layer = Layer { upper: place.join("upper"), work: place.join("work"), over };
        for made in [&layer.upper, &layer.work] {
            let done = DirBuilder::new().recursive(true).mode(0o700).create(made);
            done.map_err(TreeError::io("make", made))?;
        }
        // The topmost directory of the layer is the one that is seen.
        std::fs::set_permissions(&layer.upper, Permissions::from_mode(mode))
            .map_err(TreeError::io("set the mode of", &layer.upper))?;
        layers.push(layer);
    }
    Ok(layers)
}

/// Copies the build outputs of the tree into a new workplace, each as a whole or not at all.
pub(super) fn copy(
    tree: &Tree,
    to: &Places,
    survey: &Survey,
    dependencies: &[Dependency],
) -> Result<(), TreeError> {
    let mut left = room(tree);
    let is_provided = |path: &RelPath| dependencies.iter().any(|known| known.path == *path);
    let outputs = survey.scratch.iter().filter(|(path, stamp)| {
        !stamp.is_unprotected && !is_provided(path) && !is_dependency(path)
    });
    for (path, _) in outputs {
        let (mut room, to) = (left, to.at(path));
        let copied = to.make_parents().and_then(|()| tree.at(path).copy_all(&to, &mut room));
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
