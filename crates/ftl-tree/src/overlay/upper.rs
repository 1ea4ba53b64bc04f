//! What the upper layer holds, read beneath descriptors: paths and kinds, no contents.
//!
//! Scratch is listed by its topmost path and not entered.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read};
use std::path::Path;

use rustix::fs::{AtFlags, Dir, FileType};
use rustix::io::Errno;

use super::OverlayLayer;
use crate::openat::{Beneath, is_gone};
use crate::stamp::Stamp;
use crate::walk::is_in_store;
use crate::{RelPath, Tree, TreeError};

/// Marks a directory that hides the one below it. With `userxattr` it is the user's.
const OPAQUE: &str = "user.overlay.opaque";

/// Bytes of a list of references that are read.
const MAX_TEXT: u64 = 64 << 20;

/// What is at a path of the upper layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Held {
    /// The path was deleted.
    Whiteout,
    /// A directory; `hides` the one of the same path below it.
    Dir {
        hides: bool,
    },
    File,
    Link,
    Special,
}

/// An entry of an upper layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct UpperEntry {
    pub(crate) held: Held,
    pub(crate) permissions: u32,
}

/// The upper layers, opened.
#[derive(Debug)]
pub(crate) struct Uppers {
    tree: Beneath,
    git: Option<Beneath>,
}

/// Everything in them, by the names that the tree has for paths.
#[derive(Debug, Default)]
pub(crate) struct Contents {
    pub(crate) entries: BTreeMap<RelPath, UpperEntry>,
    /// Topmost.
    pub(crate) scratch: BTreeSet<RelPath>,
}

impl Uppers {
    pub(crate) fn open(layers: &[OverlayLayer]) -> Result<Self, TreeError> {
        let open = |layer: &OverlayLayer| {
            let path: &Path = &layer.upper;
            Beneath::open(path).map_err(TreeError::io("open", path))
        };
        let mut layers = layers.iter();
        let tree = layers.next().expect("because something is always watched");
        Ok(Self { tree: open(tree)?, git: layers.next().map(open).transpose()? })
    }

    /// The mode of the topmost directory, which an implementer may have changed.
    pub(crate) fn top_permissions(&self) -> Result<u32, TreeError> {
        permissions_of(&self.tree)
    }

    /// The layer that holds a path of the tree.
    pub(crate) fn locate(&self, label: &RelPath) -> (&Beneath, RelPath) {
        match (&self.git, label.strip(b".git")) {
            (Some(git), Some(path)) => (git, path),
            (Some(_), None) | (None, _) => (&self.tree, label.clone()),
        }
    }

    /// The text of a reference of git's, or of a list of them.
    pub(crate) fn text(&self, label: &RelPath) -> Result<String, TreeError> {
        let (place, inner) = self.locate(label);
        text_of(place, &inner)
    }

    pub(crate) fn contents(&self, tree: &Tree) -> Result<Contents, TreeError> {
        let mut contents = Contents::default();
        let mut open = vec![RelPath::default()];
        if self.git.is_some() {
            open.push(RelPath::new(".git"));
        }
        while let Some(dir) = open.pop() {
            self.enter(tree, &dir, &mut contents, &mut open)?;
        }
        Ok(contents)
    }

    fn enter(
        &self,
        tree: &Tree,
        dir: &RelPath,
        contents: &mut Contents,
        open: &mut Vec<RelPath>,
    ) -> Result<(), TreeError> {
        // Of git's directory elsewhere, the top is asked for by the label alone.
        let (place, inner) = match (&self.git, dir.bytes()) {
            (Some(git), b".git") => (git, RelPath::default()),
            _ => self.locate(dir),
        };
        for (name, entry) in list(place, &inner)? {
            let path = dir.join(&name);
            let is_git = path.bytes() == b".git" || path.bytes().starts_with(b".git/");
            let is_dir = matches!(entry.held, Held::Dir { .. });
            let is_own = is_git || is_in_store(&path);
            if !is_own && !tree.holds_delta(&path) && tree.is_scratch_by_name(&path, is_dir) {
                contents.scratch.insert(path);
                continue;
            }
            if is_dir {
                open.push(path.clone());
            }
            contents.entries.insert(path, entry);
        }
        Ok(())
    }
}

