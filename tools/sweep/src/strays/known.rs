//! The ways that `ftl` is known to miss. The list may only shrink: an entry that is as it must is an
//! error of the sweep.

use super::world::World::{self, Dirty};
use crate::isolation::Isolation::{self, Off};

/// A way, a level of isolation, and the kinds of projects.
pub(super) type Known = (&'static str, Isolation, &'static [World]);

pub(super) const KNOWN: &[Known] = &[
    // The objects of a repository within the tree are not copied: that they are lost is told.
    ("clean, repositories too", Off, &[Dirty]),
];
