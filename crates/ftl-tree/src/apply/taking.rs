//! Taking in what was set apart: strays of a request that belong to the task after all.
//!
//! They are copied, so that an interrupt loses nothing and the command can be repeated. A path is written only
//! where the tree is still what the caller saw there.

use std::fs::File;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use ftl_model::DeltaPath;

use super::replacing::clear_beside;
use super::{Apply, Change};
use crate::openat::{At, Attributes, Beneath, Rights, copy_data, is_gone};
use crate::stamp::EntryType;
use crate::{PathState, RelPath, Tree, TreeError};

/// A directory below the root with files that were set apart.
#[derive(Debug)]
pub struct Apart {
    place: Beneath,
}

/// What became of taking a path in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taking {
    /// It is in the tree.
    Taken,
    /// It was there already.
    There,
    /// Something else is there by now, and is left alone.
    InTheWay,
}

/// Files and links of one directory that are taken at once.
const MOST: usize = 10_000;

impl Tree {
    /// Opens a directory below the root, without following links; `None` where there is none.
    ///
    /// # Errors
    /// When the file system refuses.
    pub fn apart(&self, dir: &Path) -> Result<Option<Apart>, TreeError> {
        let below = dir.strip_prefix(self.root()).unwrap_or(dir);
        let path = self.places.root().join(below.as_os_str().as_bytes());
        let at = self.places.top.at(&path);
        match at.beneath() {
            Ok(place) => Ok(Some(Apart { place })),
            Err(error) if is_gone(&error) => Ok(None),
            Err(error) => Err(at.failed("open")(error)),
        }
    }

    /// Copies what is kept of `path` into the tree, with its mode, where the tree is still as `seen`.
    ///
    /// # Errors
    /// When the file system refuses.
    pub fn take(
        &self,
        apart: &Apart,
        path: &DeltaPath,
        seen: &PathState,
    ) -> Result<Taking, TreeError> {
        let kept = apart.kept(path.as_str())?;
        let now = self.state(path)?;
        if kept == now && !kept.is_nothing() {
            // An earlier command may have been killed before it removed what it had replaced.
            let change = Change::new(self.places.of_delta(path), seen.clone(), kept);
            let at = self.at(&change.path);
            let is_clear = clear_beside(&change, &at).map_err(at.failed("write"))?;
            let stays = is_clear && self.state(path)? == change.after;
            return Ok(if stays { Taking::There } else { Taking::InTheWay });
        }
        let is_taken = matches!(kept, PathState::File { .. } | PathState::Link { .. });
        if !is_taken || now != *seen {
            return Ok(Taking::InTheWay);
        }
        let change = Change::new(self.places.of_delta(path), now, kept);
        let at = self.at(&change.path);
        at.make_parents().map_err(at.failed("write"))?;
        let fill = |change: &Change, file: &mut File| {
            let mut source = apart.at(path.as_str()).file()?;
            copy_data(&mut source, file)?;
            let permissions = change.after.permissions().unwrap_or(0o644);
            let attributes = &Attributes::of(&source)?;
            Rights { permissions, ids: None, attributes }.give(file)
        };
        let apply = Apply { to: &|label| self.at(label), fill: &fill, durable: true };
        let left = apply.run(&[change])?;
        Ok(if left.is_empty() { Taking::Taken } else { Taking::InTheWay })
    }
}

impl Apart {
    fn at(&self, path: &str) -> At<'_> {
        self.place.at(&RelPath::new(path.as_bytes()))
    }

    /// What is kept under a path.
    ///
    /// # Errors
    /// When the file system refuses.
    pub fn kept(&self, path: &str) -> Result<PathState, TreeError> {
        let at = self.at(path);
        PathState::of(&at).map_err(at.failed("look at"))
    }

    /// What kind of thing is kept under a path. Its content is not looked at.
    #[must_use]
    pub fn kind(&self, path: &str) -> Option<EntryType> {
        self.at(path).kind().ok()?
    }

    /// The files and links below a directory, by their paths in all.
    ///
    /// # Errors
    /// When the file system refuses.
    pub fn below(&self, path: &str) -> Result<Vec<String>, TreeError> {
        let mut found = Vec::new();
        let mut open = vec![self.at(path)];
        while let Some(dir) = open.pop() {
            for name in dir.names().map_err(dir.failed("look at"))? {
                let at = dir.join(&name);
                match at.kind().map_err(at.failed("look at"))? {
                    Some(EntryType::Dir) => open.push(at),
                    Some(EntryType::File | EntryType::Link) if found.len() < MOST => {
                        found.extend(String::from_utf8(at.path.bytes().to_vec()));
                    }
                    _ => {}
                }
            }
        }
        found.sort();
        Ok(found)
    }
}
