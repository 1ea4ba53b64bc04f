//! Slots: frozen copies of the tree, each the lower layer of a view, so that several implementers work at the
//! same time and none sees what lands while it works.
//!
//! A [`Slot`] is a directory of ftl's own. [`Slot::refresh`] makes its copy equal to the tree, by what differs
//! (`refreshing`); [`Slot::view`] says what a view of it mounts at the tree's own path, and [`Slot::tree`] opens
//! the copy as a [`Tree`], with which the work in the view is compared (`viewing`).
//!
//! What a path becomes:
//!
//! - Tracked files, and untracked ones that git does not ignore, are copied. So are other ignored files, up to
//!   `scope.max_backup`.
//! - What the caller leaves out of copies in a `.ftl` is not copied ([`OwnFiles::is_never_copied`](crate::OwnFiles)).
//! - Git's directories are copied but for their objects, which are read where they are (`repositories`).
//! - Of dependency directories, and of ignored directories that are too large to copy, the view has the tree's
//!   own, below a private upper layer.
//! - Build outputs belong to the slot (`outputs`): copied at first up to a bound, then kept from task to task.
//!
//! No journal is kept. The `base` holds, for each path, how it looked in the tree and how its copy looked, and
//! it is replaced when a refresh is over. A refresh that was cut off leaves copies that look otherwise than their
//! base says, and these are made again. After a restart of the system nothing is trusted, since no copy is
//! synced: the slot is made again.

mod base;
mod files;
pub(crate) mod outputs;
mod refreshing;
mod repositories;
mod viewing;

use std::collections::BTreeMap;
use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use crate::overlay::remove_layers;
use crate::{RelPath, Tree, TreeError};

use base::{Base, Kept};

pub use viewing::SlotView;

/// The slots in a directory that holds nothing else, each named by its number. What is not is passed over.
///
/// # Errors
/// When the directory cannot be listed.
pub fn slots_in(dir: &Path) -> Result<BTreeMap<u32, PathBuf>, TreeError> {
    let entries = match fs::read_dir(dir) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(BTreeMap::new()),
        entries => entries.map_err(TreeError::io("list", dir))?,
    };
    let mut slots = BTreeMap::new();
    for entry in entries {
        let path = entry.map_err(TreeError::io("list", dir))?.path();
        let number = path.file_name().and_then(|name| name.to_str()?.parse().ok());
        if let Some(number) = number.filter(|_| path.is_dir()) {
            slots.insert(number, path);
        }
    }
    Ok(slots)
}

/// A frozen copy of a tree.
#[derive(Debug)]
pub struct Slot {
    /// Without links.
    dir: PathBuf,
    number: u32,
    base: Option<Kept>,
}

/// What a refresh did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Refreshed {
    /// The whole copy was made: there was none, or it could not be trusted.
    pub made: bool,
    /// Paths of the copy.
    pub paths: usize,
    /// Paths that were copied, from the top of the tree, sorted. None is listed if the whole copy was made.
    pub changed: Vec<RelPath>,
    /// Paths that were removed, in the same way.
    pub dropped: Vec<RelPath>,
    /// Files and directories that cannot be read, so that the copy has something in their place that cannot be
    /// read either.
    pub unreadable: Vec<RelPath>,
}

impl Slot {
    /// Opens the slot in `dir`, which is made where it is missing, private to this user. The file system must
    /// be one that can be the lower layer of an overlay.
    ///
    /// # Errors
    /// When the directory cannot be made.
    pub fn open(dir: &Path, number: u32) -> Result<Self, TreeError> {
        let made = DirBuilder::new().recursive(true).mode(0o700).create(dir);
        made.map_err(TreeError::io("make", dir))?;
        let dir = dir.canonicalize().map_err(TreeError::io("find", dir))?;
        Ok(Self { dir, number, base: None })
    }

    /// The number that it was opened with.
    #[must_use]
    pub fn number(&self) -> u32 {
        self.number
    }

    /// Its directory.
    #[must_use]
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Goes on with the copy as the last refresh, perhaps of an earlier process, left it.
    ///
    /// # Errors
    /// When there was none.
    pub fn load(&mut self) -> Result<(), TreeError> {
        self.base = Base::load(&self.dir).map(Kept::from);
        self.base().map(drop)
    }

    /// Makes the copy equal to the tree. The caller holds the tree's lock, and no view of the slot is mounted.
    ///
    /// Delta files of `tree` are copied also where they are scratch. After an error the slot can be refreshed
    /// again, or removed.
    ///
    /// # Errors
    /// When the tree cannot be read or the copy cannot be written; see [`TreeError::is_no_room`].
    pub fn refresh(&mut self, tree: &Tree) -> Result<Refreshed, TreeError> {
        tree.check_place()?;
        self.base = None;
        let base = Base::load(&self.dir).filter(|base| base.is_of(tree));
        let (base, refreshed) = match base {
            Some(base) => refreshing::refresh(&self.dir, tree, Some(base))?,
            None => self.make(tree)?,
        };
        base.store(&self.dir)?;
        self.base = Some(base.into());
        Ok(refreshed)
    }

    /// Makes the whole copy. After an error nothing of it is left, which gives its room back.
    fn make(&self, tree: &Tree) -> Result<(Base, Refreshed), TreeError> {
        self.clear()?;
        let made = refreshing::refresh(&self.dir, tree, None);
        if made.is_err() {
            self.clear()?;
        }
        made
    }

    fn clear(&self) -> Result<(), TreeError> {
        let entries = fs::read_dir(&self.dir).map_err(TreeError::io("list", &self.dir))?;
        // The base goes first: without it nothing else counts.
        Base::forget(&self.dir)?;
        for entry in entries {
            let path = entry.map_err(TreeError::io("list", &self.dir))?.path();
            if path.is_dir() {
                remove_layers(&path)?;
            }
        }
        Ok(())
    }

    /// Removes the slot with its build outputs. No view of it may be mounted.
    ///
    /// # Errors
    /// When the file system refuses.
    pub fn remove(self) -> Result<(), TreeError> {
        remove_layers(&self.dir)
    }

    fn base(&self) -> Result<&Kept, TreeError> {
        let missing = || TreeError::io("read", &self.dir)(io::ErrorKind::NotFound.into());
        self.base.as_ref().ok_or_else(missing)
    }
}
