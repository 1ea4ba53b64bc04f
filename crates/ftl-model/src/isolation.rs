//! Where an implementer worked.

use crate::words;

words! {
    /// Where the workplace of an implementer was.
    pub enum Isolation {
        /// Mounted at the root's own path.
        Bind = "bind",
        /// At the path of the copy.
        Copy = "copy",
    }
}
