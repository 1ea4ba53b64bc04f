//! What the upper layer holds, read beneath descriptors: paths and kinds, no contents.
//!
//! Scratch is listed by its topmost path and not entered.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read};
use std::os::fd::OwnedFd;
use std::path::Path;

use rustix::fs::{AtFlags, FileType, Stat};
use rustix::io::Errno;

use super::OverlayLayer;
use crate::openat::{At, Beneath, is_gone};
use crate::stamp::{EntryType, Stamp};
use crate::walk::is_in_store;
use crate::{PathState, RelPath, Tree, TreeError};

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
    pub(crate) stamp: Stamp,
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

    /// Where the layers have a path of the tree.
    pub(crate) fn at(&self, label: &RelPath) -> At<'_> {
        match (&self.git, label.strip(b".git")) {
            (Some(git), Some(path)) => git.at(&path),
            (Some(_), None) | (None, _) => self.tree.at(label),
        }
    }

    /// What an implementer made of a path that it wrote.
    pub(crate) fn state(
        &self,
        label: &RelPath,
        entry: &UpperEntry,
    ) -> Result<PathState, TreeError> {
        let permissions = entry.stamp.permissions();
        match entry.held {
            Held::Whiteout => return Ok(PathState::Nothing),
            Held::Dir { .. } => return Ok(PathState::Dir { permissions }),
            Held::File | Held::Link | Held::Special => {}
        }
        let at = self.at(label);
        let mut state = PathState::of_owned(&at).map_err(at.failed("read"))?;
        if let PathState::File { permissions: now, .. } = &mut state {
            *now = permissions;
        }
        Ok(state)
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
        let at = match (&self.git, dir.bytes()) {
            (Some(git), b".git") => git.top(),
            _ => self.at(dir),
        };
        for (name, entry) in list(&at)? {
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
pub(crate) fn text_of(at: &At<'_>) -> Result<String, TreeError> {
    let mut bytes = Vec::new();
    at.owned_file()
        .and_then(|file| file.take(MAX_TEXT).read_to_end(&mut bytes))
        .map_err(at.failed("read"))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The entries of a directory. One without rights for its owner is opened up first: it is ours.
pub(crate) fn list(dir: &At<'_>) -> Result<Vec<(Vec<u8>, UpperEntry)>, TreeError> {
    let names = match dir.owned_names() {
        Err(error) if is_gone(&error) => return Ok(Vec::new()),
        names => names.map_err(dir.failed("list"))?,
    };
    let mut found = Vec::with_capacity(names.len());
    for name in names {
        let at = dir.join(&name);
        let entry = entry_at(&at).map_err(at.failed("look at"))?;
        found.extend(entry.map(|entry| (name, entry)));
    }
    Ok(found)
}

/// What a layer has at a path, if anything.
pub(crate) fn entry_at(at: &At<'_>) -> io::Result<Option<UpperEntry>> {
    let stat = match rustix::fs::statat(at.parent()?, at.name(), AtFlags::SYMLINK_NOFOLLOW) {
        Err(Errno::NOENT) => return Ok(None),
        stat => stat?,
    };
    let held = match FileType::from_raw_mode(stat.st_mode) {
        FileType::RegularFile => Held::File,
        FileType::Symlink => Held::Link,
        FileType::Directory => Held::Dir { hides: hides(&at.owned_dir()?)? },
        _ if is_whiteout(&stat) => Held::Whiteout,
        _ => Held::Special,
    };
    Ok(Some(UpperEntry { held, stamp: Stamp::of(&stat) }))
}

/// Whether this is how overlayfs marks a deleted path.
pub(crate) fn is_whiteout(stat: &Stat) -> bool {
    let kind = FileType::from_raw_mode(stat.st_mode);
    kind == FileType::CharacterDevice && stat.st_rdev == 0
}

fn hides(dir: &OwnedFd) -> io::Result<bool> {
    let mut value = [0; 8];
    match rustix::fs::fgetxattr(dir, OPAQUE, &mut value) {
        Ok(length) => Ok(value[..length].starts_with(b"y")),
        Err(Errno::NODATA | Errno::OPNOTSUPP) => Ok(false),
        // Longer than any that overlayfs writes.
        Err(Errno::RANGE) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

impl Tree {
    /// All paths below a directory of the tree, without scratch and without what permissions keep from being listed. The
    /// tree is the user's, so that no mode is changed to look.
    pub(crate) fn below(&self, dir: &RelPath) -> Result<Vec<(RelPath, Stamp)>, TreeError> {
        let (mut open, mut found) = (vec![dir.clone()], Vec::new());
        while let Some(dir) = open.pop() {
            let at = self.at(&dir);
            let names = match at.names() {
                Err(error) if is_gone(&error) || at.forbids(EntryType::Dir, &error) => continue,
                names => names.map_err(at.failed("list"))?,
            };
            for name in names {
                let path = dir.join(&name);
                let Some(stamp) = self.at(&path).found()? else {
                    continue;
                };
                if self.is_scratch_by_name(&path, stamp.is_dir()) {
                    continue;
                }
                if stamp.is_dir() {
                    open.push(path.clone());
                }
                found.push((path, stamp));
            }
        }
        Ok(found)
    }

    /// Whether it is a delta file or a directory above one.
    pub(crate) fn holds_delta(&self, path: &RelPath) -> bool {
        let first = path.join(b"");
        let below = |delta: &RelPath| delta == path || delta.bytes().starts_with(first.bytes());
        self.delta.iter().any(|delta| below(&self.places.of_delta(delta)))
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
