//! Work that was not done in a mounted view, but in another copy of the tree, on another machine say: it is written
//! into the upper layer of a view. From there it is classified, merged and taken over as the work of any request is.

use std::io;
use std::path::PathBuf;

use rustix::fs::FileType;

use super::OverlayLayer;
use crate::openat::{At, Beneath};
use crate::stamp::EntryType;
use crate::{RelPath, Tree, TreeError};
use ftl_model::DeltaPath;

/// A file as it became elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaidFile {
    /// From the root.
    pub path: DeltaPath,
    /// A file with its bytes, and its permissions; `None` where it was deleted.
    pub content: Option<(PathBuf, u32)>,
}

/// An upper layer that is written. Directories get the modes that they have in a tree.
pub(super) struct Laying<'a> {
    tree: &'a Tree,
    upper: Beneath,
}

impl<'a> Laying<'a> {
    pub(super) fn new(tree: &'a Tree, layers: &[OverlayLayer]) -> Result<Self, TreeError> {
        let upper = &layers.first().expect("because something is always watched").upper;
        let upper = Beneath::open(upper).map_err(TreeError::io("open", upper.as_path()))?;
        Ok(Self { tree, upper })
    }

    /// The place of a path, with the directories above it.
    pub(super) fn place(&self, label: &RelPath) -> io::Result<At<'_>> {
        for dir in label.ancestors().collect::<Vec<_>>().into_iter().rev() {
            self.dir(&dir)?;
        }
        Ok(self.upper.at(label))
    }

    pub(super) fn dir(&self, label: &RelPath) -> io::Result<()> {
        let at = self.upper.at(label);
        if at.stamp()?.is_some() {
            return Ok(());
        }
        at.make_dir()?;
        let stamp = self.tree.at(label).stamp()?.filter(|stamp| stamp.kind() == EntryType::Dir);
        at.set_permissions(stamp.map_or(0o755, |stamp| stamp.permissions()))
    }
}

/// Marks a path as deleted, as overlayfs does. Any user may make such a device.
pub(super) fn whiteout(at: &At<'_>) -> io::Result<()> {
    at.make_node(FileType::CharacterDevice, 0)
}

impl Tree {
    /// Whether a path outside the delta may change, by `scope.allow`.
    #[must_use]
    pub fn allows(&self, path: &DeltaPath) -> bool {
        self.may_change(&self.places.of_delta(path))
    }

    /// Writes files into the layers of a view of this tree.
    ///
    /// # Errors
    /// When a file cannot be read, or the layers cannot be written.
    pub fn lay_in(&self, layers: &[OverlayLayer], files: &[LaidFile]) -> Result<(), TreeError> {
        let laying = Laying::new(self, layers)?;
        for file in files {
            let written = self.lay_in_one(&laying, file);
            written.map_err(TreeError::io("lay out", self.root().join(&file.path)))?;
        }
        Ok(())
    }

    fn lay_in_one(&self, laying: &Laying<'_>, file: &LaidFile) -> io::Result<()> {
        let label = self.places.of_delta(&file.path);
        let to = laying.place(&label)?;
        let Some((content, permissions)) = &file.content else {
            return match self.at(&label).stamp()? {
                None => Ok(()),
                Some(_) => whiteout(&to),
            };
        };
        let (from, name) = Beneath::around(content)?;
        if from.at(&name).copy_to(&to)? {
            to.set_permissions(*permissions)?;
        }
        Ok(())
    }
}
