//! Workplaces: private copies of the tree in which implementers write, so that nothing they do reaches the project
//! before it lands, and several work at the same time.
//!
//! A [`Workplace`] is a directory of ftl's own. [`Workplace::refresh`] makes its copy equal to the tree, by what differs
//! (`refreshing`); [`Workplace::mounts`] says what covers the root with it (`placing`); [`Workplace::changes`]
//! compares it with its base (`changes`).
//!
//! What a path becomes:
//!
//! - Tracked files, and untracked ones that git does not ignore, are copied. So are other ignored files, up to
//!   `scope.max_backup`; larger ones are read where they are.
//! - Of a `.ftl`, runs and locks are not copied.
//! - Git's directories are copied but for their objects, which are read where they are (`repositories`).
//! - Directories of dependencies are the project's own, to be read, and build outputs belong to the workplace
//!   (`outputs`): they are copied at first up to a bound, then kept from task to task.
//!
//! No journal is kept. The `base` holds, for each path, how it looked in the tree and how its copy looked, and
//! it is replaced when a refresh is over. A refresh that was cut off leaves copies that look otherwise than their
//! base says, and these are made again. After a restart of the system nothing is trusted, since no copy is
//! synced: the workplace is made again.

mod base;
mod changes;
mod commits;
mod files;
mod mounts;
mod outputs;
mod placing;
mod refreshing;
mod repositories;

use std::collections::BTreeMap;
use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use crate::globs::Globs;
use crate::openat::Beneath;
use crate::walk::scratch::ScratchNames;
use crate::{RelPath, Tree, TreeError};

use base::Base;

pub use mounts::{Layer, Mounts, Placement};

/// The workplaces in a directory that holds nothing else, each named by its number. What is not is passed over.
///
/// # Errors
/// When the directory cannot be listed.
pub fn workplaces_in(dir: &Path) -> Result<BTreeMap<u32, PathBuf>, TreeError> {
    let entries = match fs::read_dir(dir) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(BTreeMap::new()),
        entries => entries.map_err(TreeError::io("list", dir))?,
    };
    let mut found = BTreeMap::new();
    for entry in entries {
        let path = entry.map_err(TreeError::io("list", dir))?.path();
        let number = path.file_name().and_then(|name| name.to_str()?.parse().ok());
        if let Some(number) = number.filter(|_| path.is_dir()) {
            found.insert(number, path);
        }
    }
    Ok(found)
}

/// Removes a directory of ftl's own, also what its modes keep its owner from.
///
/// # Errors
/// When the file system refuses.
pub fn remove_dir(dir: &Path) -> Result<(), TreeError> {
    let removed = Beneath::around(dir).and_then(|(above, name)| above.at(&name).remove_all());
    ftl_store::unless_missing(removed).map_err(TreeError::io("remove", dir))
}

/// A private copy of a tree.
#[derive(Debug)]
pub struct Workplace {
    /// Without links.
    dir: PathBuf,
    placement: Placement,
    base: Option<Base>,
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

impl Workplace {
    /// Opens the workplace in `dir`, which is made where it is missing, private to this user.
    ///
    /// # Errors
    /// When the directory cannot be made.
    pub fn open(dir: &Path, placement: Placement) -> Result<Self, TreeError> {
        let made = DirBuilder::new().recursive(true).mode(0o700).create(dir);
        made.map_err(TreeError::io("make", dir))?;
        let dir = dir.canonicalize().map_err(TreeError::io("find", dir))?;
        Ok(Self { dir, placement, base: None })
    }

    /// How it is placed.
    #[must_use]
    pub fn placement(&self) -> Placement {
        self.placement
    }

    /// Its directory: all that is written in the workplace is below it.
    #[must_use]
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Looks at the copy as the last refresh of an earlier process left it; `false` where there was none of this tree.
    pub fn load(&mut self, tree: &Tree) -> bool {
        self.base = Base::load(&self.dir).filter(|base| base.is_of(tree, self.placement));
        self.base.is_some()
    }

    /// Makes the copy equal to the tree. The caller holds the tree's lock, and no process works in the workplace.
    ///
    /// Delta files of `tree` are copied also where they are scratch. After an error the workplace can be refreshed
    /// again, or removed.
    ///
    /// # Errors
    /// When the tree cannot be read or the copy cannot be written; see [`TreeError::is_no_room`].
    pub fn refresh(&mut self, tree: &Tree) -> Result<Refreshed, TreeError> {
        tree.check_place()?;
        self.base = None;
        outputs::clear_layers(&self.dir)?;
        let base = Base::load(&self.dir).filter(|base| base.is_of(tree, self.placement));
        let (base, refreshed) = match base {
            Some(base) => refreshing::refresh(&self.dir, tree, self.placement, Some(base))?,
            None => self.make(tree)?,
        };
        base.store(&self.dir)?;
        self.base = Some(base);
        Ok(refreshed)
    }

    /// Makes the whole copy. After an error nothing of it is left, which gives its room back.
    fn make(&self, tree: &Tree) -> Result<(Base, Refreshed), TreeError> {
        self.clear()?;
        let made = refreshing::refresh(&self.dir, tree, self.placement, None);
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
                remove_dir(&path)?;
            }
        }
        Ok(())
    }

    /// Removes the workplace with its build outputs. No process may work in it.
    ///
    /// # Errors
    /// When the file system refuses.
    pub fn remove(self) -> Result<(), TreeError> {
        remove_dir(&self.dir)
    }

    /// The copy as a tree, with the delta and the settings of `tree`. Build outputs are scratch in it.
    ///
    /// # Errors
    /// When the workplace was not refreshed, or the copy cannot be opened.
    pub fn tree(&self, tree: &Tree) -> Result<Tree, TreeError> {
        self.base()?;
        let places = repositories::places(&self.dir, tree)?;
        Ok(Tree {
            root: places.top.at(places.root()).full(),
            places,
            delta: tree.delta.clone(),
            names: ScratchNames::with_outputs(&tree.settings.scratch),
            allowed: Globs::new(&tree.settings.allow),
            left_out: tree.left_out.clone(),
            settings: tree.settings.clone(),
            warnings: Vec::new(),
        })
    }

    fn base(&self) -> Result<&Base, TreeError> {
        let missing = || TreeError::io("read", &self.dir)(io::ErrorKind::NotFound.into());
        self.base.as_ref().ok_or_else(missing)
    }
}
