//! Resuming a run that was interrupted, or giving it up.
//!
//! The events are folded, which alone gives the run's state, and what it left running is ended, so that no process
//! writes while anything is read. A request that was cut off had written in the workplace only: that is kept with the
//! run when the workplace is refreshed (`workplace`), the work of earlier requests is laid into it (`last_work`), and
//! the request is made again. A landing that was cut off is undone by the next build that locks the tree (`landed`).
//!
//! A seal that was cut short is not here: see `unfinished_seal.rs` and `ftl_store::finish_rename`.

mod changed;
mod edits;
pub(super) mod old_state;
pub(super) mod orphans;
pub(super) mod own_run;
pub(crate) mod replay;
pub(super) mod unfinished_seal;

use ftl_machine::{Effect, Event, Next, State, StateName};
use ftl_model::WorkspaceId;
use ftl_store::{Journal, Layout, LineKind, Loaded, Run, Runs, StoreError};

use crate::run::commands::secrets::{self, Restorer, Secrets};
use crate::run::journal::recorder::{Note, Opening};
use crate::run::settings::Attempt;
use crate::run::site::{Site, files};
use crate::run::work::before::{Before, today};
use crate::run::work::work_files::WorkFiles;
use crate::run::world::{Made, Task, World, takes_a_patch};
use crate::run::{Fault, Implementer, Reporter, Settings};
pub(super) use edits::edited;

/// A run that did not come to its end, folded.
pub(super) struct Unfinished {
    pub(super) run: Run,
    /// When it began.
    pub(super) began: String,
    /// Which try of its command it was.
    pub(super) attempt: Attempt,
    /// The state that it reached.
    pub(super) state: State,
    /// Ready for the next line.
    pub(super) journal: Journal<'static>,
    /// Its events, each with the effect that it answered.
    pub(super) events: Vec<(Next, Event)>,
    /// Notes since the last event: what was under way when it stopped.
    pending: Vec<Note>,
}

/// The unfinished run of a task, if it has one that fits what is asked for now.
pub(super) fn unfinished(
    runs: &Runs<'static>,
    opening: &Opening,
    restorer: &Restorer,
    settings: &Settings,
) -> Result<Option<Unfinished>, Fault> {
    let Some(run) = runs.unfinished()? else {
        return Ok(None);
    };
    runs.tidy(&run);
    let loaded = Journal::open(files(), run.dir())?;
    let before: Opening = loaded.header.decode()?;
    // As it would have been written.
    let opening: Opening =
        serde_json::from_str(secrets::written(&settings.redactor, opening)?.get())
            .map_err(StoreError::JournalData)?;
    // The version may differ: an update must not strand a run. What the events mean is checked by
    // folding them.
    let mut changes = changed::options(&before.choices, &opening.choices);
    changes.extend(changed::options(&before.options, &opening.options));
    let what = match before.workspace == opening.workspace {
        true if changes.is_empty() => return fold(run, before, loaded, restorer).map(Some),
        true => "the options",
        false => "the workspace",
    };
    Err(Fault::Changed { what, run: run.number(), changes })
}

/// Which agent of the command that was interrupted made the unfinished run of a task; the first where there is none.
#[must_use]
pub fn unfinished_rung(layout: &Layout, id: &WorkspaceId) -> u32 {
    let run = Runs::new(files(), layout, id).unfinished().ok().flatten();
    let read = run.and_then(|run| Journal::read(files(), run.dir()).ok());
    let opening = read.and_then(|(header, _)| header.decode::<Opening>().ok());
    opening.map_or(0, |opening| opening.attempt.rung)
}

/// Folds the journal. An event that the state refuses is a fault, never skipped: everything after it
/// would be built on a state that the run did not have.
fn fold(
    run: Run,
    opening: Opening,
    loaded: Loaded<'static>,
    restorer: &Restorer,
) -> Result<Unfinished, Fault> {
    let Loaded { journal, header, entries, torn: _ } = loaded;
    let attempt = opening.attempt;
    let mut state = State::new(opening.options);
    let (mut events, mut pending) = (Vec::new(), Vec::new());
    for entry in &entries {
        match entry.kind {
            LineKind::Open => {}
            LineKind::Note => {
                pending.push(entry.decode()?);
            }
            LineKind::Event => {
                let event: Event = if restorer.is_empty() {
                    entry.decode()?
                } else {
                    let restored = restorer.restore(entry.decode()?);
                    restored.map_err(StoreError::JournalData)?
                };
                events.push((state.next(), event.clone()));
                state = state.apply(event)?;
                // An event is journalled once its effect is over, so no note before it is pending.
                pending.clear();
            }
        }
    }
    Ok(Unfinished { run, began: header.at.clone(), attempt, state, journal, events, pending })
}

