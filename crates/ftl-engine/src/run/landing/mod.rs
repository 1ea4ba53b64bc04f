//! Landing: the work is brought from the workplace into the project, under its lock, and undone where the task does not
//! complete.
//!
//! At most one landing is under way in a root, since its lock is held until the record is sealed. Its plan is durable
//! before the first file changes. So the next holder of the lock, for any task, can undo a landing whose task is
//! not sealed as complete, and forget one whose task is (`landed`). Those of several tasks may be one (`together`).

pub(super) mod committing;
pub(crate) mod landed;
pub(crate) mod taking;
mod together;
pub(super) mod tree_lock;

use std::mem;
use std::path::PathBuf;
use std::rc::Rc;

use ftl_machine::event::{Conflicts, Verification};
use ftl_model::{Check, DeltaPath};
use ftl_store::gate::LandingPlace;
use ftl_store::{StoreError, Turn};
use ftl_tree::{Landing, SavedFiles, Tree, Watch};

use crate::run::commands::output::{shown, unused_dir};
use crate::run::commands::setup;
use crate::run::effects::preflighting;
use crate::run::journal::recorder::Recorder;
use crate::run::landing::landed::{HalfLanding, Owner, dir, is_complete, settle};
use crate::run::landing::tree_lock::LockedTree;
use crate::run::work::work_files::WorkFiles;
use crate::run::work::{diff, workplace};
use crate::run::world::World;
use crate::run::{Fault, Reporter};
use crate::text::{listed, shell_word};

/// In the directory of a run: what was there of files that the verify changed.
const WRITTEN: &str = "written";

/// How a landing went.
pub(super) enum Outcome {
    /// The work is in the project. Files that were merged with the project's version were checked again.
    Landed { merged: Vec<Check>, warnings: Vec<String> },
    /// The work is in the project with that of other tasks, and the command passed in a run that is theirs too.
    Passed(Box<Verification>),
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
    let mut is_alone = mem::take(&mut world.lands_alone);
    loop {
        match bring(world, recorder, &mut |_, _, _| Ok(()), is_alone)? {
            Brought::Landed(landing, _) => return landed(world, &landing),
            Brought::Passed(verification) => return Ok(Outcome::Passed(verification)),
            Brought::Conflict(conflicts) => return Ok(Outcome::Conflict(conflicts)),
            Brought::Undone => is_alone = true,
        }
    }
}

/// Makes the first step of a landing, without what `holds` holds back. Conflicts leave the project as it is.
pub(super) fn land_first(
    world: &mut World<'_>,
    holds: &mut Holds<'_>,
    recorder: &mut Recorder<'_>,
) -> Result<Option<Conflicts>, Fault> {
    match bring(world, recorder, holds, true)? {
        Brought::Landed(landing, work) => {
            world.half = Some(HalfLanding { landing, work });
            Ok(None)
        }
        Brought::Conflict(conflicts) => Ok(Some(conflicts)),
        Brought::Passed(_) | Brought::Undone => unreachable!("it lands by itself"),
    }
}

/// What became of the work.
enum Brought {
    Landed(Landing, SavedFiles),
    /// It landed with others, and the command passed.
    Passed(Box<Verification>),
    /// It landed with others, and is undone.
    Undone,
    Conflict(Conflicts),
}

