//! Landing: the delta of a slot is brought into the root, under the root's lock, and taken back where the
//! verify does not pass there.
//!
//! At most one landing is under way in a root, since its lock is held until the record is sealed. What it needs
//! to be taken back is in a directory of the project's, so that the process that takes the lock next can do that after a
//! crash:
//!
//! ```text
//! STATE/ftl/landing/ROOT/run        the run, and its task file
//! STATE/ftl/landing/ROOT/before/    the delta in the root before it
//! STATE/ftl/landing/ROOT/plan/      the take-over, see `ftl_tree`
//! STATE/ftl/landing/ROOT/work/      layers with what lands
//! STATE/ftl/landing/ROOT/beside/    files of the project that only the root has as they were before the verify
//! STATE/ftl/landing/ROOT/verified/  files that the verify changed, as they were
//! ```

mod withdrawing;

use std::collections::BTreeSet;
use std::fs::{self, DirBuilder};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use ftl_machine::event::Conflicts;
use ftl_model::{Check, DeltaPath, Status, WorkspaceId, WorkspaceName};
use ftl_store::{Layout, Operation, Turn, private_dir, replace, unless_missing};
use ftl_tree::{Landing, OverlayWork, Tree, Watch, remove_layers};
use serde::{Deserialize, Serialize};

use crate::project::status_ahead;
use crate::run::before::Before;
use crate::run::ground::Ground;
use crate::run::output::shown;
use crate::run::recorder::Recorder;
use crate::run::site::{Site, files};
use crate::run::world::World;
use crate::run::{Fault, Reporter, Settings, diff, isolation, preflighting};
use crate::text::listed;

pub(in crate::run) use withdrawing::{kept_dirs, return_to_copy, withdraw};

const BESIDE: &str = "beside";

/// A delta that is in the root.
pub(in crate::run) struct Landed {
    pub(in crate::run) ground: Ground,
    /// How the delta was before the work, in the copy.
    in_copy: Option<Before>,
    /// The tree before the first verify.
    watch: Option<Rc<Watch>>,
}

/// How a landing went.
pub(in crate::run) enum Outcome {
    /// The delta is in the root. Files that were merged with the root's version were checked again.
    Landed { merged: Vec<Check>, warnings: Vec<String> },
    /// These files changed in the root, and nothing is taken over.
    Conflict(Conflicts),
}

/// What a directory of a landing is of.
#[derive(Debug, Serialize, Deserialize)]
struct Of {
    /// The run, from the directory of all runs.
    run: String,
    /// The task file.
    task: PathBuf,
}

/// The directory of a project's landing.
fn dir(site: &Site<'_>) -> Result<PathBuf, Fault> {
    dir_of(site.settings, site.layout)
}

fn dir_of(settings: &Settings, layout: &Layout) -> Result<PathBuf, Fault> {
    let state = settings.state.as_deref().ok_or(Fault::NoStateDirectory)?;
    Ok(private_dir(state).join("landing").join(layout.key()))
}

/// The task of a landing that is in the root, of a run that is under way or died.
pub(crate) fn owner(settings: &Settings, layout: &Layout) -> Option<WorkspaceId> {
    let name = of(&dir_of(settings, layout).ok()?)?.task;
    let name: WorkspaceName = name.file_name()?.to_str()?.parse().ok()?;
    Some(name.id)
}

/// The landing that a dead run left.
fn of(dir: &Path) -> Option<Of> {
    serde_json::from_slice(&fs::read(dir.join("run")).ok()?).ok()
}

fn name_of(site: &Site<'_>) -> String {
    super::name_of(site.layout, &site.run)
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
    let ground = Ground::enter_in_turn(&world.site, &delta, Turn::Landing, recorder.reporter())?;
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
        diff::keep_underneath(&world.site, &underneath)?;
        let conflicts = set_apart(world, &ground.tree, &work, &landing)?;
        forget(&dir)?;
        return Ok(Outcome::Conflict(conflicts));
    }
    let in_copy = world.before.take();
    world.landed = Some(Landed { ground, in_copy, watch: None });
    world.before = Some(Before::of_capture(world, before)?);
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
    let dir = dir(&world.site)?;
    // An earlier landing's plan must never be taken for this one's.
    remove_layers(&dir)?;
    let made = DirBuilder::new().recursive(true).mode(0o700).create(&dir);
    made.map_err(|error| Operation::CreateDir.failed(&dir, error))?;
    let of = Of { run: name_of(&world.site), task: world.source.path.clone() };
    let bytes = serde_json::to_vec(&of).map_err(ftl_store::StoreError::JournalData)?;
    replace(files(), &dir.join("run"), &bytes)?;
    Ok(dir)
}

