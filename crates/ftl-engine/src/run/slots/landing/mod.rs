//! Landing: the delta of a slot is brought into the root, under the root's lock, and taken back where the
//! verify does not pass there.
//!
//! At most one landing is under way in a root, since its lock is held until the record is sealed. What it needs
//! to be taken back is in a directory of the project's, so that the process that takes the lock next can do that after a
//! crash:
//!
//! ```text
//! STATE/ftl/landing/ROOT/run        the run, its task file, and whether it is being taken back
//! STATE/ftl/landing/ROOT/before/    the delta in the root before it
//! STATE/ftl/landing/ROOT/plan/      the take-over, see `ftl_tree`
//! STATE/ftl/landing/ROOT/work/      layers with what lands
//! STATE/ftl/landing/ROOT/beside/    files of the project that only the root has as they were before the verify
//! STATE/ftl/landing/ROOT/verified/  files that the verify changed, as they were
//! ```

pub(in crate::run) mod in_root;
mod withdrawing;

use std::collections::BTreeSet;
use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use ftl_machine::event::Conflicts;
use ftl_machine::{Block, BlockKind};
use ftl_model::{Check, DeltaPath};
use ftl_store::{Operation, Turn};
use ftl_tree::{Landing, OverlayWork, Tree, Watch, remove_layers};

use crate::run::ground::Ground;
use crate::run::output::shown;
use crate::run::recorder::Recorder;
use crate::run::site::Site;
use crate::run::world::{Landed, World};
use crate::run::{Fault, Reporter, diff, isolation, preflighting, putting_back};
use crate::text::listed;

use in_root::{Of, dir, forget, name_of, of};

pub(in crate::run) use in_root::{deleted_beside, kept_dirs};
pub(in crate::run) use withdrawing::{return_to_copy, withdraw};

const BESIDE: &str = "beside";
const PUT_BACK: &str = "put back as it was, since the task is blocked";
const VERIFIED: &str = "verified";
/// The files that are put back from `verified`.
const WRITTEN: &str = "written";
/// Of the work of a blocked task that did not land.
const NOT_IN_TREE: &str = "not in the tree, since the task is blocked";

/// How a landing went.
pub(in crate::run) enum Outcome {
    /// The delta is in the root. Files that were merged with the root's version were checked again.
    Landed { merged: Vec<Check>, warnings: Vec<String> },
    /// These files changed in the root, and nothing is taken over.
    Conflict(Conflicts),
}

/// Brings the delta into the root, unless it is there.
pub(in crate::run) fn land(
    world: &mut World<'_>,
    recorder: &mut Recorder<'_>,
) -> Result<Outcome, Fault> {
    if world.landed.is_some() || world.slot.is_none() {
        return Ok(Outcome::Landed { merged: Vec::new(), warnings: Vec::new() });
    }
    let delta: Vec<DeltaPath> = world.brief().paths().cloned().collect();
    let ground = Ground::enter_in_turn(world.site, &delta, Turn::Landing, recorder.reporter())?;
    let dir = begin(world)?;
    let before = ground.tree.snapshot_delta(&dir.join("before"))?;
    let (mut work, mut conflicts) = work(world, &ground.tree, &dir)?;
    let merged = merge(world, &ground.tree, &mut work, &mut conflicts, &dir)?;
    let mut landing = ground.tree.landing(&work, &conflicts);
    if landing.conflicts(&ground.tree).is_empty() {
        let done = ground.tree.take_over(&work, &landing, &dir.join("plan"))?;
        if !done.left.is_empty() {
            // The user saved a file in this very moment.
            ground.tree.undo_take_over(&dir.join("plan"))?;
            landing.give_up(&done.left);
        }
    }
    if !landing.conflicts(&ground.tree).is_empty() {
        let underneath = diff::so_far(&ground.tree, world.before()?, world.brief().paths())?;
        diff::keep_underneath(world.site, &underneath)?;
        let conflicts = set_apart(world, &ground.tree, &work, &landing)?;
        forget(&dir)?;
        return Ok(Outcome::Conflict(conflicts));
    }
    let in_copy = world.before.take();
    world.landed = Some(Landed { ground, in_copy, watch: None });
    world.before = Some(world.captured(before)?);
    let mut checks = Vec::new();
    for path in &merged {
        checks.push(preflighting::file(world, path)?);
    }
    let paths: Vec<String> = merged.iter().map(ToString::to_string).collect();
    let warning = (!paths.is_empty()).then(|| {
        let paths = listed(&paths);
        format!(
            "changed in the tree while the implementer worked, and merged with its version: {paths}"
        )
    });
    Ok(Outcome::Landed { merged: checks, warnings: warning.into_iter().collect() })
}

/// Makes the directory, and says whose it is.
fn begin(world: &World<'_>) -> Result<PathBuf, Fault> {
    let dir = dir(world.site)?;
    // An earlier landing's plan must never be taken for this one's.
    remove_layers(&dir)?;
    let made = DirBuilder::new().recursive(true).mode(0o700).create(&dir);
    made.map_err(|error| Operation::CreateDir.failed(&dir, error))?;
    let task = world.source.path.clone();
    in_root::write(&dir, &Of { run: name_of(world.site), task, leaves: false })?;
    Ok(dir)
}

