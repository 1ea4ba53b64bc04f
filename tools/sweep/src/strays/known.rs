//! The ways that `ftl` is known to miss. The list may only shrink: an entry that is as it must is an
//! error of the sweep.

use super::world::World::{self, Below, Clean, Dirty, Plain, Staged, Unborn, Worktree};
use crate::isolation::Isolation::{self, Off};

/// A way, a level of isolation, and the kinds of projects.
pub(super) type Known = (&'static str, Isolation, &'static [World]);

/// Every project.
const ALL: &[World] = &[Clean, Dirty, Staged, Unborn, Below, Worktree, Plain];

pub(super) const KNOWN: &[Known] = &[
    ("HEAD broken", Off, &[Clean, Dirty, Staged, Unborn]),
    ("a path over PATH_MAX", Off, ALL),
    ("all that is there", Off, ALL),
    (
        "clean, ignored too",
        Off,
        &[Dirty, Staged, Unborn, Below, Worktree],
    ),
    ("clean, repositories too", Off, &[Dirty]),
    (
        "committed, reset and collected",
        Off,
        &[Dirty, Staged, Below, Worktree],
    ),
    ("delete all but the delta", Off, ALL),
    ("every file", Off, ALL),
    ("extended attribute alone", Off, ALL),
    ("extended attribute goes with its file", Off, ALL),
    (
        "files checked out",
        Off,
        &[Dirty, Staged, Unborn, Below, Worktree],
    ),
    ("files restored", Off, &[Dirty, Staged, Below, Worktree]),
    ("index: emptied", Off, &[Staged, Unborn]),
    (
        "other branch checked out",
        Off,
        &[Dirty, Staged, Below, Worktree],
    ),
    (
        "reset and collected",
        Off,
        &[Dirty, Staged, Below, Worktree],
    ),
    ("sparse checkout", Off, &[Clean]),
    ("stash", Off, &[Dirty, Below, Worktree]),
    ("stash with untracked files", Off, &[Dirty, Below, Worktree]),
    ("task planted", Off, ALL),
    ("the root's directories all renamed", Off, ALL),
];