/// Plans a landing and makes it, or its first step.
fn bring(
    world: &mut World<'_>,
    recorder: &mut Recorder<'_>,
    holds: &mut Holds<'_>,
    is_alone: bool,
) -> Result<Brought, Fault> {
    let site = world.site;
    let work = world.saved_work()?;
    let Some(place) = &world.workplace else {
        return Err(Fault::NoWork { run: site.run.number() });
    };
    let delta: Vec<DeltaPath> = world.brief().paths().cloned().collect();
    let owner = Owner {
        run: workplace::name_of(site.layout, &site.run),
        task: world.source.path.clone(),
        verify: world.brief().verify.clone(),
    };
    recorder.settle()?;
    let mut waiting = None;
    if !is_alone && site.settings.slot.is_some() {
        let work = work.states();
        let paths = delta.iter().chain(work.keys()).map(ToString::to_string);
        waiting = together::wait_in(site, &place.place, paths.collect(), owner.clone())?;
    }
    let is_led = || waiting.as_ref().is_some_and(|waiting| waiting.0.is_led());
    let (turn, reporter) = (Some(Turn::Landing), recorder.reporter());
    // From here on no other builder changes the project, and no refresh sees what has not passed its verify.
    let mut locked = match LockedTree::enter_unless(site, &delta, turn, &is_led, reporter) {
        Err(Fault::Store(StoreError::Held { .. })) if is_led() => {
            return follow(world, waiting.map(|waiting| waiting.0), recorder.reporter());
        }
        locked => locked?,
    };
    let bench = place.place.dir().with_file_name("merge");
    let mut accepts = |path: &DeltaPath, bytes: &[u8]| {
        preflighting::parses(site.settings, &site.root().join(path), bytes)
    };
    let mut landing = locked.tree.plan_landing(&place.base, &work, &bench, &mut accepts)?;
    let mut conflicts = landing.conflicts.clone();
    if conflicts.is_empty() {
        holds(&locked.tree, &mut landing, &work)?;
        let owner = serde_json::to_string(&owner).expect("because every key is a string");
        let dir = dir(site.settings, site.layout)?;
        // At this point either: all of it landed; or the user saved a file in this very moment, and nothing of it is in
        // the project; or the file system refused, and the next holder of the lock undoes what the plan says.
        let left = locked.tree.land(&landing, &work, &place.copy, (&dir, &owner))?;
        conflicts.extend(left);
    }
    if !conflicts.is_empty() {
        return Ok(Brought::Conflict(set_apart(world, &locked.tree, &conflicts)?));
    }
    let setup = setup::due(site, landing.paths());
    // Dependencies are made for the work of one task.
    if let Some((place, about)) = waiting.filter(|_| setup.is_none()) {
        locked.together = together::lead(site, &bench, &locked.tree, place, about)?;
    }
    (world.locked, world.setup) = (Some(locked), setup);
    Ok(Brought::Landed(landing, work))
}

/// Waits for the verdict of a run that lands the work with its own.
fn follow(
    world: &mut World<'_>,
    place: Option<LandingPlace>,
    reporter: &mut dyn Reporter,
) -> Result<Brought, Fault> {
    let Some(place) = place else { return Ok(Brought::Undone) };
    let Some(passed) = together::passed(&place, reporter)? else { return Ok(Brought::Undone) };
    let delta: Vec<DeltaPath> = world.brief().paths().cloned().collect();
    world.locked = Some(LockedTree::follow(world.site, &delta, place)?);
    Ok(Brought::Passed(passed))
}

/// Says to those that landed with the work that the command passed; returns their tasks.
pub(super) fn tell(world: &mut World<'_>, passed: &Verification) -> Vec<String> {
    let leads = world.locked.as_mut().and_then(LockedTree::leads);
    leads.map(|leads| leads.tell(passed)).unwrap_or_default()
}

/// Whether the work of others is in the project too.
pub(super) fn is_shared(world: &World<'_>) -> bool {
    world.locked.as_ref().is_some_and(|locked| locked.together.is_some())
}

/// Whether all that landed with the work would be sealed as complete, as this one `is_complete`. If not, all of it is
/// undone, and the work is to land by itself.
pub(super) fn agree(
    world: &mut World<'_>,
    is_complete: bool,
    reporter: &mut dyn Reporter,
) -> Result<bool, Fault> {
    let together = world.locked.as_ref().and_then(|locked| locked.together.as_ref());
    let Some(together) = together else { return Ok(true) };
    let agreed = is_complete && together.agree(reporter)?;
    if !agreed {
        return_to_workplace(world, reporter)?;
        world.lands_alone = true;
    }
    Ok(agreed)
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
    let Some(mut locked) = world.locked.take() else {
        return Ok(());
    };
    if locked.follows() {
        // The run that holds the tree undoes it.
        return Ok(());
    }
    if let Some(leads) = locked.leads() {
        leads.close()?;
    }
    let texts = plan_unwriting(world, &locked.tree)?;
    world.put_back.extend(texts);
    (world.watch, world.half) = (None, None);
    world.put_back.extend(settle(world.site, &locked.tree)?);
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

/// After the seal nothing is to be undone any more, but for the work of others that was not sealed. If that fails, the next
/// holder of the lock sees it by the records.
pub(super) fn finish(world: &mut World<'_>) {
    let Some(locked) = world.locked.as_mut().filter(|locked| !locked.follows()) else { return };
    let closed = locked.leads().map_or(Ok(()), |leads| leads.close());
    if world.workplace.is_some() {
        let texts = closed.and_then(|()| settle(world.site, &locked.tree));
        world.put_back.extend(texts.unwrap_or_default());
    }
}

/// Whether the record says that the work has landed, perhaps under the task's active name still.
pub(super) fn is_sealed(world: &World<'_>) -> bool {
    // Where that can't be seen, the next holder of the lock looks again.
    is_complete(&world.source.path).unwrap_or(true)
}
