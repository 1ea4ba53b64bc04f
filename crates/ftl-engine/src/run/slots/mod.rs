//! A run whose delta is written in a slot, a frozen copy of the tree, so that other runs go on at the same time.
//!
//! From IMPLEMENT to PREFLIGHT the copy is the run's tree, and requests work on an overlay over it that is
//! mounted at the root's own path. No lock of the root is held then, but for the refresh before the first
//! request. The delta lands in the root as the first step of VERIFY ([`landing`]).
//!
//! ```text
//! STATE/ftl/slots/ROOT/N/lock     who works in the slot; never deleted
//! STATE/ftl/slots/ROOT/N/owner    the run whose work the copy holds
//! STATE/ftl/slots/ROOT/N/copy/    see `ftl_tree::slot`
//! ```

mod commands;
pub(super) mod held;
pub(crate) mod landing;

use std::fs::{self, DirBuilder};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use ftl_model::DeltaPath;
use ftl_store::{Layout, Lock, Operation, Run, Turn, replace, unless_missing};
use ftl_tree::Tree;
use ftl_tree::slot::Slot;

pub(super) use commands::{run as run_command, run_in_place, show_request};

use super::ground::{Ground, look_up_helpers};
use super::own_files::OwnStore;
use super::site::{Site, files, waiting};
use super::{Fault, Reporter, Settings};

/// The slot that a run works in.
pub(super) struct WorkSlot {
    pub(super) slot: Slot,
    /// The tree that it is a copy of. Its lock is not held, so only its places are used.
    pub(super) root: Tree,
    pub(super) number: u32,
    _lock: Lock,
}

/// The directory of a project's slots.
///
/// # Errors
///
/// [`Fault::NoStateDirectory`].
pub(super) fn dir(settings: &Settings, layout: &Layout) -> Result<PathBuf, Fault> {
    let private = settings.layout.private_dir().ok_or(Fault::NoStateDirectory)?;
    Ok(private.join("slots").join(layout.key()))
}

/// The run that a slot holds work of: its task and number.
#[must_use]
pub(crate) fn owner(settings: &Settings, layout: &Layout, number: u32) -> Option<String> {
    owner_in(&dir(settings, layout).ok()?.join(number.to_string()))
}

fn owner_in(dir: &Path) -> Option<String> {
    let text = fs::read_to_string(dir.join("owner")).ok()?;
    let (boot, run) = text.trim_end().split_once(' ')?;
    (boot == self::boot()).then(|| run.to_owned())
}

/// Whether a slot still holds the work of a run.
pub(super) fn is_owner(settings: &Settings, layout: &Layout, number: u32, run: &Run) -> bool {
    owner(settings, layout, number).is_some_and(|owner| owner == name_of(layout, run))
}

fn name_of(layout: &Layout, run: &Run) -> String {
    let name = run.dir().strip_prefix(layout.runs_dir()).unwrap_or(run.dir());
    name.display().to_string()
}

/// The running system: copies are not synced, so that a slot's work does not outlive it.
fn boot() -> &'static str {
    ftl_process::boot_id().unwrap_or_default()
}

/// Makes a slot equal to the tree, for a run that begins. The root's lock is held for that alone.
pub(super) fn enter(
    site: &Site<'_>,
    number: u32,
    delta: &[DeltaPath],
    reporter: &mut dyn Reporter,
) -> Result<(WorkSlot, Ground), Fault> {
    let (dir, lock, mut slot) = open(site, number)?;
    let ground = Ground::enter_in_turn(site, delta, Turn::Refresh, reporter)?;
    forget_owner(&dir)?;
    slot.refresh(&ground.tree).map_err(|error| match error.is_no_room() {
        true => Fault::NoSlot(error),
        false => error.into(),
    })?;
    let root = ground.into_tree();
    // The root's lock kept requests without isolation away, and is released.
    hold_store(site, reporter)?;
    let owner = format!("{} {}\n", boot(), name_of(site.layout, &site.run));
    replace(files(), &dir.join("owner"), owner.as_bytes())?;
    finish(site, number, root, lock, slot)
}

/// Goes on in a slot that holds the run's work.
pub(super) fn resume(
    site: &Site<'_>,
    number: u32,
    delta: &[DeltaPath],
    reporter: &mut dyn Reporter,
) -> Result<(WorkSlot, Ground), Fault> {
    let (_, lock, mut slot) = open(site, number)?;
    slot.load()?;
    hold_store(site, reporter)?;
    look_up_helpers(site, delta);
    let mut root = Tree::open(site.root(), delta, site.settings.tree.clone())?;
    if let Some(dir) = site.private_dir() {
        root.leave_out(&dir);
    }
    finish(site, number, root, lock, slot)
}

/// Shares the right to write into `.ftl` while the run does not hold the root's lock.
pub(super) fn hold_store(site: &Site<'_>, reporter: &mut dyn Reporter) -> Result<(), Fault> {
    let mut wait = |holder| reporter.waiting(holder);
    Ok(site.store.hold(site.layout, waiting(site.settings, &mut wait))?)
}

fn open(site: &Site<'_>, number: u32) -> Result<(PathBuf, Lock, Slot), Fault> {
    let dir = dir(site.settings, site.layout)?.join(number.to_string());
    let made = DirBuilder::new().recursive(true).mode(0o700).create(&dir);
    made.map_err(|error| Operation::CreateDir.failed(&dir, error))?;
    let lock = Lock::slot(&dir.join("lock"), number)?;
    let slot = Slot::open(&dir.join("copy"), number)?;
    Ok((dir, lock, slot))
}

fn forget_owner(dir: &Path) -> Result<(), Fault> {
    let path = dir.join("owner");
    let removed = unless_missing(fs::remove_file(&path));
    Ok(removed.map_err(|error| Operation::Remove.failed(&path, error))?)
}

fn finish(
    site: &Site<'_>,
    number: u32,
    root: Tree,
    lock: Lock,
    slot: Slot,
) -> Result<(WorkSlot, Ground), Fault> {
    let tree = slot.tree(&root)?;
    let own = OwnStore::of_copy(site, tree.root());
    let ground = Ground::of_copy(tree.with_own(Box::new(own)));
    Ok((WorkSlot { slot, root, number, _lock: lock }, ground))
}
