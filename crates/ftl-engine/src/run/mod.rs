//! A run: one workspace from active to its record, by the machine, in the world as it is.
//!
//! The order of things: locks, what a crash left behind, the journal, then the loop of `driver`, which
//! decides nothing. The machine's effects are performed by `effects`, a file for each; before there is a
//! run, and in a dry one, by `planner`.

mod after_seal;
mod announce;
mod attempts;
pub(crate) mod before;
mod brief;
pub(crate) mod checking;
mod choices;
mod committing;
mod crash_backup;
mod diff;
mod driver;
mod effects;
mod failed;
mod fault;
mod ground;
mod held_task;
mod idiom_judge;
mod implementer;
mod isolation;
mod judge;
mod judging;
pub(crate) mod last_block;
mod linked_store;
mod match_judge;
mod old_state;
pub(crate) mod originals;
mod orphans;
mod output;
mod own_files;
mod own_run;
mod planner;
mod preflighting;
mod putting_back;
mod record;
mod recorder;
mod recovery;
pub(crate) mod replay;
mod reporter;
mod requests;
mod result;
mod sealing;
mod secrets;
mod settings;
mod site;
pub(crate) mod slots;
mod snapshots;
mod tail;
mod unfinished_seal;
pub(crate) mod verified;
mod verifying;
mod ways;
pub(crate) mod weakened;
mod wording;
mod world;
mod written;

use std::path::Path;

use ftl_machine::{BlockKind, Effect, Event, Options, Outcome, State, Verdict};
use ftl_model::{DeltaPath, WorkspaceId, WorkspaceName};
use ftl_store::{Journal, Layout, Lock, Run, Runs, Waiting};
use ftl_tree::Tree;

pub use fault::{Fault, signal_name};
pub use isolation::try_isolation;
// The types that settings and faults are made of, so that a caller needs no crate but this one.
use crash_backup::forget as forget_crash_backup;
pub use crash_backup::revive;
pub use ftl_agents::Agent;
pub use ftl_analysis::diagnosis::{Families, Family, FamilyKind};
pub use ftl_store::{FileError, StoreError};
pub use ftl_tree::{
    Extent, IGNORED_CACHES, SCRATCH_NAMES, Settings as TreeSettings, Strays, TreeError,
};
pub use old_state::{HeldState, Need, held_state, remove_state};
pub use reporter::{NullReporter, Reporter};
pub use secrets::redacting;
pub use settings::{Attempt, Implementer, Isolate, Judge, Next, Settings, Whose};
pub(crate) use slots::owner as slot_owner;
pub use wording::Advice;

pub(crate) use implementer::without_variables;
pub(crate) use output::how_it_ended;
pub(crate) use secrets::Secrets;

use crate::project::read_workspace_file;
use crate::result::{BuildResult, RunId};
use crate::store::finish_rename;
use crate::text::{now_exactly, one_line};
use crate::validate::validate;
use after_seal::Sealed;
use brief::Source;
use choices::Choices;
use driver::{Perform, drive};
use isolation::Means;
use planner::Planner;
use recorder::{Opening, Recorder};
use recovery::Unfinished;
use secrets::Restorer;
use site::{SharedStore, Site, files};
use world::World;

