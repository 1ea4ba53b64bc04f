//! The ways that `ftl` is known to miss. The list may only shrink: an entry that is as it must is an
//! error of the sweep.

use super::world::World::{self, Below, Clean, Dirty, Plain, Staged, Unborn, Worktree};
use crate::isolation::Isolation::{self, Off};

/// A way, a level of isolation, and the kinds of projects.
pub(super) type Known = (&'static str, Isolation, &'static [World]);

/// Every project.
const ALL: &[World] = &[Clean, Dirty, Staged, Unborn, Below, Worktree, Plain];

/// Every project in git.
const GIT: &[World] = &[Clean, Dirty, Staged, Unborn, Below, Worktree];

/// Every project in git that has a commit.
const BORN: &[World] = &[Clean, Dirty, Staged, Below, Worktree];

pub(super) const KNOWN: &[Known] = &[
    ("HEAD broken", Off, &[Clean, Dirty, Staged, Unborn]),
    ("HEAD to nowhere", Off, GIT),
    ("a path over PATH_MAX", Off, ALL),
    ("a ref of one's own", Off, BORN),
    ("a repository around all", Off, &[Plain]),
    ("a repository around all that hides", Off, &[Plain]),
    ("a repository in a directory", Off, ALL),
    ("a repository in the delta's directory", Off, ALL),
    ("above the root: attributes", Off, &[Below]),
    ("above the root: deleted", Off, &[Below]),
    ("above the root: edit", Off, &[Below]),
    ("above the root: new file", Off, &[Below]),
    ("above the root: uncommitted work", Off, &[Below]),
    ("all that is there", Off, ALL),
    ("branch deleted", Off, BORN),
    ("branch made", Off, BORN),
    ("branch made and entered", Off, GIT),
    ("branch moved", Off, BORN),
    ("branch renamed", Off, BORN),
    ("clean", Off, GIT),
    ("clean, ignored too", Off, GIT),
    ("clean, repositories too", Off, GIT),
    ("collected", Off, &[Dirty]),
    ("commit amended", Off, BORN),
    ("commit of all", Off, GIT),
    ("commit of the delta", Off, BORN),
    ("commit undone", Off, BORN),
    ("commit, empty", Off, BORN),
    (
        "committed, reset and collected",
        Off,
        &[Dirty, Staged, Below, Worktree],
    ),
    ("configuration changed", Off, GIT),
    ("configuration deleted", Off, GIT),
    ("configuration of a nested repository", Off, &[Dirty]),
    ("configuration: of a worktree", Off, &[Worktree]),
    ("delete all but the delta", Off, ALL),
    ("detached", Off, BORN),
    ("every file", Off, ALL),
    ("extended attribute alone", Off, ALL),
    ("extended attribute goes with its file", Off, ALL),
    (
        "files checked out",
        Off,
        &[Dirty, Staged, Unborn, Below, Worktree],
    ),
    ("files moved with git", Off, GIT),
    ("files removed with git", Off, GIT),
    ("files restored", Off, &[Dirty, Staged, Below, Worktree]),
    ("hidden by .gitignore", Off, GIT),
    ("hidden by a configured file", Off, GIT),
    ("hidden by a new .gitignore", Off, GIT),
    ("hidden by assume-unchanged", Off, GIT),
    ("hidden by info/exclude", Off, GIT),
    ("hidden by skip-worktree", Off, GIT),
    ("hidden by the user's ignore file", Off, GIT),
    ("hook of a nested repository", Off, &[Dirty]),
    ("ignored file", Off, GIT),
    ("ignored file deleted", Off, GIT),
    ("index: a conflict", Off, GIT),
    ("index: all staged", Off, GIT),
    ("index: deleted", Off, GIT),
    ("index: emptied", Off, GIT),
    ("index: flags", Off, GIT),
    ("index: intent to add", Off, GIT),
    ("index: reset", Off, &[Staged]),
    ("info/attributes", Off, GIT),
    ("merge", Off, &[Clean]),
    ("mode of the root", Off, ALL),
    ("other branch checked out", Off, BORN),
    ("refs deleted", Off, &[Clean, Dirty, Staged, Unborn]),
    (
        "reset and collected",
        Off,
        &[Dirty, Staged, Below, Worktree],
    ),
    ("sparse checkout", Off, &[Clean, Dirty]),
    ("stash", Off, &[Clean, Dirty, Below, Worktree]),
    ("stash dropped", Off, &[Dirty]),
    (
        "stash of the delta alone",
        Off,
        &[Clean, Dirty, Below, Worktree],
    ),
    ("stash popped", Off, &[Dirty]),
    (
        "stash with untracked files",
        Off,
        &[Clean, Dirty, Below, Worktree],
    ),
    ("submodule added", Off, &[Clean]),
    ("tag deleted", Off, BORN),
    ("tag made", Off, BORN),
    ("task planted", Off, ALL),
    ("the root's directories all renamed", Off, ALL),
];