/// Gives an unfinished run up: what it left running is ended. A journal that can't be read any more does not prevent a
/// new run.
pub(super) fn give_up(
    runs: &Runs<'static>,
    settings: &Settings,
    layout: &Layout,
    reporter: &mut dyn Reporter,
) -> Result<(), Fault> {
    if let Some(run) = runs.unfinished()? {
        let secrets = Secrets::new(&settings.redactor);
        let site = Site { settings, layout, run: run.clone(), secrets };
        let name = crate::run::work::workplace::name_of(layout, &run);
        orphans::end_abandoned(&site, &name, reporter);
    }
    Ok(runs.finish_all()?)
}

/// Ends what an unfinished run left running.
pub(super) fn end_processes(site: &Site<'_>, found: &Unfinished, reporter: &mut dyn Reporter) {
    let ended = orphans::end(site, &found.pending);
    orphans::tell("the interrupted run", &ended, reporter);
}

pub(super) fn has_implemented(state: &State) -> bool {
    state.log().states.contains(&StateName::Implement)
}

impl<'a> World<'a> {
    /// The world as it was when the run stopped, but for a landing, which is made again.
    pub(super) fn resume(
        task: &'a Task<'a>,
        found: &Unfinished,
        reporter: &mut dyn Reporter,
    ) -> Result<Self, Fault> {
        let made = made_by(task, &found.events);
        WorkFiles::of(&task.site.run).forget_after(made.requests)?;
        let mut world = Self::open(task, reporter)?;
        world.made = made;
        world.made.patches += found.attempt.patches;
        for (_, event) in &found.events {
            if let Event::FailureMatched(matched) = event {
                world.judged.extend(matched.judge.clone());
                world.matched.extend(matched.known.iter().map(|known| known.index));
            }
            world.conversation.go_on(event);
        }
        let is_tree = task.site.settings.implementer.is_tree();
        if is_tree && found.events.iter().any(|(_, event)| is_work(event)) {
            world.before = Some(before(&world)?);
        }
        Ok(world)
    }
}

/// Counted from the events, since an interrupted request is asked again under its old number.
fn made_by(task: &Task<'_>, events: &[(Next, Event)]) -> Made {
    let is_tree = task.site.settings.implementer.is_tree();
    let mut made = Made::default();
    for (asked, event) in events {
        match event {
            Event::Implemented(_) | Event::Mended(_) if is_tree => {}
            Event::Implemented(_) | Event::Mended(_) => {
                made.requests += 1;
                made.patches += 1;
            }
            Event::FixApplied(_) => {
                made.requests += 1;
                if let Next::Perform(Effect::ApplyFix { failure, .. }) = asked {
                    made.patches += u32::from(takes_a_patch(task.brief(), *failure));
                }
            }
            Event::WorkspaceRead(_)
            | Event::WorkspaceRefused(_)
            | Event::Planned(_)
            | Event::TestsRead(_)
            | Event::LandingConflicted(_)
            | Event::OldTestsTried(_)
            | Event::BrokenTried(_)
            | Event::Confirmed(_)
            | Event::FileChecked(_)
            | Event::CommandChecked(_)
            | Event::Verified(_)
            | Event::FailureMatched(_)
            | Event::Judged(_)
            | Event::Edited(_)
            | Event::Sealed(_) => {}
        }
    }
    made
}

fn is_work(event: &Event) -> bool {
    matches!(event, Event::Implemented(_))
}

/// The project before IMPLEMENT, of a run that is past it and whose implementer is the project as it is.
fn before(world: &World<'_>) -> Result<Before, Fault> {
    let Implementer::Tree { base } = &world.site.settings.implementer else {
        return Err(Fault::NoWork { run: world.site.run.number() });
    };
    let (named, tree) = (base.as_deref(), world.root_tree());
    Before::of_tree(world.site, world.source, tree, named, || today(tree, named))
}
