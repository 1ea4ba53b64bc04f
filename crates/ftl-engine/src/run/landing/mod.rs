//! Landing: the work is brought from the workplace into the project, under its lock, and undone where the task does not
//! complete.
//!
//! At most one landing is under way in a root, since its lock is held until the record is sealed. Its plan is durable
//! before the first file changes. So the next holder of the lock, for any task, can undo a landing whose task is
//! not sealed as complete, and forget one whose task is (`landed`).

pub(super) mod committing;
pub(crate) mod landed;
pub(super) mod tree_lock;

use std::path::PathBuf;
use std::rc::Rc;

use ftl_machine::event::Conflicts;
use ftl_model::{Check, DeltaPath};
use ftl_store::{Layout, Run, Turn};
use ftl_tree::{Landing, SavedFiles, Tree, Watch};

use crate::run::commands::output::{shown, unused_dir};
use crate::run::commands::secrets::Secrets;
use crate::run::commands::setup;
use crate::run::effects::preflighting;
use crate::run::journal::recorder::Recorder;
use crate::run::landing::landed::{HalfLanding, Owner, dir, forget, is_complete, undo};
use crate::run::landing::tree_lock::LockedTree;
use crate::run::site::Site;
use crate::run::work::last_work::LastWork;
use crate::run::work::work_files::WorkFiles;
use crate::run::work::{diff, workplace};
use crate::run::world::World;
use crate::run::{Fault, Reporter, Settings};
use crate::text::{listed, shell_word};

/// In the directory of a run: what was there of files that the verify changed.
const WRITTEN: &str = "written";

/// How a landing went.
pub(super) enum Outcome {
    /// The work is in the project. Files that were merged with the project's version were checked again.
    Landed { merged: Vec<Check>, warnings: Vec<String> },
    /// These files changed in the project, and nothing of the work is in it.
    Conflict(Conflicts),
}

/// Decides what of a landing waits for its second step.
pub(super) type Holds<'h> = dyn FnMut(&Tree, &mut Landing, &SavedFiles) -> Result<(), Fault> + 'h;

/// Brings the work into the project, unless it is there; of a landing whose first step is made, the rest.
pub(super) fn land(world: &mut World<'_>, recorder: &mut Recorder<'_>) -> Result<Outcome, Fault> {
    if let (Some(half), Some(locked)) = (world.half.take(), &world.locked) {
        let dir = dir(world.site.settings, world.site.layout)?;
        if locked.tree.land_rest(&half.landing, &half.work, &dir)?.is_empty() {
            world.setup = setup::due(world.site, half.landing.paths());
            return landed(world, &half.landing);
        }
        // A user saved such a file just now, or the command wrote it: what is there is as any other change underneath.
        return_to_workplace(world, recorder.reporter())?;
    }
    if !world.is_in_workplace() {
        return Ok(Outcome::Landed { merged: Vec::new(), warnings: Vec::new() });
    }
    match bring(world, recorder, &mut |_, _, _| Ok(()))? {
        Ok((landing, _)) => landed(world, &landing),
        Err(conflicts) => Ok(Outcome::Conflict(conflicts)),
    }
}

/// Makes the first step of a landing, without what `holds` holds back. Conflicts leave the project as it is.
pub(super) fn land_first(
    world: &mut World<'_>,
    holds: &mut Holds<'_>,
    recorder: &mut Recorder<'_>,
) -> Result<Option<Conflicts>, Fault> {
    match bring(world, recorder, holds)? {
        Ok((landing, work)) => {
            world.half = Some(HalfLanding { landing, work });
            Ok(None)
        }
        Err(conflicts) => Ok(Some(conflicts)),
    }
}

/// Plans a landing and makes it, or its first step.
fn bring(
    world: &mut World<'_>,
    recorder: &mut Recorder<'_>,
    holds: &mut Holds<'_>,
) -> Result<Result<(Landing, SavedFiles), Conflicts>, Fault> {
    let site = world.site;
    let work = world.saved_work()?;
    let Some(place) = &world.workplace else {
        return Err(Fault::NoWork { run: site.run.number() });
    };
    let delta: Vec<DeltaPath> = world.brief().paths().cloned().collect();
    // From here on no other builder changes the project, and no refresh sees what has not passed its verify.
    let locked = LockedTree::enter(site, &delta, Some(Turn::Landing), recorder.reporter())?;
    recorder.settle()?;
    let bench = place.place.dir().with_file_name("merge");
    let mut accepts = |path: &DeltaPath, bytes: &[u8]| {
        preflighting::parses(site.settings, &site.root().join(path), bytes)
    };
    let mut landing = locked.tree.plan_landing(&place.base, &work, &bench, &mut accepts)?;
    let mut conflicts = landing.conflicts.clone();
    if conflicts.is_empty() {
        holds(&locked.tree, &mut landing, &work)?;
        let owner = Owner {
            run: workplace::name_of(site.layout, &site.run),
            task: world.source.path.clone(),
        };
        let owner = serde_json::to_string(&owner).expect("because every key is a string");
        let dir = dir(site.settings, site.layout)?;
        // At this point either: all of it landed; or the user saved a file in this very moment, and nothing of it is in
        // the project; or the file system refused, and the next holder of the lock undoes what the plan says.
        let left = locked.tree.land(&landing, &work, &place.copy, (&dir, &owner))?;
        conflicts.extend(left);
    }
    if !conflicts.is_empty() {
        return Ok(Err(set_apart(world, &locked.tree, &conflicts)?));
    }
    world.locked = Some(locked);
    world.setup = setup::due(site, landing.paths());
    Ok(Ok((landing, work)))
}

