//! Repositories within the tree, held for the time of a request.
//!
//! `git clean -ffdx` removes one with all its commits, and copies of its files do not bring those back. So
//! git's directory of each is held beside the snapshot. Objects are linked where the file system is the
//! same, since git never writes one twice; all else is copied. What is too much to copy is not held, and
//! said so.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use ftl_text::with_causes;

use crate::openat::{Beneath, Room, move_new};
use crate::overlay::remove_layers;
use crate::snapshot::Snapshot;
use crate::stamp::Stamp;
use crate::{RelPath, Tree, TreeError};

const HELD: &str = "repositories";

/// A repository of more files is not held.
const MOST_FILES: u64 = 100_000;

/// What is held: each under its place in the list.
#[derive(Debug, Default)]
pub(crate) struct Holding {
    pub(crate) held: Vec<RelPath>,
    pub(crate) warnings: Vec<String>,
}

/// Holds git's directory of every repository within the tree.
pub(crate) fn hold(
    tree: &Tree,
    entries: &BTreeMap<RelPath, Stamp>,
    dir: &Path,
) -> Result<Holding, TreeError> {
    let mut holding = Holding::default();
    let is_repository =
        |(path, stamp): &(&RelPath, &Stamp)| path.name() == b".git" && stamp.is_dir();
    for (path, _) in entries.iter().filter(is_repository) {
        let to = dir.join(HELD).join(holding.held.len().to_string());
        let (place, inner) = tree.places.locate(path);
        match copy(place, &inner, &to, tree.settings.max_backup) {
            Ok(()) => holding.held.push(path.clone()),
            Err(error) => {
                remove_layers(&to)?;
                holding.warnings.push(format!(
                    "the commits in `{}` could not be put back: {}",
                    tree.shown(path),
                    with_causes(&error)
                ));
            }
        }
    }
    if let Some(last) = holding.held.len().checked_sub(1) {
        let last = dir.join(HELD).join(last.to_string());
        let synced = Beneath::open(&last).and_then(|held| held.sync_all());
        synced.map_err(TreeError::io("sync", last))?;
    }
    Ok(holding)
}

/// Lets go of what is held in the directory of a snapshot.
pub(crate) fn let_go(dir: &Path) -> Result<(), TreeError> {
    remove_layers(&dir.join(HELD))
}

/// Copies a directory, and links the objects in it.
fn copy(from: &Beneath, top: &RelPath, to: &Path, limit: u64) -> io::Result<()> {
    let mut room = Room { files: MOST_FILES, bytes: limit, of: "`scope.max_backup` allows" };
    from.copy_dir(top, &Beneath::make(to)?, &RelPath::default(), &mut room, |path| {
        path.components().next() == Some(b"objects")
    })
}

impl Snapshot {
    /// The repositories that can be brought back, each with the directory that is held of it.
    pub(crate) fn held_repositories(&self) -> BTreeMap<&RelPath, PathBuf> {
        let all = self.held().iter().enumerate();
        let places = all.map(|(number, path)| {
            let place = self.dir().join(HELD).join(number.to_string());
            (path, place)
        });
        places.filter(|(_, place)| place.is_dir()).collect()
    }
}

impl Tree {
    /// Brings back git's directory of a repository within the tree.
    pub(crate) fn bring_back_repository(&self, path: &RelPath, held: &Path) -> io::Result<()> {
        let (place, inner) = self.places.locate(path);
        place.make_parents(&inner)?;
        let above = held.parent().unwrap_or(held);
        let name = held.file_name().unwrap_or_default();
        let from = Beneath::open(above)?.dir(&RelPath::default())?;
        let to = place.parent(&inner)?;
        move_new((&from, name.as_encoded_bytes()), (&to, inner.name()))?;
        place.sync_dir(&inner.split().0)
    }
}