/// Takes one workspace as far as it goes. `workspace` is a file named `NNN_slug_active.xml`; that it
/// is there and is named like this is the caller's business.
///
/// # Errors
///
/// [`Fault`] where the build could not begin or go on; the workspace is still active then.
pub fn build(
    workspace: &Path,
    settings: &Settings,
    reporter: &mut dyn Reporter,
) -> Result<BuildResult, Fault> {
    let id = id_of(workspace)?;
    let root = std::path::absolute(&settings.root).unwrap_or_else(|_| settings.root.clone());
    let layout = Layout::new(root).with_state(settings.state.clone());
    if settings.dry_run {
        return dry_run(workspace, id, settings, &layout, reporter);
    }
    let store = SharedStore::default();
    hold_store(&store, &layout, settings, reporter)?;
    layout.prepare(files())?;
    // A request that writes into `.ftl` may be this task's, so it is not kept waiting by a wait for the task.
    store.release();
    // Everything from here on reads or writes what another builder of this task would.
    let _lock = lock(workspace, settings, &layout, reporter)?;
    hold_store(&store, &layout, settings, reporter)?;
    let runs = Runs::new(files(), &layout, &id);
    let of_run = match settings.restart {
        true => None,
        false => recovery::slot_of(&runs, settings, &layout, reporter)?,
    };
    // An unfinished run goes on where its work is.
    let settings = &Settings { slot: of_run.unwrap_or(settings.slot), ..settings.clone() };
    if let Some(record) = finish_rename(workspace)? {
        return unfinished_seal::result_of(&runs, &id, &record, settings);
    }
    let bytes = read_workspace_file(workspace)?;
    let source = Source::parse(workspace, &bytes, &settings.knowledge);
    // Before anything else: a usage error must neither begin a run nor end an unfinished one.
    check_implementer(&source, settings, &layout)?;
    let means = check_isolation(&source, settings, &layout)?;
    if settings.restart {
        recovery::give_up(&runs, settings, &layout, &store, reporter)?;
        hold_store(&store, &layout, settings, reporter)?;
    }
    let opening = opening(settings, &source);
    let restorer = Restorer::new(&settings.redactor, &source);
    let mut found = recovery::unfinished(&runs, &opening, &restorer, settings)?;
    let resumed = found.as_ref().map_or(0, |found| found.events.len());
    let start = match &found {
        Some(found) => Start::again(found),
        None => Start::fresh(begin(&runs)?, settings.attempt),
    };
    let site = Site {
        settings,
        layout: &layout,
        run: start.run.clone(),
        secrets: Secrets::new(&settings.redactor),
        store: &store,
    };
    let (mut performer, edited) = performer(site, &source, &start, found.as_mut(), reporter)?;
    if let Performer::World(world) = &mut performer {
        world.means = means;
    }
    let journal = match found {
        Some(found) => found.journal,
        None => {
            let opening = secrets::written(&settings.redactor, &opening)?;
            Journal::create(files(), start.run.dir(), &start.began, &opening)?
        }
    };
    let run_id = RunId::new(id, start.run.number());
    let recorder = Recorder::new(Some(journal), reporter, run_id.clone());
    let mut recorder = recorder.hiding(&settings.redactor);
    recorder.open(&opening, source.brief(), resumed);
    let sealed = Sealed { settings, layout: &layout, run: &start.run, attempt: start.attempt };
    let mut state = start.state.unwrap_or_else(|| State::new(opening.options.clone()));
    recorder.enter(&state);
    if let Some(edited) = edited {
        state = state.apply(edited.clone())?;
        recorder.record(&edited, &state)?;
    }
    let verdict = match drive(state, &mut performer, &mut recorder) {
        // A refused run has begun nothing: the next one may choose other options.
        Err(Fault::Store(held @ StoreError::Held { .. })) if start.is_new => {
            // Where a request is under way by now, the run stays, to be continued.
            if store.hold(&layout, Waiting::Refuse).is_ok() {
                runs.forget(&start.run)?;
            }
            return Err(held.into());
        }
        // Nor has an agent that could not begin. What it printed stays with the run.
        Err(fault @ Fault::Outage { is_first: true, .. }) => {
            runs.finish(&start.run)?;
            crash_backup::forget(&layout, &id_of(workspace)?);
            if let Some(warning) = sealed.retired() {
                recorder.reporter().warning(&warning);
            }
            return Err(fault);
        }
        Err(fault) => {
            if let Performer::World(world) = &mut performer {
                slots::landing::withdraw(world, None)?;
            }
            return Err(fault);
        }
        done => done?,
    };
    // After the seal, which is what counts: see `Runs::finish`.
    runs.finish(&start.run)?;
    crash_backup::forget(&layout, &id_of(workspace)?);
    if matches!(verdict.outcome, Outcome::Complete) {
        before::retire(&layout, &id_of(workspace)?);
    }
    let world = performer.world();
    let warnings = sealed.settle(&verdict, world);
    let site = world.map(|world| &world.site);
    let mut result = result::of(&verdict, run_id, workspace, settings, site);
    result.attempt = start.attempt.number;
    result.patches = world.map_or(0, |world| world.made.patches);
    result.warnings.extend(warnings);
    complain(&mut result, workspace, &source, settings, &layout);
    result.warnings.extend(secrets::warning_about(&settings.redactor, &result));
    if let Some(world) = world {
        committing::commit(world, &mut result);
    }
    settings.next.fill(&mut result);
    recorder.close(&result);
    Ok(result)
}

