//! A request on an overlay: a snapshot of the delta alone, the view, the request, and the take-over.
//!
//! The snapshot is durable before anybody is asked, as without isolation, and for the same reason: it is
//! what the delta is compared with and put back from. Nothing else of the tree is looked at.

use std::collections::BTreeSet;
use std::path::Path;

use ftl_machine::Request;
use ftl_machine::event::{Conflicts, Work};
use ftl_model::{DeltaPath, Failure};
use ftl_process::View;
use ftl_store::{ensure_private_dir, ensure_private_dir_unsynced};
use ftl_tree::{Landing, OverlayLayer, OverlayWork, Passing, RelPath, SetApart, Snapshot};

use super::{LAYERS, Means, PLAN};
use crate::run::Fault;
use crate::run::diff;
use crate::run::implementer::{Answer, agent};
use crate::run::linked_store::{self, LinkedStore};
use crate::run::originals;
use crate::run::output::shown;
use crate::run::preflighting;
use crate::run::recorder::{Note, Recorder};
use crate::run::requests;
use crate::run::settings::Implementer;
use crate::run::site::files;
use crate::run::world::World;
use crate::text::{listed, one_line};

/// Lets the implementer write on an overlay, and takes over what belongs into the tree.
pub(in crate::run) fn ask(
    world: &mut World<'_>,
    means: Option<&Means>,
    request: &Request,
    failure: Option<&Failure>,
    recorder: &mut Recorder<'_>,
) -> Result<Work, Fault> {
    let top = world.root_tree().top();
    let store = linked_store::is_linked(world.site).then(|| world.site.hold_store_alone(top));
    let store = store.transpose()?;
    let number = world.made.requests + 1;
    let snapshots = world.site.snapshots()?;
    let dir = snapshots.make(number)?;
    ensure_private_dir_unsynced(files(), &dir.join(PLAN))?;
    let snapshot = world.tree().snapshot_delta(&dir)?;
    snapshots.settle(world.site.layout)?;
    world.made.requests = number;
    world.site.begin_request(number)?;
    let (layers, passing) = prepare(world, means, number, recorder)?;
    let linked = LinkedStore::of(world.site)?;
    let answer = match answer(world, request, failure, recorder) {
        Err(Fault::Interrupted(signal)) => {
            linked_store::put_back(linked.as_ref(), &world.site.interrupted_dir(number))?;
            let warning = super::unfinished::keep(world.site, world.tree(), &layers, number)?;
            recorder.note(&Note::PutBack { request: number })?;
            if let Some(warning) = warning {
                recorder.reporter().warning(&warning);
            }
            return Err(Fault::Interrupted(signal));
        }
        answer => answer?,
    };
    let tree = world.tree();
    remove_leavings(world, &layers)?;
    let done = answer.performed.clone();
    let strays = done.as_ref().map(|done| agent::lay_in(world, &layers, done)).transpose()?;
    let mut written = tree.written(&layers, Some(&passing))?;
    written.fail(answer.failure.is_some());
    recorder.was_disturbed(written.own(tree).iter().map(|path| one_line(path)));
    let mut conflicts = written.conflicts(tree, &snapshot)?;
    let merged = merge(world, &mut written, &mut conflicts, &snapshot, number)?;
    let mut landing = tree.landing(&written, &conflicts);
    let stale = super::touch_dropped(tree, &layers, &landing)?;
    let changes = written.changes(tree, &snapshot, &landing)?;
    if let Some(fault) = requests::outage(world, &answer, &changes) {
        recorder.note(&Note::PutBack { request: number })?;
        linked_store::put_back(linked.as_ref(), &world.site.interrupted_dir(number))?;
        return Err(fault);
    }
    let mut work = requests::work_of(world, &snapshot, &changes, answer)?;
    if let Some((done, strays)) = done.zip(strays) {
        agent::add_to(&mut work, &done, strays);
    }
    work.warnings.extend(stale);
    work.warnings.extend(merged);
    work.warnings.extend(recorder.disturbance("the implementer"));
    recorder.note(&Note::TakingOver { request: number })?;
    let left = take_over(world, &written, &landing, number, &mut work)?;
    if !left.is_empty() {
        landing.give_up(&left);
        work.warnings.extend(super::touch_dropped(tree, &layers, &landing)?);
    }
    diff::keep(world.site, world.tree(), &snapshot, number)?;
    set_apart(world, &written, &landing, number, &mut work)?;
    linked_store::settle(linked, world.site, number, &mut work)?;
    drop(store);
    world.view = None;
    finish(world, snapshot, work)
}

/// Asks the implementer. What it writes does not reach the tree, so that the index of that is read at the same time: the
/// watch of a verify needs it. The root of a slot has another.
fn answer(
    world: &World<'_>,
    request: &Request,
    failure: Option<&Failure>,
    recorder: &mut Recorder<'_>,
) -> Result<Answer, Fault> {
    if world.slot.is_some() {
        return requests::answer(world, request, failure, recorder);
    }
    world.tree().reading_ahead(|| requests::answer(world, request, failure, recorder))
}

/// Merges what the user and the implementer changed at different places of a file, and says so.
fn merge(
    world: &World<'_>,
    written: &mut OverlayWork,
    conflicts: &mut BTreeSet<DeltaPath>,
    snapshot: &Snapshot,
    number: u32,
) -> Result<Option<String>, Fault> {
    let (tree, site) = (world.tree(), world.site);
    let dir = site.snapshots()?.before(number).join("merge");
    let mut accepts = |path: &DeltaPath, bytes: &[u8]| {
        preflighting::parses(site.settings, &site.root().join(path), bytes)
    };
    let merged = tree.merge(written, conflicts, snapshot, &dir, &mut accepts)?;
    Ok((!merged.is_empty()).then(|| {
        let paths: Vec<String> = merged.iter().map(ToString::to_string).collect();
        format!(
            "changed in the tree while the implementer worked, and merged with its version: {}",
            listed(&paths)
        )
    }))
}

