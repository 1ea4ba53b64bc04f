//! How an implementer's work is told from everybody else's.

use crate::words;

words! {
    /// How requests were kept apart from the tree.
    pub enum Isolation {
        /// The implementer worked on an overlay: what it wrote is known, whoever else wrote meanwhile.
        Overlay = "overlay",
        /// It worked in the tree, which was compared before and after.
        Off = "off",
    }
}
