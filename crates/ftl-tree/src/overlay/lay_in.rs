//! Work that was done in another copy of the tree, on another machine say: it is written into the upper layers of a
//! view that was never mounted. From there it is classified, merged and taken over as the work of any request is.

use std::io;
use std::path::PathBuf;

use super::OverlayLayer;
use super::landing::whiteout;
use super::scratch::copy_beside;
use crate::openat::Beneath;
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

impl Tree {
    /// Whether a path outside the delta may change, by `scope.allow`.
    #[must_use]
    pub fn allows(&self, path: &DeltaPath) -> bool {
        self.is_allowed(&self.label_of(path))
    }

    /// Writes files into the layers of a view of this tree.
    ///
    /// # Errors
    /// When a file cannot be read, or the layers cannot be written.
    pub fn lay_in(&self, layers: &[OverlayLayer], files: &[LaidFile]) -> Result<(), TreeError> {
        let upper = &layers.first().expect("because something is always watched").upper;
        let upper = Beneath::open(upper).map_err(TreeError::io("open", upper.as_path()))?;
        for file in files {
            let label = self.label_of(&file.path);
            let written = self.lay_in_one(&upper, &label, file);
            written.map_err(TreeError::io("lay out", self.root().join(&file.path)))?;
        }
        Ok(())
    }

    fn lay_in_one(&self, upper: &Beneath, label: &RelPath, file: &LaidFile) -> io::Result<()> {
        for dir in label.ancestors().collect::<Vec<_>>().into_iter().rev() {
            self.lay_out_dir(&dir, upper)?;
        }
        let Some((content, permissions)) = &file.content else {
            return match self.kind_at(label) {
                Ok(None) => Ok(()),
                _ => whiteout(upper, label),
            };
        };
        let dir = content.parent().unwrap_or(content);
        let name = content.file_name().unwrap_or_default();
        let from = Beneath::open(dir)?;
        let inner = RelPath::new(std::os::unix::ffi::OsStrExt::as_bytes(name));
        if let Some(staged) = copy_beside(&from, &inner, upper, label, false)? {
            upper.rename(&staged, label)?;
            upper.set_permissions(label, *permissions)?;
        }
        Ok(())
    }
}