/// Checks what was merged.
fn landed(world: &mut World<'_>, landing: &Landing) -> Result<Outcome, Fault> {
    let mut checks = Vec::new();
    for path in &landing.merged {
        checks.push(preflighting::file(world, path)?);
    }
    let paths: Vec<String> = landing.merged.iter().map(ToString::to_string).collect();
    let warning = (!paths.is_empty()).then(|| {
        let paths = listed(&paths);
        format!("changed in the project while the implementer worked, and merged with its version: {paths}")
    });
    Ok(Outcome::Landed { merged: checks, warnings: warning.into_iter().collect() })
}

/// Keeps the implementer's versions of what changed in the project too, and what changed there.
fn set_apart(world: &World<'_>, root: &Tree, conflicts: &[DeltaPath]) -> Result<Conflicts, Fault> {
    let site = world.site;
    let underneath = diff::so_far(root, world.before()?, world.brief().paths())?;
    diff::keep_underneath(site, &underneath)?;
    let kept = site.run.dir().join("conflicts");
    let apart = world.copy().copy_out_files(conflicts, &kept)?;
    let dir = (!apart.copied.is_empty()).then(|| shown(site, &kept));
    Ok(Conflicts { paths: conflicts.iter().map(ToString::to_string).collect(), dir })
}

/// Looks at the tree before a verify. After a landing, files that the workplace does not have as they are in the project
/// are saved, so that what the verify changes can be undone.
pub(super) fn watch(world: &mut World<'_>) -> Result<Rc<Watch>, Fault> {
    let tree = world.tree();
    let Some(place) = world.workplace.as_ref().filter(|_| world.watch.is_none()) else {
        return Ok(Rc::new(tree.watch()?));
    };
    let watch = Rc::new(tree.watch_whole()?);
    let lacking = place.place.lacks(tree, &watch, &place.strays)?;
    diff::keep_underneath(world.site, &diff::since_copy(&place.copy, tree, &lacking)?)?;
    tree.save(&[], &lacking, &beside(world)?)?;
    let is_moved = !lacking.is_empty();
    world.watch = Some(Rc::clone(&watch));
    if let Some(place) = &mut world.workplace {
        place.is_apart |= is_moved;
    }
    Ok(watch)
}

fn beside(world: &World<'_>) -> Result<PathBuf, Fault> {
    Ok(dir(world.site.settings, world.site.layout)?.join("beside"))
}

/// Undoes the landing, and gives the lock up. What the verify and the setup changed is undone as well.
pub(super) fn withdraw(world: &mut World<'_>, reporter: &mut dyn Reporter) -> Result<(), Fault> {
    if world.workplace.is_none() {
        return Ok(());
    }
    let Some(locked) = world.locked.take() else {
        return Ok(());
    };
    let texts = plan_unwriting(world, &locked.tree)?;
    world.put_back.extend(texts);
    (world.watch, world.half) = (None, None);
    let dir = dir(world.site.settings, world.site.layout)?;
    world.put_back.extend(undo(&locked.tree, &dir)?);
    world.setup = None;
    match setup::settle(world.site, reporter) {
        // The next holder of the lock runs it.
        Err(Fault::Interrupted(_)) => Ok(()),
        settled => settled,
    }
}

/// As [`withdraw`], of a run that goes on: what was found is reported at once.
pub(super) fn return_to_workplace(
    world: &mut World<'_>,
    reporter: &mut dyn Reporter,
) -> Result<(), Fault> {
    let known = world.put_back.len();
    withdraw(world, reporter)?;
    for text in world.put_back.iter().skip(known) {
        reporter.warning(text);
    }
    Ok(())
}

