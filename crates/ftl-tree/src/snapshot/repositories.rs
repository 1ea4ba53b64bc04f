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
use crate::walk::stamps::Stamps;
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
pub(crate) fn hold(tree: &Tree, entries: &Stamps, dir: &Path) -> Result<Holding, TreeError> {
    let mut holding = Holding::default();
    let is_repository =
        |(path, stamp): &(&RelPath, &Stamp)| path.name() == b".git" && stamp.is_dir();
    for (path, _) in entries.iter().filter(is_repository) {
        let held = Beneath::make(&dir.join(HELD)).map_err(TreeError::io("make", dir))?;
        let to = held.at(&RelPath::new(holding.held.len().to_string()));
        let mut room = Room {
            files: MOST_FILES,
            bytes: tree.settings.max_backup,
            of: "`scope.max_backup` allows",
        };
        match tree.at(path).copy_all(&to, &mut room, Some("objects")) {
            Ok(()) => holding.held.push(path.clone()),
            Err(error) => {
                to.remove_all().map_err(to.failed("remove"))?;
                holding.warnings.push(format!(
                    "the commits in `{}` could not be put back: {}",
                    tree.shown(path),
                    with_causes(&error)
                ));
            }
        }
    }
    if !holding.held.is_empty() {
        let synced = Beneath::open(&dir.join(HELD)).and_then(|held| held.sync_all());
        synced.map_err(TreeError::io("sync", dir))?;
    }
    Ok(holding)
}

/// Lets go of what is held in the directory of a snapshot.
pub(crate) fn let_go(dir: &Path) -> Result<(), TreeError> {
    remove_layers(&dir.join(HELD))
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
        let place = self.at(path);
        place.make_parents()?;
        let (above, name) = Beneath::around(held)?;
        move_new((&above.top().dir()?, name.bytes()), (&*place.parent()?, place.name()))?;
        place.sync_parent()
    }
}
