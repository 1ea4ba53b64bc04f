//! The tree that a run works in, and the lock that keeps other builders out of it.
//!
//! The order matters: the lock first, then an end to whatever a dead builder left running, and only then
//! a look at the tree. Otherwise a process could still write while the tree is read.

use std::path::Path;

use ftl_model::DeltaPath;
use ftl_preflight::{front_ends, front_ends_of};
use ftl_process::find_program;
use ftl_store::{Lock, StoreError, Turn, Waiting};
use ftl_tree::{Location, Tree};

use super::own_files::OwnStore;
use super::recorder::Note;
use super::site::Site;
use super::slots::landing::in_root;
use super::{Fault, Implementer, Isolate, Reporter, isolation, orphans};

/// The tree of a run, and what keeps others out of it until this is dropped.
pub(super) struct Ground {
    pub(super) tree: Tree,
    /// The lock of the root; `None` for a copy of it, which has a separate lock.
    _lock: Option<Lock>,
}

impl Ground {
    /// Locks the root and opens the tree. Where the run has `captured` it already, a request may have
    /// broken or made a repository since. Without that, a snapshot of this name is of an older run.
    pub(super) fn enter(
        site: &Site<'_>,
        delta: &[DeltaPath],
        captured: bool,
        reporter: &mut dyn Reporter,
    ) -> Result<Self, Fault> {
        let mut ground = Self::enter_after(site, delta, None, false, reporter)?.0;
        if captured {
            ground.tree = ground.tree.look_as(&site.snapshots()?.before(1))?;
        }
        Ok(ground)
    }

    /// Locks the root when it is this run's turn.
    pub(super) fn enter_in_turn(
        site: &Site<'_>,
        delta: &[DeltaPath],
        turn: Turn,
        reporter: &mut dyn Reporter,
    ) -> Result<Self, Fault> {
        Ok(Self::enter_after(site, delta, Some(turn), false, reporter)?.0)
    }

    /// The same, where a landing of this very run may stay in the root. Returns whether it does.
    pub(super) fn enter_after(
        site: &Site<'_>,
        delta: &[DeltaPath],
        turn: Option<Turn>,
        keeps: bool,
        reporter: &mut dyn Reporter,
    ) -> Result<(Self, bool), Fault> {
        let Locked { lock, location, abandoned } = lock(site, turn, reporter)?;
        look_up_helpers(site, delta);
        let scope = &site.settings.tree;
        let location = location.map_or_else(|| Tree::locate(site.root(), scope.watch), Ok)?;
        let mut tree = Tree::open_at(location, delta, scope.clone())?;
        if let Some(dir) = site.private_dir() {
            tree.leave_out(&dir);
        }
        let own = OwnStore::of(site, tree.root());
        let tree = tree.with_own(Box::new(own));
        isolation::disown(&tree, &abandoned)?;
        let stays = in_root::settle(site, &tree, keeps, reporter)?;
        Ok((Self { tree, _lock: Some(lock) }, stays))
    }

    /// The tree, after its lock was given back.
    pub(super) fn into_tree(self) -> Tree {
        self.tree
    }

    /// A copy of the tree.
    pub(super) fn of_copy(tree: Tree) -> Self {
        Self { tree, _lock: None }
    }
}

/// Finds the programs that ftl runs itself before any implementer writes: an implementer must not bring them
/// along. Where the work is in the tree already, only those that check the delta.
pub(super) fn look_up_helpers(site: &Site<'_>, delta: &[DeltaPath]) {
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

/// The lock of the root.
struct Locked {
    lock: Lock,
    /// Where the tree is. Not known where it was not looked for, or another builder could change it until the lock was
    /// there.
    location: Option<Location>,
    /// What a builder that died had under way.
    abandoned: Vec<Note>,
}

/// Takes the lock of the root: two builders in one tree would undo each other's files. Processes left by a
/// builder that died while it held the lock are ended first.
fn lock(site: &Site<'_>, turn: Option<Turn>, reporter: &mut dyn Reporter) -> Result<Locked, Fault> {
    let own = site.run.dir().strip_prefix(site.layout.runs_dir()).ok();
    let own = own.unwrap_or(Path::new("")).display().to_string();
    // The directory whose content a run may put back: no other run may build in it at the same time. An agent on an
    // overlay changes nothing above the root.
    let is_on_overlay = site.settings.requests.isolate == Some(Isolate::Overlay)
        && matches!(site.settings.implementer, Implementer::Agent(_));
    let location = match is_on_overlay {
        true => None,
        false => Some(Tree::locate(site.root(), site.settings.tree.watch)?),
    };
    let top = location.as_ref().map_or(site.root(), Location::top);
    let mut wait = |holder| reporter.waiting(holder);
    let (lock, at_once) = if let Some(turn) = turn {
        site.store.release();
        (Lock::root_in_turn(site.layout, top, &own, turn, &mut wait)?, false)
    } else {
        match Lock::root(site.layout, top, &own, Waiting::Refuse) {
            Err(StoreError::Held { .. }) if site.settings.start.wait => {
                site.store.release();
                (Lock::root(site.layout, top, &own, Waiting::While(&mut wait))?, false)
            }
            lock => (lock?, true),
        }
    };
    // From here on no other builder in this tree makes a request.
    site.store.release();
    let abandoned = lock.abandoned().filter(|run| *run != own);
    let known = at_once && abandoned.is_none();
    let pending = abandoned.map(|run| orphans::end_abandoned(site, run, reporter));
    let abandoned = pending.unwrap_or_default();
    Ok(Locked { lock, location: location.filter(|_| known), abandoned })
}