/// The text of a reference of git's, or of a list of them.
pub(crate) fn text_of(place: &Beneath, path: &RelPath) -> Result<String, TreeError> {
    let mut bytes = Vec::new();
    place
        .owned_file(path)
        .and_then(|file| file.take(MAX_TEXT).read_to_end(&mut bytes))
        .map_err(TreeError::io("read", place.full(path)))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

pub(crate) fn permissions_of(top: &Beneath) -> Result<u32, TreeError> {
    let stamp = top.top_stamp();
    let stamp = stamp.map_err(TreeError::io("look at", top.path()))?;
    Ok(stamp.permissions())
}

/// The entries of a directory. One without rights for its owner is opened up first: it is ours.
pub(crate) fn list(
    place: &Beneath,
    dir: &RelPath,
) -> Result<Vec<(Vec<u8>, UpperEntry)>, TreeError> {
    let failed = |error: io::Error| TreeError::io("list", place.full(dir))(error);
    let opened = match place.owned_dir(dir) {
        Err(error) if is_gone(&error) => return Ok(Vec::new()),
        opened => opened.map_err(failed)?,
    };
    let mut entries = Dir::new(opened).map_err(|error| failed(error.into()))?;
    let mut found = Vec::new();
    while let Some(entry) = entries.read() {
        let entry = entry.map_err(|error| failed(error.into()))?;
        let name = entry.file_name();
        if matches!(name.to_bytes(), b"." | b"..") {
            continue;
        }
        let at = entries.fd().map_err(|error| failed(error.into()))?;
        match rustix::fs::statat(at, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => {
                let path = dir.join(name.to_bytes());
                let held = held(place, &path, &stat).map_err(failed)?;
                let permissions = Stamp::of(&stat).permissions();
                found.push((name.to_bytes().to_vec(), UpperEntry { held, permissions }));
            }
            Err(Errno::NOENT) => {}
            Err(error) => return Err(failed(error.into())),
        }
    }
    Ok(found)
}

fn held(place: &Beneath, path: &RelPath, stat: &rustix::fs::Stat) -> io::Result<Held> {
    Ok(match FileType::from_raw_mode(stat.st_mode) {
        FileType::RegularFile => Held::File,
        FileType::Symlink => Held::Link,
        FileType::CharacterDevice if stat.st_rdev == 0 => Held::Whiteout,
        FileType::Directory => Held::Dir { hides: hides(place, path)? },
        _ => Held::Special,
    })
}

fn hides(place: &Beneath, path: &RelPath) -> io::Result<bool> {
    let dir = place.owned_dir(path)?;
    let mut value = [0; 8];
    match rustix::fs::fgetxattr(&dir, OPAQUE, &mut value) {
        Ok(length) => Ok(value[..length].starts_with(b"y")),
        Err(Errno::NODATA | Errno::OPNOTSUPP) => Ok(false),
        // Longer than any that overlayfs writes.
        Err(Errno::RANGE) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

impl Tree {
    /// Whether it is a delta file or a directory above one.
    pub(crate) fn holds_delta(&self, path: &RelPath) -> bool {
        let first = path.join(b"");
        let below = |delta: &RelPath| delta == path || delta.bytes().starts_with(first.bytes());
        self.delta.iter().any(|delta| below(&self.label_of(delta)))
    }
}

/// Which entries decide what a path is in the view.
pub(crate) enum Reached {
    Untouched,
    Gone,
    Cut,
    Held(UpperEntry),
}

impl Contents {
    pub(crate) fn reach(&self, label: &RelPath) -> Reached {
        let mut above: Vec<RelPath> = label.ancestors().collect();
        let mut hidden = false;
        while let Some(dir) = above.pop() {
            match self.entries.get(&dir).map(|entry| entry.held) {
                None => {}
                Some(Held::Dir { hides }) => hidden |= hides,
                Some(Held::Whiteout) => return Reached::Gone,
                Some(Held::File | Held::Link | Held::Special) => return Reached::Cut,
            }
        }
        match self.entries.get(label) {
            Some(entry) => Reached::Held(*entry),
            None if hidden => Reached::Gone,
            None => Reached::Untouched,
        }
    }
}