fn work(
    world: &World<'_>,
    root: &Tree,
    dir: &Path,
) -> Result<(OverlayWork, BTreeSet<DeltaPath>), Fault> {
    let copy = &world.ground.as_ref().ok_or(Fault::OutOfOrder("a landing"))?.tree;
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
    let copy = &world.ground.as_ref().ok_or(Fault::OutOfOrder("a landing"))?.tree;
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
    let dir = (!apart.moved.is_empty()).then(|| shown(&world.site, &kept));
    Ok(Conflicts { paths, dir })
}

/// Looks at the tree before a verify. Of a landing, files that the copy lacks are kept, so that what the verify changes
/// can be put back.
pub(in crate::run) fn watch(world: &mut World<'_>) -> Result<Rc<Watch>, Fault> {
    let tree = world.tree()?;
    let watch = Rc::new(tree.watch()?);
    if let (Some(Landed { watch: None, .. }), Some(slot)) = (&world.landed, &world.slot) {
        let lacking = slot.slot.lacks(tree, &watch)?;
        let copy = &world.ground.as_ref().ok_or(Fault::OutOfOrder("a landing"))?.tree;
        diff::keep_underneath(&world.site, &diff::since_copy(copy, tree, &lacking)?)?;
        tree.keep_delta(&[], &lacking, &dir(&world.site)?.join(BESIDE))?;
    }
    if let Some(landed) = &mut world.landed {
        landed.watch.get_or_insert_with(|| Rc::clone(&watch));
    }
    Ok(watch)
}

/// Says that nothing is to be taken back any more: the record is sealed.
pub(in crate::run) fn finish(world: &mut World<'_>) -> Result<(), Fault> {
    if world.landed.is_some() {
        forget(&dir(&world.site)?)?;
    }
    Ok(())
}

/// The name goes first: without it nothing else counts.
fn forget(dir: &Path) -> Result<(), Fault> {
    let path = dir.join("run");
    unless_missing(fs::remove_file(&path))
        .map_err(|error| Operation::Remove.failed(&path, error))?;
    Ok(remove_layers(dir)?)
}

/// Takes back, or finishes, what a run that died left in the root. Its lock is held. `keeps` says whether a landing
/// of this very run stays.
pub(in crate::run) fn settle(
    site: &Site<'_>,
    root: &Tree,
    keeps: bool,
    reporter: &mut dyn Reporter,
) -> Result<bool, Fault> {
    let Ok(dir) = dir(site) else {
        return Ok(false);
    };
    let Some(of) = of(&dir) else {
        return Ok(false);
    };
    if keeps && of.run == name_of(site) {
        return Ok(true);
    }
    if is_complete(&of.task) {
        forget(&dir)?;
    } else {
        for text in withdrawing::take_back(site, root, &dir, None)? {
            reporter.warning(&text);
        }
    }
    Ok(false)
}

/// Whether the task was sealed as complete, perhaps under its active name still.
fn is_complete(task: &Path) -> bool {
    let Some(name) = task.file_name().and_then(|name| name.to_str()) else {
        return false;
    };
    let Ok(name) = name.parse::<WorkspaceName>() else {
        return false;
    };
    match fs::read(task) {
        Ok(bytes) => status_ahead(name.status, &bytes) == Some(Status::Complete),
        Err(_) => task.with_file_name(name.with_status(Status::Complete).to_string()).is_file(),
    }
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
    let loaded = landed.ground.tree.load(&dir(&world.site)?.join("before"))?;
    world.landed = Some(Landed { in_copy, ..landed });
    world.before = loaded.map(|snapshot| Before::of_capture(world, snapshot)).transpose()?;
    Ok(())
}
