//! The ways that `ftl` is known to miss. The list may only shrink: an entry that is as it must is an
//! error of the sweep.

use super::world::World;
use crate::isolation::Isolation;

/// A way, a level of isolation, and the kinds of projects.
pub(super) type Known = (&'static str, Isolation, &'static [World]);

pub(super) const KNOWN: &[Known] = &[];
