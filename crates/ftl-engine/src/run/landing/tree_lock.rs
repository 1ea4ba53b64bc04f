//! The project's tree under its lock, which keeps other builders out of it.
//!
//! The order matters: the lock first, then an end to the processes that a dead builder left running, then an end to the landing
//! that it left, and only then a look at the tree. Otherwise a process could still write while the tree is read.

use std::path::Path;

use ftl_model::DeltaPath;
use ftl_preflight::{front_ends, front_ends_of};
use ftl_process::find_program;
use ftl_store::gate::LandingPlace;
use ftl_store::{Lock, StoreError, Turn, Waiting};
use ftl_tree::Tree;

use super::landed;
use super::together::{self, Leading, Together};
use crate::run::commands::setup;
use crate::run::recovery::orphans;
use crate::run::site::Site;
use crate::run::{Fault, Implementer, Reporter};

/// The project's tree, and what keeps others out of it until this is dropped.
pub(in crate::run) struct LockedTree {
    pub(in crate::run) tree: Tree,
    /// `None` where another run holds it for this one.
    _lock: Option<Lock>,
    /// What lands at the same time.
    pub(in crate::run) together: Option<Together>,
}

impl LockedTree {
    /// Locks the root, when it is the turn of one of several builds side by side, and opens the tree.
    pub(in crate::run) fn enter(
        site: &Site<'_>,
        delta: &[DeltaPath],
        turn: Option<Turn>,
        reporter: &mut dyn Reporter,
    ) -> Result<Self, Fault> {
        Self::enter_unless(site, delta, turn, &|| false, reporter)
    }

    /// As [`enter`](Self::enter), until `is_over` says that it need not be waited for.
    pub(in crate::run) fn enter_unless(
        site: &Site<'_>,
        delta: &[DeltaPath],
        turn: Option<Turn>,
        is_over: &dyn Fn() -> bool,
        reporter: &mut dyn Reporter,
    ) -> Result<Self, Fault> {
        let location = Tree::locate(site.root(), site.settings.tree.watch)?;
        let lock = lock(site, location.top(), turn, is_over, reporter)?;
        together::await_followers(site, reporter)?;
        look_up_helpers(site, delta);
        let tree = Tree::open_at(location, delta, site.settings.tree.clone())?;
        let tree = without_state(site, tree);
        for text in landed::settle(site, &tree)? {
            reporter.warning(&text);
        }
        setup::settle(site, reporter)?;
        Ok(Self { tree, _lock: Some(lock), together: None })
    }

    /// The tree that another run holds.
    pub(in crate::run) fn follow(
        site: &Site<'_>,
        delta: &[DeltaPath],
        place: LandingPlace,
    ) -> Result<Self, Fault> {
        let tree = open(site, delta)?;
        Ok(Self { tree, _lock: None, together: Some(Together::Follows(place)) })
    }

    /// The runs that this one leads.
    pub(in crate::run) fn leads(&mut self) -> Option<&mut Leading> {
        match &mut self.together {
            Some(Together::Leads(leading)) => Some(leading),
            Some(Together::Follows(_)) | None => None,
        }
    }

    /// Whether another run holds the tree for this one.
    pub(in crate::run) fn follows(&self) -> bool {
        matches!(self.together, Some(Together::Follows(_)))
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
    is_over: &dyn Fn() -> bool,
    reporter: &mut dyn Reporter,
) -> Result<Lock, Fault> {
    let own = site.run.dir().strip_prefix(site.layout.runs_dir()).ok();
    let own = own.unwrap_or(Path::new("")).display().to_string();
    let mut wait = |holder| !is_over() && reporter.waiting(holder);
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
