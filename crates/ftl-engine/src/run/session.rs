//! A locked task and its run: the run is opened, driven to its seal, and turned into a result.

use std::path::Path;

use ftl_machine::{Effect, Event, Outcome, State, Verdict};
use ftl_model::WorkspaceId;
use ftl_store::{Journal, Layout, Run, Runs, StoreError, Waiting};

use super::after_seal::Sealed;
use super::brief::Source;
use super::choices::Choices;
use super::driver::{Perform, drive};
use super::isolation::Means;
use super::planner::Planner;
use super::preconditions::options;
use super::recorder::{Opening, Recorder};
use super::recovery::{self, Unfinished};
use super::secrets::{self, Restorer, Secrets};
use super::settings::Attempt;
use super::site::{SharedStore, Site, files};
use super::world::World;
use super::{Fault, Reporter, Settings, before, committing, crash_backup, result, slots};
use crate::result::{BuildResult, RunId};
use crate::text::now_exactly;

/// A task that is locked and was read.
pub(super) struct Locked<'a> {
    pub(super) workspace: &'a Path,
    pub(super) id: &'a WorkspaceId,
    pub(super) layout: &'a Layout,
    pub(super) runs: &'a Runs<'static>,
    pub(super) settings: &'a Settings,
    pub(super) source: &'a Source<'a>,
    pub(super) store: &'a SharedStore,
}

/// Its run, ready for the loop.
struct Opened<'a> {
    start: Start,
    opening: Opening,
    journal: Journal<'static>,
    /// Events of the run that are in the journal already.
    resumed: usize,
    performer: Performer<'a>,
    /// What was edited since the run stopped.
    edited: Option<Event>,
}

impl<'a> Locked<'a> {
    /// Takes the task from READ, or from where its run was interrupted, to the seal.
    pub(super) fn build(
        &self,
        means: Option<Means>,
        reporter: &mut dyn Reporter,
    ) -> Result<BuildResult, Fault> {
        let Opened { start, opening, journal, resumed, mut performer, edited } =
            self.open(means, reporter)?;
        let run_id = RunId::new(self.id.clone(), start.run.number());
        let recorder = Recorder::new(Some(journal), reporter, run_id.clone());
        let mut recorder = recorder.hiding(&self.settings.redactor);
        recorder.open(&opening, self.source.brief(), resumed);
        let mut state = start.state.clone().unwrap_or_else(|| State::new(opening.options));
        recorder.enter(&state);
        if let Some(edited) = edited {
            state = state.apply(edited.clone())?;
            recorder.record(&edited, &state)?;
        }
        let sealed = Sealed {
            settings: self.settings,
            layout: self.layout,
            run: &start.run,
            attempt: start.attempt,
        };
        let verdict = match drive(state, &mut performer, &mut recorder) {
            Err(fault) => {
                return Err(self.stopped(fault, &start, &sealed, &mut performer, &mut recorder)?);
            }
            Ok(verdict) => verdict,
        };
        let result = self.finish(&verdict, run_id, &sealed, performer.world())?;
        recorder.close(&result);
        Ok(result)
    }

    fn open(&self, means: Option<Means>, reporter: &mut dyn Reporter) -> Result<Opened<'a>, Fault> {
        let settings = self.settings;
        let opening = opening(settings, self.source);
        let restorer = Restorer::new(&settings.redactor, self.source);
        let mut found = recovery::unfinished(self.runs, &opening, &restorer, settings)?;
        let resumed = found.as_ref().map_or(0, |found| found.events.len());
        let start = match &found {
            Some(found) => Start::again(found),
            None => Start::fresh(begin(self.runs)?, settings.attempt),
        };
        let site = Site {
            settings,
            layout: self.layout,
            run: start.run.clone(),
            secrets: Secrets::new(&settings.redactor),
            store: self.store,
        };
        let (mut performer, edited) =
            performer(site, self.source, &start, found.as_mut(), reporter)?;
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
        Ok(Opened { start, opening, journal, resumed, performer, edited })
    }

    /// Leaves a run that cannot go on as the next build needs it; gives the fault back.
    fn stopped(
        &self,
        fault: Fault,
        start: &Start,
        sealed: &Sealed<'_>,
        performer: &mut Performer<'_>,
        recorder: &mut Recorder<'_>,
    ) -> Result<Fault, Fault> {
        match &fault {
            // A refused run has begun nothing: the next one may choose other options. Where a request
            // is under way by now, the run stays, to be continued.
            Fault::Store(StoreError::Held { .. }) | Fault::NoSlot(_) if start.is_new => {
                if self.store.hold(self.layout, Waiting::Refuse).is_ok() {
                    self.runs.forget(&start.run)?;
                }
            }
            // Nor has an agent that could not begin. What it printed stays with the run.
            Fault::Outage { is_first: true, .. } => {
                self.runs.finish(&start.run)?;
                crash_backup::forget(self.layout, self.id);
                if let Some(warning) = sealed.retired() {
                    recorder.reporter().warning(&warning);
                }
            }
            _ => {
                if let Performer::World(world) = performer {
                    slots::landing::withdraw(world, None)?;
                    for text in &world.put_back {
                        recorder.reporter().warning(text);
                    }
                }
            }
        }
        Ok(fault)
    }

    /// After the seal, which is what counts: see `Runs::finish`.
    fn finish(
        &self,
        verdict: &Verdict,
        run_id: RunId,
        sealed: &Sealed<'_>,
        world: Option<&World<'_>>,
    ) -> Result<BuildResult, Fault> {
        let Self { workspace, settings, layout, .. } = *self;
        self.runs.finish(sealed.run)?;
        crash_backup::forget(layout, self.id);
        if matches!(verdict.outcome, Outcome::Complete) {
            before::retire(layout, self.id);
        }
        let warnings = sealed.settle(verdict, world);
        let site = world.map(|world| &world.site);
        let mut result = result::of(verdict, run_id, workspace, settings, site);
        result.attempt = sealed.attempt.number;
        result.patches = world.map_or(0, |world| world.made.patches);
        result.warnings.extend(warnings);
        super::complain(&mut result, workspace, self.source, settings, layout);
        result.warnings.extend(secrets::warning_about(&settings.redactor, &result));
        if let Some(world) = world {
            committing::commit(world, &mut result);
        }
        settings.next.fill(&mut result);
        Ok(result)
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

/// Makes the directories of a task's next run.
fn begin(runs: &Runs<'_>) -> Result<Run, Fault> {
    let run = runs.next()?;
    runs.begin(&run)?;
    Ok(run)
}

/// What must be the same when an unfinished run is taken up again.
pub(super) fn opening(settings: &Settings, source: &Source<'_>) -> Opening {
    Opening {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        options: options(settings),
        choices: Choices::of(settings),
        workspace: source.sha256,
        attempt: settings.attempt,
        slot: settings.slot,
    }
}