fn work(
    world: &World<'_>,
    root: &Tree,
    dir: &Path,
) -> Result<(OverlayWork, BTreeSet<DeltaPath>), Fault> {
    let copy = world.copy();
    let snapshots = world.site.snapshots()?;
    let first = copy.load(&snapshots.before(1))?;
    let first = first.ok_or_else(|| Fault::NoSnapshot {
        run: world.site.run.number(),
        dir: snapshots.before(1),
    })?;
    let plans: Vec<PathBuf> =
        (1..=world.made.requests).map(|request| isolation::plan(&snapshots, request)).collect();
    Ok(root.work_of_copy(copy, &plans, &first, &dir.join("work"))?)
}

fn merge(
    world: &World<'_>,
    root: &Tree,
    work: &mut OverlayWork,
    conflicts: &mut BTreeSet<DeltaPath>,
    dir: &Path,
) -> Result<Vec<DeltaPath>, Fault> {
    let copy = world.copy();
    let first = copy.load(&world.site.snapshots()?.before(1))?;
    let Some(first) = first.filter(|_| !conflicts.is_empty()) else {
        return Ok(Vec::new());
    };
    let mut accepts = |path: &DeltaPath, bytes: &[u8]| {
        preflighting::parses(world.site.settings, &world.site.root().join(path), bytes)
    };
    Ok(root.merge(work, conflicts, &first, &dir.join("merge"), &mut accepts)?)
}

/// Keeps the implementer's versions of what changed in the root too.
fn set_apart(
    world: &World<'_>,
    root: &Tree,
    work: &OverlayWork,
    landing: &Landing,
) -> Result<Conflicts, Fault> {
    let paths = landing.conflicts(root);
    let kept = world.site.run.dir().join("conflicts").join("landing");
    let apart = root.set_conflicts_apart(work, landing, &kept)?;
    let dir = (!apart.moved.is_empty()).then(|| shown(world.site, &kept));
    Ok(Conflicts { paths, dir })
}

/// Looks at the tree before a verify. Of a landing, files that the copy lacks are kept, so that what the verify changes
/// can be put back.
pub(in crate::run) fn watch(world: &mut World<'_>) -> Result<Rc<Watch>, Fault> {
    let tree = world.tree();
    let slot = match &world.landed {
        Some(Landed { watch: None, .. }) => world.slot.as_ref(),
        _ => None,
    };
    let watch = Rc::new(if slot.is_some() { tree.watch_whole()? } else { tree.watch()? });
    if let Some(slot) = slot {
        let lacking = slot.slot.lacks(tree, &watch)?;
        let copy = world.copy();
        diff::keep_underneath(world.site, &diff::since_copy(copy, tree, &lacking)?)?;
        tree.keep_delta(&[], &lacking, &dir(world.site)?.join(BESIDE))?;
    }
    if let Some(landed) = &mut world.landed {
        landed.watch.get_or_insert_with(|| Rc::clone(&watch));
    }
    Ok(watch)
}

/// Says that nothing is to be taken back any more: the record is sealed. If that fails, the next holder of the lock
/// sees it by the record.
pub(in crate::run) fn finish(world: &World<'_>) {
    if world.landed.is_some() {
        drop(dir(world.site).and_then(|dir| forget(&dir)));
    }
}

/// Whether the record says that the delta is in the root, perhaps under the task's active name still.
pub(in crate::run) fn is_sealed(world: &World<'_>) -> bool {
    in_root::is_complete(&world.source.path)
}

/// The run's landing that is in the root still, to go on from; taken back unless `keeps`.
pub(in crate::run) fn resume(
    site: &Site<'_>,
    delta: &[DeltaPath],
    keeps: bool,
    reporter: &mut dyn Reporter,
) -> Result<Option<Landed>, Fault> {
    let dir = dir(site)?;
    if of(&dir).is_none_or(|of| of.run != name_of(site)) {
        return Ok(None);
    }
    let (ground, stays) = Ground::enter_after(site, delta, None, keeps, reporter)?;
    Ok(stays.then_some(Landed { ground, in_copy: None, watch: None }))
}

/// Goes on with a delta that is in the root.
pub(in crate::run) fn go_on(world: &mut World<'_>, landed: Option<Landed>) -> Result<(), Fault> {
    let Some(landed) = landed else {
        return Ok(());
    };
    let in_copy = world.before.take();
    let loaded = landed.ground.tree.load(&dir(world.site)?.join("before"))?;
    world.landed = Some(Landed { in_copy, ..landed });
    world.before = loaded.map(|snapshot| world.captured(snapshot)).transpose()?;
    Ok(())
}

/// Puts the work of a blocked task back, in the root where it landed there and in the copy, and keeps it with the run.
pub(in crate::run) fn put_back(world: &mut World<'_>, block: &Block) -> Result<(), Fault> {
    let Some(_) = &world.slot else {
        return Ok(());
    };
    let keep = world.site.run.dir().join("blocked");
    if world.landed.is_some() {
        return withdraw(world, Some(&keep));
    }
    // Of a conflict the tree has the other version.
    let returns = block.kind() != BlockKind::LandConflict;
    let tree = world.tree();
    if let Some(before) = tree.load(&world.site.snapshots()?.before(1))? {
        let done = tree.reset_delta(&before, &keep, |_| true)?;
        let text = (!done.is_empty())
            .then(|| putting_back::reset_text(world.site, &done, NOT_IN_TREE, returns));
        world.put_back.extend(text);
    }
    Ok(())
}
