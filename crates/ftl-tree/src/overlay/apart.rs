//! Setting apart what is not taken over: strays, versions that somebody else's work kept out of the
//! tree, and the partial work of a request that was interrupted. It is moved from the upper layer and was
//! never in the tree.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use ftl_model::DeltaPath;

use super::upper::Held;
use super::written::Written;
use crate::beneath::is_gone;
use crate::{RelPath, Tree, TreeError};

/// What was set apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SetApart {
    /// Paths whose content was moved to the directory given, as people are told of them.
    pub moved: Vec<String>,
    /// Paths that were deleted in the view, of which there is nothing to move.
    pub deleted: Vec<String>,
}

impl Tree {
    /// Moves strays to `dir`.
    ///
    /// # Errors
    /// When the file system refuses.
    pub fn set_strays_apart(&self, written: &Written, dir: &Path) -> Result<SetApart, TreeError> {
        let paths: BTreeSet<RelPath> = written.strays.keys().cloned().collect();
        self.set_apart(written, &paths, dir)
    }

    /// Moves the implementer's versions of these delta files to `dir`.
    ///
    /// # Errors
    /// When the file system refuses.
    pub fn set_delta_apart(
        &self,
        written: &Written,
        delta: &BTreeSet<DeltaPath>,
        dir: &Path,
    ) -> Result<SetApart, TreeError> {
        let paths = delta.iter().map(|path| self.label_of(path)).collect();
        self.set_apart(written, &paths, dir)
    }

    /// Moves everything but scratch to `dir`.
    ///
    /// # Errors
    /// When the file system refuses.
    pub fn set_all_apart(&self, written: &Written, dir: &Path) -> Result<SetApart, TreeError> {
        let delta = written.delta.keys().map(|path| self.label_of(path));
        let others = written.strays.keys().chain(written.allowed.keys()).cloned();
        self.set_apart(written, &delta.chain(others).collect(), dir)
    }

    /// Moves git's objects and references that were made in the view to `dir`, so that commits can be
    /// had again. Returns the directory of the objects.
    ///
    /// # Errors
    /// When the file system refuses.
    pub fn set_commits_apart(
        &self,
        written: &Written,
        dir: &Path,
    ) -> Result<Option<PathBuf>, TreeError> {
        let mut objects = None;
        for name in ["objects", "refs", "logs", "HEAD", "packed-refs"] {
            let label = RelPath::new(".git").join(name.as_bytes());
            let (place, inner) = written.uppers.locate(&label);
            if !matches!(place.stamp(&inner), Ok(Some(_))) {
                continue;
            }
            let to = dir.join(name);
            super::scratch::bring_out(place, &inner, &to)
                .map_err(TreeError::io("move", place.full(&inner)))?;
            if name == "objects" {
                objects = Some(to);
            }
        }
        Ok(objects)
    }

    fn set_apart(
        &self,
        written: &Written,
        paths: &BTreeSet<RelPath>,
        dir: &Path,
    ) -> Result<SetApart, TreeError> {
        let mut done = SetApart::default();
        for path in paths {
            let held = written.contents.entries.get(path).map(|entry| entry.held);
            let told = self.told(path);
            match held {
                None | Some(Held::Whiteout) => done.deleted.push(told),
                Some(Held::Dir { .. }) => {
                    // What is in it has entries of its own.
                    let to = target(dir, path);
                    std::fs::create_dir_all(&to).map_err(TreeError::io("make", &to))?;
                    done.moved.push(told);
                }
                Some(Held::File | Held::Link | Held::Special) => {
                    move_one(written, path, dir)?;
                    done.moved.push(told);
                }
            }
        }
        Ok(done)
    }
}

fn move_one(written: &Written, path: &RelPath, dir: &Path) -> Result<(), TreeError> {
    let (place, inner) = written.uppers.locate(path);
    let to = free_name(&target(dir, path));
    let parent = to.parent().map_or(Ok(()), std::fs::create_dir_all);
    let moved = parent.and_then(|()| super::scratch::bring_out(place, &inner, &to));
    match moved {
        // A pipe or socket has no content to keep.
        Err(error) if is_gone(&error) || error.kind() == io::ErrorKind::Unsupported => Ok(()),
        moved => moved.map_err(TreeError::io("move", place.full(&inner))),
    }
}

/// Where a path lies below the directory of what was set apart.
fn target(dir: &Path, path: &RelPath) -> PathBuf {
    dir.join(path.as_path())
}

/// The first of several is kept under its own name.
fn free_name(to: &Path) -> PathBuf {
    let mut number = 1;
    let mut free = to.to_path_buf();
    while free.symlink_metadata().is_ok() {
        number += 1;
        let mut name = to.file_name().unwrap_or_default().to_os_string();
        name.push(format!(".again-{number}"));
        free = to.with_file_name(name);
    }
    free
}