/// Reports everything that is wrong with a task that can't be built as it is written.
fn complain(
    result: &mut BuildResult,
    workspace: &Path,
    source: &Source<'_>,
    settings: &Settings,
    layout: &Layout,
) {
    let kind = result.block.as_ref().map(|block| block.kind);
    if kind == Some(BlockKind::SpecInvalid) {
        let env = &settings.verify_env;
        result.problems = validate(source.bytes, workspace, layout.root(), env, &settings.rules);
        source.bytes.clone_into(&mut result.source);
    }
}

/// Where the loop begins: a new run, or the last state of one that began before.
struct Start {
    run: Run,
    began: String,
    attempt: Attempt,
    state: Option<State>,
    is_new: bool,
}

impl Start {
    fn fresh(run: Run, attempt: Attempt) -> Self {
        Self { run, began: now_exactly(), attempt, state: None, is_new: true }
    }

    fn again(found: &Unfinished) -> Self {
        Self {
            run: found.run.clone(),
            began: found.began.clone(),
            attempt: found.attempt,
            state: Some(found.state.clone()),
            is_new: false,
        }
    }
}

/// The performer of the run's effects, and what was edited since the run stopped. Of a document that
/// could not be read only READ is ever asked.
fn performer<'a>(
    site: Site<'a>,
    source: &'a Source<'a>,
    start: &Start,
    found: Option<&mut Unfinished>,
    reporter: &mut dyn Reporter,
) -> Result<(Performer<'a>, Option<Event>), Fault> {
    let Ok(content) = &source.content else {
        let planner = Planner {
            source,
            root: site.layout.root(),
            env: &site.settings.verify_env,
            rules: &site.settings.rules,
        };
        return Ok((Performer::Planner(planner), None));
    };
    let began = start.began.clone();
    let mut world = World::new(site, source, content, began, start.attempt);
    let mut edited = None;
    if let Some(found) = found {
        let ground = recovery::clear_up(&world.site, found, reporter)?;
        world.take_up(found, ground)?;
        edited = recovery::edited(&world, &found.state)?;
    }
    Ok((Performer::World(Box::new(world)), edited))
}

/// Who performs effects: of a document that could not be read only the planner.
enum Performer<'a> {
    Planner(Planner<'a>),
    World(Box<World<'a>>),
}

impl<'a> Performer<'a> {
    fn world(&self) -> Option<&World<'a>> {
        match self {
            Self::World(world) => Some(world),
            Self::Planner(_) => None,
        }
    }
}

impl Perform for Performer<'_> {
    fn perform(&mut self, effect: Effect, recorder: &mut Recorder<'_>) -> Result<Event, Fault> {
        match self {
            Self::Planner(planner) => planner.perform(effect, recorder),
            Self::World(world) => world.perform(effect, recorder),
        }
    }
}

fn dry_run(
    workspace: &Path,
    id: WorkspaceId,
    settings: &Settings,
    layout: &Layout,
    reporter: &mut dyn Reporter,
) -> Result<BuildResult, Fault> {
    let bytes = read_workspace_file(workspace)?;
    let source = Source::parse(workspace, &bytes, &settings.knowledge);
    check_implementer(&source, settings, layout)?;
    let opening = opening(settings, &source);
    let mut recorder = Recorder::new(None, reporter, RunId::dry(id.clone()));
    recorder.open(&opening, source.brief(), 0);
    let verdict = plan(&source, layout, settings, opening.options, &mut recorder)?;
    let mut result = result::of(&verdict, RunId::dry(id), workspace, settings, None);
    complain(&mut result, workspace, &source, settings, layout);
    settings.next.fill(&mut result);
    recorder.close(&result);
    Ok(result)
}

/// READ and PLAN alone.
fn plan(
    source: &Source<'_>,
    layout: &Layout,
    settings: &Settings,
    options: Options,
    recorder: &mut Recorder<'_>,
) -> Result<Verdict, Fault> {
    let options = Options { dry_run: true, ..options };
    let mut planner =
        Planner { source, root: layout.root(), env: &settings.verify_env, rules: &settings.rules };
    drive(State::new(options), &mut planner, recorder)
}

