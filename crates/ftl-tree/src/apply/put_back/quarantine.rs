//! Where things are moved to. The directory is ours, and only its owner may enter it.
//!
//! A path may stray more than once in a run, once as a file and then as a directory, say. Of several, the
//! first is kept under its own path, the k-th below `again-k`.

use std::collections::BTreeSet;
use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;

use rustix::fs::FileType;

use crate::apply::put_back::{OWNER_MAY_ALL, is_dir};
use crate::openat::{At, Beneath, leads_through_file, move_new};
use crate::{RelPath, Tree};

/// How often one path may be kept.
const TIMES: u32 = 1000;

pub(crate) struct Quarantine<'a> {
    dir: &'a Path,
    /// Made when the first thing is moved.
    opened: Option<Beneath>,
    /// The directories that were moved to.
    made: BTreeSet<RelPath>,
    /// The directory that was moved to last: most things come from few directories.
    last: Option<(RelPath, OwnedFd)>,
}

impl<'a> Quarantine<'a> {
    pub(crate) fn new(dir: &'a Path) -> Self {
        Self { dir, opened: None, made: BTreeSet::new(), last: None }
    }

    pub(crate) fn dir(&self) -> &Path {
        self.dir
    }

    /// Moves what is at a path, whole, and keeps it under `label`.
    pub(crate) fn take(&mut self, at: &At<'_>, label: &RelPath) -> io::Result<()> {
        let from = at.parent()?;
        let (above, name) = label.split();
        let mut taken = io::Error::from(io::ErrorKind::AlreadyExists);
        for number in 1..=TIMES {
            let to = match number {
                1 => above.clone(),
                _ => RelPath::new(format!("again-{number}")).append(&above),
            };
            let dir = self.dir;
            let moved = self
                .open(&to)
                .map_err(|error| (is_in_the_way(&error), ours(dir, &error)))
                .and_then(|to| {
                    move_new((&from, at.name()), (to, name))
                        .map_err(|error| (error.kind() == io::ErrorKind::AlreadyExists, error))
                });
            match moved {
                Ok(()) => {
                    if number == 1 {
                        self.made.insert(above);
                    }
                    return Ok(());
                }
                Err((true, error)) => taken = error,
                Err((false, error)) => return Err(error),
            }
        }
        Err(taken)
    }

    /// Makes a directory under `label`, and those above it.
    pub(crate) fn make_dir(&mut self, label: &RelPath) -> io::Result<()> {
        let dir = self.dir;
        match self.open(label) {
            // It is kept by what is in it, which goes below another name.
            Err(error) if is_in_the_way(&error) => Ok(()),
            opened => opened.map(drop).map_err(|error| ours(dir, &error)),
        }
    }

    /// Gives the directories that were made here the modes of the originals.
    pub(crate) fn dress(&self, tree: &Tree) {
        if let Some(opened) = &self.opened {
            dress(tree, opened, &self.made);
        }
    }

    /// Brings the names of what was moved last to the disk.
    pub(crate) fn sync(&self) -> io::Result<()> {
        match &self.last {
            Some((_, dir)) => Ok(rustix::fs::fsync(dir)?),
            None => Ok(()),
        }
    }

    fn open(&mut self, path: &RelPath) -> io::Result<&OwnedFd> {
        if self.opened.is_none() {
            self.opened = Some(Beneath::make(self.dir)?);
        }
        let known = self.last.take().filter(|(known, _)| known == path);
        let dir = match (known, &self.opened) {
            (Some((_, dir)), _) => dir,
            (None, Some(opened)) => opened.at(path).private_dir()?,
            (None, None) => return Err(io::ErrorKind::NotFound.into()),
        };
        Ok(&self.last.insert((path.clone(), dir)).1)
    }
}

impl Tree {
    /// Gives the directories of kept files in `dir` the modes of the originals, which a kill can come before. Copying
    /// the whole back then changes none.
    pub fn dress_kept(&self, dir: &Path) {
        let Ok(kept) = Beneath::open(dir) else {
            return;
        };
        let mut dirs = BTreeSet::new();
        let mut open = vec![RelPath::default()];
        while let Some(dir) = open.pop() {
            let entries = kept.at(&dir).typed_names().unwrap_or_default().into_iter();
            let below = entries.filter(|(_, kind)| *kind == FileType::Directory);
            open.extend(below.map(|(name, _)| dir.join(&name)));
            dirs.insert(dir);
        }
        dress(self, &kept, &dirs);
    }
}

/// Gives a directory of kept files, those in it and those above them the modes of the originals, so that
/// copying the whole back changes none. Their owner may still do all, and other users cannot come so far. What was
/// moved stays kept where a mode cannot be set.
fn dress(tree: &Tree, kept: &Beneath, made: &BTreeSet<RelPath>) {
    let above = made.iter().flat_map(RelPath::ancestors);
    let dirs: BTreeSet<RelPath> = above.chain(made.iter().cloned()).collect();
    for dir in dirs.iter().chain([&RelPath::default()]) {
        if let Some(mode) = mode_in_tree(tree, dir) {
            let _ = kept.at(dir).set_permissions(mode | OWNER_MAY_ALL);
        }
    }
}

/// The mode of the original of a directory in a quarantine.
fn mode_in_tree(tree: &Tree, label: &RelPath) -> Option<u32> {
    let path = tree.places.out_of_quarantine(label)?;
    let place = tree.at(&path);
    let stamp = place.stamp().ok()??;
    is_dir(&stamp).then(|| stamp.permissions())
}

/// An error on our side, which must not be taken for one of the tree: there, what is gone needs no move.
fn ours(dir: &Path, error: &io::Error) -> io::Error {
    io::Error::other(format!("cannot keep it in `{}`: {error}", dir.display()))
}

/// Whether a directory cannot be made because of what was moved there before: a file of the same name, or
/// a directory without the permission to enter it.
fn is_in_the_way(error: &io::Error) -> bool {
    let kinds = [io::ErrorKind::AlreadyExists, io::ErrorKind::PermissionDenied];
    kinds.contains(&error.kind()) || leads_through_file(error)
}
