//! How an implementer's work is distinguished from other changes.

use crate::words;

words! {
    /// How requests were kept apart from the tree.
    pub enum Isolation {
        /// The implementer worked on an overlay: what it wrote is known, even if others wrote at the same time.
        Overlay = "overlay",
        /// It worked in the tree, which was compared before and after.
        Off = "off",
    }
}