/// Where the tree is to be the implementer, something must be there to look at. A workspace that
/// PLAN would block is left to PLAN.
fn check_implementer(
    source: &Source<'_>,
    settings: &Settings,
    layout: &Layout,
) -> Result<(), Fault> {
    check_house_rules(source, settings)?;
    if let Implementer::Patches(patches) = &settings.implementer {
        for path in patches {
            std::fs::File::open(path)
                .map_err(|source| Fault::Patch { path: path.clone(), source })?;
        }
    }
    let Implementer::Tree { base } = &settings.implementer else {
        return Ok(());
    };
    let Some(delta) = buildable_delta(source, settings, layout)? else {
        return Ok(());
    };
    // Most often some of it is there, and git need not be asked.
    let is_there = |path: &DeltaPath| layout.root().join(path).symlink_metadata().is_ok();
    if base.is_none() && delta.iter().any(is_there) {
        return Ok(());
    }
    let tree = Tree::open(layout.root(), &delta, settings.tree.clone())?;
    let at_base = tree.base(base.as_deref())?;
    let anything =
        !at_base.files.is_empty() || tree.delta()?.values().any(|state| state.kind.is_some());
    if anything { Ok(()) } else { Err(Fault::NoImplementer { base: base.clone() }) }
}

/// House rules that can't be used are reported before anything is begun, and only where there are idioms.
fn check_house_rules(source: &Source<'_>, settings: &Settings) -> Result<(), Fault> {
    let brief = source.brief();
    if brief.is_none_or(|brief| brief.workspace.idioms.is_none()) {
        return Ok(());
    }
    settings.rules.check().map_err(Fault::Rules)
}

/// An overlay that was asked for and can't be had is refused while nothing is begun.
fn check_isolation(
    source: &Source<'_>,
    settings: &Settings,
    layout: &Layout,
) -> Result<Option<Means>, Fault> {
    if settings.isolate != Some(Isolate::Overlay) {
        return Ok(None);
    }
    match buildable_delta(source, settings, layout)? {
        Some(delta) => isolation::check(settings, layout, &delta),
        None => Ok(None),
    }
}

/// The delta, where READ and PLAN would let the workspace pass: asked of the machine itself, with a
/// recorder that records nothing, so that no second opinion of PLAN exists.
fn buildable_delta(
    source: &Source<'_>,
    settings: &Settings,
    layout: &Layout,
) -> Result<Option<Vec<DeltaPath>>, Fault> {
    let mut reporter = NullReporter;
    let unnamed = RunId::dry(WorkspaceId::new("", ""));
    let mut recorder = Recorder::new(None, &mut reporter, unnamed);
    let verdict = plan(source, layout, settings, options(settings), &mut recorder)?;
    Ok(match verdict.outcome {
        Outcome::Planned => Some(verdict.plan.paths().cloned().collect()),
        Outcome::Complete | Outcome::Blocked(_) => None,
    })
}

fn lock(
    workspace: &Path,
    settings: &Settings,
    layout: &Layout,
    reporter: &mut dyn Reporter,
) -> Result<Lock, Fault> {
    let mut wait = |holder| reporter.waiting(holder);
    let lock = Lock::task(files(), layout, workspace, site::waiting(settings, &mut wait))?;
    if let Some(warning) = lock.warning() {
        reporter.warning(&warning.to_string());
    }
    Ok(lock)
}

fn hold_store(
    store: &SharedStore,
    layout: &Layout,
    settings: &Settings,
    reporter: &mut dyn Reporter,
) -> Result<(), Fault> {
    let mut wait = |holder| reporter.waiting(holder);
    Ok(store.hold(layout, site::waiting(settings, &mut wait))?)
}

/// Makes the directories of a task's next run.
fn begin(runs: &Runs<'_>) -> Result<Run, Fault> {
    let run = runs.next()?;
    runs.begin(&run)?;
    Ok(run)
}

fn id_of(workspace: &Path) -> Result<WorkspaceId, Fault> {
    let name = workspace.file_name().unwrap_or_default().to_string_lossy();
    let name: WorkspaceName = name.parse().map_err(StoreError::Name)?;
    Ok(name.id)
}

fn options(settings: &Settings) -> Options {
    Options {
        read_tests: settings.read_tests,
        dry_run: settings.dry_run,
        can_mend: !matches!(settings.implementer, Implementer::Tree { .. }),
        untrusted: settings.untrusted.clone(),
        undecided: settings.undecided,
        lands: settings.slot.is_some(),
    }
}

/// What must be the same when an unfinished run is taken up again.
fn opening(settings: &Settings, source: &Source<'_>) -> Opening {
    Opening {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        options: options(settings),
        choices: Choices::of(settings),
        workspace: source.sha256,
        attempt: settings.attempt,
        slot: settings.slot,
    }
}
