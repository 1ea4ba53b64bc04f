//! The project's tree under its lock, which keeps other builders out of it.
//!
//! The order matters: the lock first, then an end to the processes that a dead builder left running, then an end to the landing
//! that it left, and only then a look at the tree. Otherwise a process could still write while the tree is read.

use std::path::Path;

use ftl_model::DeltaPath;
use ftl_preflight::{front_ends, front_ends_of};
use ftl_process::find_program;
use ftl_store::{Lock, StoreError, Turn, Waiting};
use ftl_tree::Tree;

use super::landed;
use crate::run::recovery::orphans;
use crate::run::site::Site;
use crate::run::{Fault, Implementer, Reporter};

/// The project's tree, and what keeps others out of it until this is dropped.
pub(in crate::run) struct LockedTree {
    pub(in crate::run) tree: Tree,
    _lock: Lock,
}

impl LockedTree {
    /// Locks the root, when it is the turn of one of several builds side by side, and opens the tree.
    pub(in crate::run) fn enter(
        site: &Site<'_>,
        delta: &[DeltaPath],
        turn: Option<Turn>,
        reporter: &mut dyn Reporter,
    ) -> Result<Self, Fault> {
        let location = Tree::locate(site.root(), site.settings.tree.watch)?;
        let lock = lock(site, location.top(), turn, reporter)?;
        look_up_helpers(site, delta);
        let tree = Tree::open_at(location, delta, site.settings.tree.clone())?;
        let tree = without_state(site, tree);
        landed::settle(site, &tree, reporter)?;
        Ok(Self { tree, _lock: lock })
    }

    /// The tree, after its lock was given back.
    pub(in crate::run) fn into_tree(self) -> Tree {
        self.tree
    }
}

/// Opens the project's tree.
pub(in crate::run) fn open(site: &Site<'_>, delta: &[DeltaPath]) -> Result<Tree, Fault> {
    Ok(without_state(site, Tree::open(site.root(), delta, site.settings.tree.clone())?))
}

/// Where the project is the home directory, workplaces are in the tree.
fn without_state(site: &Site<'_>, mut tree: Tree) -> Tree {
    if let Some(dir) = site.layout.private_dir() {
        tree.leave_out(&dir.canonicalize().unwrap_or(dir));
    }
    tree
}

/// Finds the programs that ftl runs itself before any implementer writes: an implementer must not bring them
/// along. Where the work is in the tree already, only those that check the delta.
fn look_up_helpers(site: &Site<'_>, delta: &[DeltaPath]) {
    let front_ends = match site.settings.implementer {
        Implementer::Tree { .. } => {
            delta.iter().flat_map(|path| front_ends_of(path.as_ref())).collect()
        }
        Implementer::Agent(_) | Implementer::Patches(_) => front_ends(),
    };
    let commands = site.settings.syntax.commands.values().filter_map(|words| words.first());
    let commands = commands.map(String::as_str);
    for name in ["git", "sh", "setsid"].into_iter().chain(front_ends).chain(commands) {
        let _ = find_program(name);
    }
}

/// Takes the lock of the root. Processes left by a builder that died while it held the lock are ended first.
fn lock(
    site: &Site<'_>,
    top: &Path,
    turn: Option<Turn>,
    reporter: &mut dyn Reporter,
) -> Result<Lock, Fault> {
    let own = site.run.dir().strip_prefix(site.layout.runs_dir()).ok();
    let own = own.unwrap_or(Path::new("")).display().to_string();
    let mut wait = |holder| reporter.waiting(holder);
    let lock = if let Some(turn) = turn {
        Lock::root_in_turn(site.layout, top, &own, turn, &mut wait)?
    } else {
        match Lock::root(site.layout, top, &own, Waiting::Refuse) {
            Err(StoreError::Held { .. }) if site.settings.start.wait => {
                Lock::root(site.layout, top, &own, Waiting::While(&mut wait))?
            }
            lock => lock?,
        }
    };
    if let Some(run) = lock.abandoned().filter(|run| *run != own) {
        orphans::end_abandoned(site, run, reporter);
    }
    Ok(lock)
}
