//! Whole files: at every instant, and after a power cut, a path has what it had before or all that is new.
//!
//! What is new is made beside the path, under a name that a later attempt knows, synced, and renamed over it.
//!
//! ```text
//! .NAME.ftl-new    may be incomplete: of no value
//! ```

use std::io::{self, Read};

use super::{At, Rights};

impl At<'_> {
    /// The path beside this one that ends in `end`, and is hidden.
    pub(crate) fn beside(&self, end: &[u8]) -> Self {
        self.above().join(&[b".", self.name(), end].concat())
    }

    /// Where something is made before it comes to this path.
    pub(crate) fn staging(&self) -> Self {
        self.beside(b".ftl-new")
    }

    /// Makes something beside the path, and returns where. Half of it serves no purpose, least of all where there is
    /// no room, so nothing stays after an error.
    pub(crate) fn stage(&self, make: impl FnOnce(&Self) -> io::Result<()>) -> io::Result<Self> {
        let new = self.staging();
        // A crash in the middle of an earlier attempt leaves its file behind.
        new.remove_if_there()?;
        make(&new).inspect_err(|_| drop(new.remove()))?;
        Ok(new)
    }

    /// Writes a whole file, durably, in place of what may be there. Directories above it are made.
    pub(crate) fn write_whole(
        &self,
        content: &mut dyn Read,
        rights: Option<Rights<'_>>,
    ) -> io::Result<()> {
        self.make_parents()?;
        let new = self.stage(|new| new.make_file(content, rights)?.sync_all())?;
        new.rename(self)?;
        self.sync_parent()
    }
}