/// Removes the empty directories that a known agent leaves in a view.
fn remove_leavings(world: &World<'_>, layers: &[OverlayLayer]) -> Result<(), Fault> {
    if let Implementer::Agent(agent) = &world.site.settings.implementer {
        let leaves = agent.preset().map_or(&[][..], |preset| &preset.leaves);
        world.tree().remove_new_empty(layers, leaves)?;
    }
    Ok(())
}

/// Makes the layers, and the view that the request will run in. Without means nothing is mounted: the result of the
/// program that performs the request is laid into the layers.
fn prepare(
    world: &mut World<'_>,
    means: Option<&Means>,
    number: u32,
    recorder: &mut Recorder<'_>,
) -> Result<(Vec<OverlayLayer>, Passing), Fault> {
    let place = match means {
        Some(means) => means.place(world.site, number)?,
        None => world.site.snapshots()?.before(number).join(LAYERS),
    };
    let (layers, view, passing) = match &world.slot {
        Some(slot) => {
            let made = slot.slot.make_view(&slot.root, &place)?;
            let view = means.map(|means| means.view_of_slot(&made, &place));
            (made.layers, view, Passing::default())
        }
        None => {
            let tree = world.tree();
            let layers = tree.make_layers(&place)?;
            let mut passing = tree.passing_through()?;
            passing.begin(&place)?;
            let view = means.map(|means| means.view(&layers, passing.paths(tree), &place));
            (layers, view, passing)
        }
    };
    let max_written = world.site.settings.tree.max_written;
    recorder.note(&Note::Isolated { request: number, place })?;
    world.view = view.map(|view| View { max_written, ..view });
    Ok((layers, passing))
}

/// Brings what the implementer of the request under way wrote at `path` to that path. It is not bound
/// through the overlay: an agent could not remove the directory then, and `git clean` would fail.
pub(in crate::run) fn fetch(world: &World<'_>, path: &Path) -> Result<(), Fault> {
    let Some(place) = world.view.as_ref().and_then(|view| view.report.parent()) else {
        return Ok(());
    };
    let (dir, name) = (path.parent().unwrap_or(path), path.file_name());
    let real = dir.canonicalize().unwrap_or_else(|_| dir.to_owned());
    let tree = world.root_tree();
    let layers = tree.overlay_layers(place);
    Ok(tree.fetch_written(&layers, &real.join(name.unwrap_or_default()))?)
}

fn take_over(
    world: &World<'_>,
    written: &OverlayWork,
    landing: &Landing,
    number: u32,
    work: &mut Work,
) -> Result<BTreeSet<RelPath>, Fault> {
    let dir = world.site.snapshots()?.before(number).join(PLAN);
    let tree = world.tree();
    let done = tree.take_over(written, landing, &dir)?;
    if !done.missed.is_empty() {
        work.warnings
            .push(format!("scratch that could not be taken over: {}", listed(&done.missed)));
    }
    Ok(done.left)
}

/// Keeps what does not come into the tree, and says where.
fn set_apart(
    world: &World<'_>,
    written: &OverlayWork,
    landing: &Landing,
    number: u32,
    work: &mut Work,
) -> Result<(), Fault> {
    let (tree, site) = (world.tree(), world.site);
    let paths = landing.conflicts(tree);
    if !paths.is_empty() {
        let dir = site.run.dir().join("conflicts").join(number.to_string());
        let apart = tree.set_conflicts_apart(written, landing, &dir)?;
        let dir = (!apart.moved.is_empty()).then(|| shown(site, &dir));
        let other = match &dir {
            Some(dir) => format!("the implementer's version is in `{dir}`"),
            None => "the implementer deleted it".to_owned(),
        };
        fail(
            work,
            format!(
                "changed in the tree while the implementer worked: {}; the tree is left as it is, and {other}",
                listed(&paths)
            ),
        );
        work.conflicts = Some(Conflicts { paths, dir });
    }
    let quarantine = site.run.quarantine().join(number.to_string());
    if !work.strays.is_empty() {
        ensure_private_dir(files(), &site.run.quarantine())?;
    }
    let apart = tree.set_strays_apart(written, landing, &quarantine)?;
    if apart != SetApart::default() {
        originals::keep(site, tree, number, &work.strays)?;
    }
    work.warnings.extend(super::no_room(&apart));
    if !apart.moved.is_empty() {
        work.quarantine = Some(shown(site, &quarantine));
    }
    if let Some(refused) =
        super::keep_commits(site, world.root_tree(), written, number, &quarantine)?
    {
        work.warnings.push(format!(
            "what the implementer did to git's references is not taken over: {refused}"
        ));
    }
    Ok(())
}

/// A request fails for a separate reason, and for those that are found afterwards.
fn fail(work: &mut Work, reason: String) {
    work.failure = Some(match work.failure.take() {
        Some(failure) => format!("{failure}; {reason}"),
        None => reason,
    });
}

fn finish(world: &mut World<'_>, snapshot: Snapshot, mut work: Work) -> Result<Work, Fault> {
    world.keep_first(snapshot)?;
    work.delta = world.delta_state()?;
    Ok(work)
}
