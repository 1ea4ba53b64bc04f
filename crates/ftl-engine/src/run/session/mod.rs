//! A locked task and its run: the run is opened, driven to its seal, and turned into a result.

pub(super) mod brief;
pub(super) mod choices;
pub(super) mod entering;
pub(crate) mod last_block;
pub(super) mod preconditions;
pub(super) mod result;

use std::path::Path;

use ftl_machine::{Event, Outcome, State, Verdict};
use ftl_model::WorkspaceId;
use ftl_store::{Journal, Layout, Run, Runs, StoreError};

use crate::result::{BuildResult, RunId};
use crate::run::commands::secrets::{self, Restorer, Secrets};
use crate::run::driver::{Perform, drive};
use crate::run::effects::Performer;
use crate::run::effects::planner::Planner;
use crate::run::journal::recorder::{Opening, Recorder};
use crate::run::landing::committing;
use crate::run::recovery::{self, Unfinished};
use crate::run::session::brief::Source;
use crate::run::session::choices::Choices;
use crate::run::session::preconditions::options;
use crate::run::settings::Attempt;
use crate::run::site::{Site, files};
use crate::run::work::before;
use crate::run::world::{Task, World};
use crate::run::{Fault, Reporter, Settings, landing};
use crate::text::{milliseconds, now_exactly};

/// A task that is locked and was read.
pub(super) struct Locked<'a> {
    pub(super) workspace: &'a Path,
    pub(super) id: &'a WorkspaceId,
    pub(super) layout: &'a Layout,
    pub(super) runs: &'a Runs<'static>,
    pub(super) settings: &'a Settings,
    pub(super) source: &'a Source<'a>,
}

impl<'a> Locked<'a> {
    /// Takes the task from READ, or from where its run was interrupted, to the seal.
    pub(super) fn build(&self, reporter: &mut dyn Reporter) -> Result<BuildResult, Fault> {
        let Self { settings, source, .. } = *self;
        let opening = opening(settings, source);
        let restorer = Restorer::new(&settings.redactor, source);
        let found = recovery::unfinished(self.runs, &opening, &restorer, settings)?;
        let resumed = found.as_ref().map_or(0, |found| found.events.len());
        let start = match &found {
            Some(found) => Start::again(found),
            None => Start::fresh(begin(self.runs)?, settings.series.attempt),
        };
        let task = self.task(&start);
        let (mut performer, edited) = match &task {
            Some(task) => performer(task, found.as_ref(), reporter)?,
            None => (None, None),
        };
        let journal = match found {
            Some(found) => found.journal,
            None => {
                let opening = secrets::written(&settings.redactor, &opening)?;
                Journal::create(files(), start.run.dir(), &start.began, &opening)?
            }
        };
        let run_id = RunId::new(self.id.clone(), start.run.number());
        let recorder = Recorder::new(Some(journal), reporter, run_id.clone());
        let mut recorder = recorder.hiding(&settings.redactor);
        recorder.open(&opening, source.brief(), resumed);
        let mut state = start.state.clone().unwrap_or_else(|| State::new(opening.options));
        recorder.enter(&state);
        if let Some(edited) = edited {
            state = state.apply(edited.clone())?;
            recorder.record(&edited, &state)?;
        }
        let mut planner = Planner { source, root: self.layout.root(), settings };
        let performs: &mut dyn Perform = match &mut performer {
            Some(performer) => performer,
            None => &mut planner,
        };
        let driven = drive(state, performs, &mut recorder);
        let mut world = performer.and_then(|performer| performer.world);
        let verdict = match driven {
            Ok(verdict) => verdict,
            Err(fault) => {
                return Err(self.stopped(fault, &start, world.as_mut(), &mut recorder)?);
            }
        };
        let result = self.finish(&verdict, run_id, &start, task.as_ref(), world.as_ref())?;
        recorder.close(&result);
        Ok(result)
    }

    /// Leaves a run that cannot go on as the next build needs it; gives the fault back.
    fn stopped(
        &self,
        fault: Fault,
        start: &Start,
        world: Option<&mut World<'_>>,
        recorder: &mut Recorder<'_>,
    ) -> Result<Fault, Fault> {
        match &fault {
            // A refused run has begun nothing: the next one may choose other options.
            Fault::Store(StoreError::Held { .. })
            | Fault::NoRoom(_)
            | Fault::NothingDiffers { .. }
                if start.is_new =>
            {
                self.runs.forget(&start.run)?;
            }
            // Nor has an agent that could not begin. What it printed stays with the run.
            Fault::Outage { is_first: true, .. } => self.runs.finish(&start.run)?,
            _ => {
                if let Some(world) = world.filter(|world| !landing::is_sealed(world)) {
                    landing::withdraw(world, recorder.reporter())?;
                    for text in &world.put_back {
                        recorder.reporter().warning(text);
                    }
                }
            }
        }
        Ok(fault)
    }

    /// The task, if its document could be read.
    fn task(&self, start: &Start) -> Option<Task<'a>> {
        let settings = self.settings;
        Some(Task {
            content: self.source.content.as_ref().ok()?,
            source: self.source,
            site: Site {
                settings,
                layout: self.layout,
                run: start.run.clone(),
                secrets: Secrets::new(&settings.redactor),
            },
            began: start.began.clone(),
            attempt: start.attempt,
        })
    }

    /// After the seal, which is what counts: see `Runs::finish`.
    fn finish(
        &self,
        verdict: &Verdict,
        run_id: RunId,
        start: &Start,
        task: Option<&Task<'_>>,
        world: Option<&World<'_>>,
    ) -> Result<BuildResult, Fault> {
        let Self { workspace, settings, layout, .. } = *self;
        self.runs.finish(&start.run)?;
        if matches!(verdict.outcome, Outcome::Complete) {
            before::retire(layout, self.id);
        }
        let warnings = world.map(|world| world.put_back.clone()).unwrap_or_default();
        let site = task.map(|task| &task.site);
        let mut result = result::of(verdict, run_id, workspace, settings, site);
        result.attempt = start.attempt.number;
        result.duration_ms = milliseconds(&start.began, &now_exactly()).unwrap_or_default();
        result.patches = world.map_or(start.attempt.patches, |world| world.made.patches);
        result.warnings.extend(warnings);
        crate::run::complain(&mut result, workspace, self.source, settings, layout);
        result.warnings.extend(secrets::warning_about(&settings.redactor, &result));
        if let Some(site) = site {
            committing::commit(site, &mut result);
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

/// The performer of a task's effects, and what was edited since its run stopped.
fn performer<'a>(
    task: &'a Task<'a>,
    found: Option<&Unfinished>,
    reporter: &mut dyn Reporter,
) -> Result<(Option<Performer<'a>>, Option<Event>), Fault> {
    let Some(found) = found else {
        return Ok((Some(Performer { task, world: None }), None));
    };
    recovery::end_processes(&task.site, found, reporter);
    // Before IMPLEMENT the run neither had a workplace nor locked the tree.
    if !recovery::has_implemented(&found.state) {
        return Ok((Some(Performer { task, world: None }), None));
    }
    let world = World::resume(task, found, reporter)?;
    let edited = recovery::edited(&world, &found.state)?;
    Ok((Some(Performer { task, world: Some(world) }), edited))
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
        attempt: settings.series.attempt,
        slot: settings.slot,
    }
}
