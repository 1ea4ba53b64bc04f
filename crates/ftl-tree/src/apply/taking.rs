//! Taking in what was set apart: strays of a request that belong to the task after all.
//!
//! They are copied, so that an interrupt loses nothing and the command can be repeated. A path is written only
//! where the tree is still what the caller saw there, and by a rename: a person who writes at the same time is
//! overwritten in the instant between a look and a system call at most.

use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use ftl_model::DeltaPath;

use crate::digest::digest_of;
use crate::openat::{Attributes, Beneath, Rights, is_gone, move_new};
use crate::stamp::EntryType;
use crate::{FileState, RelPath, Tree, TreeError};

/// A directory below the root with files that were set apart.
#[derive(Debug)]
pub struct Apart {
    place: Beneath,
}

/// What is kept of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kept {
    /// A regular file.
    File(FileState),
    /// A link, and where it leads.
    Link(Vec<u8>),
    /// A directory, with the files and links below it.
    Dir(Vec<String>),
    /// A pipe, a socket or a device.
    Special,
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
        match self.places.top.beneath(&path) {
            Ok(place) => Ok(Some(Apart { place })),
            Err(error) if is_gone(&error) => Ok(None),
            Err(error) => Err(TreeError::io("open", self.places.top.full(&path))(error)),
        }
    }

    /// How a file below the root is now, be it of the delta or not.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn file_state(&self, path: &DeltaPath) -> Result<FileState, TreeError> {
        self.state(path)
    }

    /// Where a link at this path leads; `None` where there is none.
    #[must_use]
    pub fn link_at(&self, path: &DeltaPath) -> Option<Vec<u8>> {
        self.places.top.link_target(&self.places.of_delta(path)).ok()
    }

    /// Copies what is kept of `path` into the tree, with its mode, where the tree is still as `seen`.
    ///
    /// # Errors
    /// When the file system refuses.
    pub fn take(
        &self,
        apart: &Apart,
        path: &DeltaPath,
        seen: &FileState,
    ) -> Result<Taking, TreeError> {
        let kept = apart.kept(path.as_str())?;
        let now = self.state(path)?;
        match &kept {
            Some(Kept::File(state)) if *state == now => return Ok(Taking::There),
            Some(Kept::Link(target)) if self.link_at(path).as_ref() == Some(target) => {
                return Ok(Taking::There);
            }
            Some(Kept::File(_) | Kept::Link(_)) if now == *seen => {}
            _ => return Ok(Taking::InTheWay),
        }
        let place = self.places.of_delta(path);
        self.copy_in(apart, path, &place, seen)
            .map_err(TreeError::io("write", self.places.top.full(&place)))
    }

    fn copy_in(
        &self,
        apart: &Apart,
        path: &DeltaPath,
        place: &RelPath,
        seen: &FileState,
    ) -> io::Result<Taking> {
        let top = &self.places.top;
        let from = RelPath::new(path.as_str().as_bytes());
        top.make_parents(place)?;
        let (parent, name) = place.split();
        let new = parent.join(&[b".", name, b".ftl-new"].concat());
        // A crash in the middle of an earlier attempt leaves its new file behind.
        ftl_store::unless_missing(top.remove(&new))?;
        match apart.place.stamp(&from)? {
            Some(stamp) if stamp.kind() == EntryType::Link => {
                top.make_link(&new, &apart.place.link_target(&from)?)?;
            }
            Some(stamp) => {
                let mut content = apart.place.file(&from)?;
                let attributes = Attributes::of(&content)?;
                let rights =
                    Rights { permissions: stamp.permissions(), ids: None, attributes: &attributes };
                let file = top.make_file(&new, &mut content, Some(rights))?;
                file.sync_all()?;
            }
            None => return Err(io::ErrorKind::NotFound.into()),
        }
        let placed = self.place(&new, place, path, seen);
        if !matches!(placed, Ok(Taking::Taken)) {
            let _ = top.remove(&new);
        }
        placed
    }

    /// The last look, and the rename.
    fn place(
        &self,
        new: &RelPath,
        place: &RelPath,
        path: &DeltaPath,
        seen: &FileState,
    ) -> io::Result<Taking> {
        let top = &self.places.top;
        if seen.kind.is_some() {
            if self.state(path).map_err(io::Error::other)? != *seen {
                return Ok(Taking::InTheWay);
            }
            top.rename(new, place)?;
        } else {
            let dir = top.parent(place)?;
            match move_new((&dir, new.name()), (&dir, place.name())) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    return Ok(Taking::InTheWay);
                }
                moved => moved?,
            }
        }
        top.sync_dir(&place.split().0)?;
        Ok(Taking::Taken)
    }
}

impl Apart {
    /// What is kept under a path; `None` where nothing is.
    ///
    /// # Errors
    /// When the file system refuses.
    pub fn kept(&self, path: &str) -> Result<Option<Kept>, TreeError> {
        let at = RelPath::new(path.as_bytes());
        let kept = self.look(&at);
        kept.map_err(TreeError::io("look at", self.place.full(&at)))
    }

    /// What kind of thing is kept under a path. Its content is not looked at.
    #[must_use]
    pub fn kind(&self, path: &str) -> Option<EntryType> {
        let stamp = self.place.stamp(&RelPath::new(path.as_bytes()));
        Some(stamp.ok()??.kind())
    }

    fn look(&self, at: &RelPath) -> io::Result<Option<Kept>> {
        let stamp = match self.place.stamp(at) {
            Err(error) if is_gone(&error) => return Ok(None),
            stamp => stamp?,
        };
        let Some(stamp) = stamp else { return Ok(None) };
        Ok(Some(match stamp.kind() {
            EntryType::File => {
                let digest = digest_of(&mut self.place.file(at)?)?;
                Kept::File(FileState::regular(digest, stamp.permissions()))
            }
            EntryType::Link => Kept::Link(self.place.link_target(at)?),
            EntryType::Dir => Kept::Dir(self.below(at)?),
            EntryType::Special => Kept::Special,
        }))
    }

    /// The files and links below a directory, by their paths in all.
    fn below(&self, at: &RelPath) -> io::Result<Vec<String>> {
        let mut found = Vec::new();
        let mut open = vec![at.clone()];
        while let Some(dir) = open.pop() {
            for name in self.place.names(&dir)? {
                let path = dir.join(&name);
                match self.place.stamp(&path)?.map(|stamp| stamp.kind()) {
                    Some(EntryType::Dir) => open.push(path),
                    Some(EntryType::File | EntryType::Link) if found.len() < MOST => {
                        found.extend(String::from_utf8(path.bytes().to_vec()));
                    }
                    _ => {}
                }
            }
        }
        found.sort();
        Ok(found)
    }
}