/// Plans to undo what changed in the project outside the work since the verify began. What is there now is kept with
/// the run.
fn plan_unwriting(world: &World<'_>, root: &Tree) -> Result<Option<String>, Fault> {
    let (Some(watch), Some(_)) = (&world.watch, &world.workplace) else {
        return Ok(None);
    };
    let written = root.written_since(watch)?.files;
    let mut written: Vec<DeltaPath> =
        written.iter().filter_map(|file| DeltaPath::parse(file).ok()).collect();
    // What came in the second step of the landing, or waits for it, was not written by the verify.
    let is_waiting = |path: &DeltaPath| {
        world.half.as_ref().is_some_and(|half| half.landing.paths().any(|it| it == path))
    };
    let work = world.saved_work()?;
    written.retain(|path| {
        let is_landed =
            work.knows(path) && root.state(path).is_ok_and(|now| now == work.state(path));
        !is_landed && !is_waiting(path)
    });
    if written.is_empty() {
        return Ok(None);
    }
    let (site, dir) = (world.site, dir(world.site.settings, world.site.layout)?);
    let beside = root.load(&beside(world)?)?;
    let beside: Vec<_> = beside.iter().collect();
    let originals = world.copy().save(&beside, &written, &dir.join("originals"))?;
    let kept = unused_dir(site.run.dir(), WRITTEN);
    let apart = root.copy_out_files(&written, &kept)?;
    root.plan_restoring(&originals, &dir, "")?;
    let paths: Vec<String> = written.iter().map(ToString::to_string).collect();
    let mut commands = Vec::new();
    let kept = shown(site, &kept);
    if !apart.copied.is_empty() {
        commands.push(format!("cp -a {} .", shell_word(&format!("{kept}/."))));
    }
    if !apart.absent.is_empty() {
        let words = apart.absent.iter().map(|path| shell_word(&format!("./{path}")));
        commands.push(format!("rm {}", words.collect::<Vec<_>>().join(" ")));
    }
    let versions = match apart.copied.is_empty() {
        true => String::new(),
        false => format!("the changed version is in `{kept}`, and "),
    };
    let them = if paths.len() == 1 { "it" } else { "them" };
    Ok(Some(format!(
        "changed while the verify ran, and put back as it was: {}; {versions}`{}` brings {them} back",
        listed(&paths),
        commands.join(" && ")
    )))
}

/// The work of the run, saved; taken again where a command changed it in the workplace since.
impl World<'_> {
    pub(in crate::run) fn saved_work(&self) -> Result<ftl_tree::SavedFiles, Fault> {
        let files = WorkFiles::of(&self.site.run);
        let copy = self.copy();
        if let Some(work) = files.work(copy)? {
            let is_same = |(path, state): (&DeltaPath, &ftl_tree::PathState)| {
                copy.state(path).is_ok_and(|now| now == *state)
            };
            if work.states().iter().all(is_same) {
                return Ok(work);
            }
            let paths: Vec<DeltaPath> = work.states().into_keys().collect();
            return files.keep(copy, &[], &paths, self.made.requests);
        }
        let delta: Vec<DeltaPath> = self.brief().paths().cloned().collect();
        files.keep(copy, &[], &delta, self.made.requests)
    }
}

/// What was taken.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Taken {
    /// Files that are in the project now.
    pub taken: Vec<String>,
    /// Of these, files of which both versions were merged.
    pub merged: Vec<String>,
    /// Files that stay as they are, since the project's version differs at the same places.
    pub conflicts: Vec<String>,
    /// Where the versions of the conflicts are.
    pub apart: Option<PathBuf>,
}

/// Lays saved work into the project for a user, under its lock.
pub(crate) fn lay_into_project(
    settings: &Settings,
    layout: &Layout,
    run: Run,
    last: &LastWork,
    reporter: &mut dyn Reporter,
) -> Result<Taken, Fault> {
    let site = Site { settings, layout, run, secrets: Secrets::new(&settings.redactor) };
    let locked = LockedTree::enter(&site, &[], None, reporter)?;
    let dir = dir(settings, layout)?;
    let mut accepts = |path: &DeltaPath, bytes: &[u8]| {
        preflighting::parses(settings, &layout.root().join(path), bytes)
    };
    let tree = &locked.tree;
    let landing = tree.plan_landing(&last.base, &last.work, &dir.join("merge"), &mut accepts)?;
    let left = tree.land(&landing, &last.work, tree, (&dir, ""))?;
    forget(&dir)?;
    let shown = |paths: &mut dyn Iterator<Item = &DeltaPath>| -> Vec<String> {
        paths.map(ToString::to_string).collect()
    };
    let (taken, conflicts) = match left.is_empty() {
        true => (shown(&mut landing.paths()), landing.conflicts.clone()),
        false => (Vec::new(), landing.conflicts.iter().chain(&left).cloned().collect()),
    };
    let apart = match conflicts.is_empty() {
        true => None,
        false => {
            let apart = site.run.dir().join("conflicts");
            last.work.copy_out(&conflicts, &apart)?;
            Some(apart)
        }
    };
    let conflicts = shown(&mut conflicts.iter());
    Ok(Taken { taken, merged: shown(&mut landing.merged.iter()), conflicts, apart })
}

/// Says that nothing is to be undone any more: the record is sealed. If that fails, the next holder of the lock sees it
/// by the record.
pub(super) fn finish(world: &World<'_>) {
    if world.workplace.is_some() && world.locked.is_some() {
        let dir = dir(world.site.settings, world.site.layout);
        drop(dir.and_then(|dir| forget(&dir)));
        drop(setup::forget(world.site));
    }
}

/// Whether the record says that the work has landed, perhaps under the task's active name still.
pub(super) fn is_sealed(world: &World<'_>) -> bool {
    is_complete(&world.source.path)
}
