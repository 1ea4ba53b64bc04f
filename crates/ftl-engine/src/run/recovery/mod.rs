//! Resuming a run that was interrupted, or giving it up.
//!
//! In this order: the events are folded, which alone gives the run's state; what it left running is
//! ended, so that no process writes while the tree is read; the root is locked; and what a killed request
//! wrote is undone or kept ([`undo`]), so that it is asked again from where it began. Only then does the
//! run go on.
//!
//! A seal that was cut short is not here: see `unfinished_seal.rs` and `ftl_store::finish_rename`.

mod changed;
mod edits;
mod undo;

use ftl_machine::{Effect, Event, Next, State, StateName};
use ftl_model::DeltaPath;
use ftl_store::{Journal, Layout, LineKind, Loaded, Run, Runs, StoreError};
use ftl_tree::TreeError;

use super::before::{Before, today};
use super::ground::Ground;
use super::isolation::Means;
use super::recorder::{Note, Opening};
use super::secrets::{self, Restorer, Secrets};
use super::settings::Attempt;
use super::site::{SharedStore, Site, files};
use super::slots::landing;
use super::slots::{self, WorkSlot};
use super::world::{Landed, Made, Task, World};
use super::{Fault, Implementer, Reporter, Settings, orphans, requests};
pub(super) use edits::edited;
use undo::{tell_taken_back, undo};

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
    /// Requests whose changes the user kept: their numbers are used up.
    kept: u32,
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
    let (mut events, mut pending, mut kept) = (Vec::new(), Vec::new(), 0);
    for entry in &entries {
        match entry.kind {
            LineKind::Open => {}
            LineKind::Note => {
                let note: Note = entry.decode()?;
                kept += u32::from(matches!(note, Note::Kept { .. }));
                pending.push(note);
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
    Ok(Unfinished { run, began: header.at.clone(), attempt, state, journal, events, kept, pending })
}

/// Gives an unfinished run up: what it left running is ended, and an interrupted request gives the
/// tree back. A journal that can't be read any more does not prevent a new run.
pub(super) fn give_up(
    runs: &Runs<'static>,
    settings: &Settings,
    layout: &Layout,
    store: &SharedStore,
    reporter: &mut dyn Reporter,
) -> Result<(), Fault> {
    if let Some(run) = runs.unfinished()?
        && let Ok(loaded) = Journal::open(files(), run.dir())
    {
        let settings = &of_slot(settings, &loaded);
        let site = Site {
            settings,
            layout,
            run: run.clone(),
            secrets: Secrets::new(&settings.redactor),
            store,
        };
        let cleared = loaded
            .header
            .decode()
            .map_err(Fault::from)
            .and_then(|opening| fold(run, opening, loaded, &Restorer::default()))
            .and_then(|mut found| clear_up(&site, &mut found, reporter));
        match cleared {
            // Not even its state is known, so nothing can be put back. Giving the run up accepts
            // the tree as it is.
            Ok(_) | Err(Fault::Illegal(_) | Fault::Store(StoreError::JournalUnknown { .. })) => {}
            Err(error @ (Fault::Tree(TreeError::Damaged { .. }) | Fault::NoSnapshot { .. })) => {
                reporter.warning(&format!("the tree is left as it is: {error}"));
            }
            Err(fault) => return Err(fault),
        }
    }
    Ok(runs.finish_all()?)
}

/// The settings to give up a run with: it worked where its journal says.
fn of_slot(settings: &Settings, loaded: &Loaded<'_>) -> Settings {
    let opening: Option<Opening> = loaded.header.decode().ok();
    Settings { slot: opening.and_then(|opening| opening.slot), ..settings.clone() }
}

impl Unfinished {
    /// Whether a request of this run captured the tree.
    fn has_captured(&self, site: &Site<'_>) -> bool {
        let is_tree = matches!(site.settings.implementer, Implementer::Tree { .. });
        let is_capture = |note: &Note| matches!(note, Note::Captured { .. });
        let is_request = |(_, event): &(Next, Event)| matches!(event, Event::Implemented(_));
        let before = !is_tree && self.events.iter().any(is_request);
        before || self.kept > 0 || self.pending.iter().any(is_capture)
    }
}

/// Where a run goes on that had come to IMPLEMENT.
pub(super) struct Standing {
    ground: Ground,
    slot: Option<WorkSlot>,
    landed: Option<Landed>,
}

/// The slot of a task's unfinished run, `None` inside for one that works in the root. A run whose slot holds other
/// work by now is given up: there is nothing to go on from.
pub(super) fn slot_of(
    runs: &Runs<'static>,
    settings: &Settings,
    layout: &Layout,
    reporter: &mut dyn Reporter,
) -> Result<Option<Option<u32>>, Fault> {
    let Some(run) = runs.unfinished()? else {
        return Ok(None);
    };
    // One that cannot be read is left to the next command that opens it.
    let Ok(loaded) = Journal::open(files(), run.dir()) else {
        return Ok(None);
    };
    let opening: Opening = loaded.header.decode()?;
    let Some(number) = opening.slot else {
        return Ok(Some(None));
    };
    let is_begun = fold_state(&opening, &loaded).is_none_or(|state| has_implemented(&state));
    if is_begun && !slots::is_owner(settings, layout, number, &run) {
        reporter.warning(
            "the work of the interrupted run is gone with its slot: the task is built again",
        );
        runs.finish_all()?;
        return Ok(None);
    }
    Ok(Some(Some(number)))
}

fn fold_state(opening: &Opening, loaded: &Loaded<'_>) -> Option<State> {
    let mut events = loaded.entries.iter().filter(|entry| entry.kind == LineKind::Event);
    events.try_fold(State::new(opening.options.clone()), |state, entry| {
        state.apply(entry.decode().ok()?).ok()
    })
}

pub(super) fn has_implemented(state: &State) -> bool {
    state.log().states.contains(&StateName::Implement)
}

/// Ends what an unfinished run left running and undoes its interrupted request. Gives the tree, locked,
/// where the run had come to IMPLEMENT.
pub(super) fn clear_up(
    site: &Site<'_>,
    found: &mut Unfinished,
    reporter: &mut dyn Reporter,
) -> Result<Option<Standing>, Fault> {
    let ended = orphans::end(site, &found.pending);
    orphans::tell("the interrupted run", &ended, reporter);
    let state = &found.state;
    // Before IMPLEMENT the run neither locked the tree nor wrote into it.
    if !has_implemented(state) {
        return Ok(None);
    }
    let delta: Vec<DeltaPath> = state.plan().paths().cloned().collect();
    let standing = match site.settings.slot {
        None => {
            let ground = Ground::enter(site, &delta, found.has_captured(site), reporter)?;
            Standing { ground, slot: None, landed: None }
        }
        // Given up, with nothing left of its work.
        Some(number) if !slots::is_owner(site.settings, site.layout, number, &found.run) => {
            return Ok(None);
        }
        Some(number) => {
            let (slot, ground) = slots::resume(site, number, &delta, reporter)?;
            // What passed its verify in the root need not leave it.
            let landed = landing::resume(site, &delta, state.passed().is_some(), reporter)?;
            tell_taken_back(site, reporter);
            Standing { ground, slot: Some(slot), landed }
        }
    };
    if requests::writes(state) {
        undo(site, &standing.ground.tree, found, reporter)?;
    }
    Ok(Some(standing))
}

impl<'a> World<'a> {
    /// The world as it was when the run stopped.
    pub(super) fn resume(
        task: &'a Task<'a>,
        found: &Unfinished,
        standing: Standing,
        means: Option<Means>,
    ) -> Result<Self, Fault> {
        let Standing { ground, slot, landed } = standing;
        let mut world = Self::new(task, ground, slot, means)?;
        world.made = world.made_by(&found.events);
        world.made.requests += found.kept;
        world.made.patches += found.attempt.patches;
        for (_, event) in &found.events {
            if let Event::FailureMatched(matched) = event {
                world.judged.extend(matched.judge.clone());
                world.matched.extend(matched.known.iter().map(|known| known.index));
            }
            world.conversation.go_on(event);
        }
        if found.state.log().states.contains(&StateName::Preflight) || found.kept > 0 {
            world.before = Some(before(&world)?);
        } else if found.events.iter().any(|(_, event)| is_work(event)) {
            // Only the seal of a block is left. Its record holds the diff, if there still is a before.
            world.before = before(&world).ok();
        }
        landing::go_on(&mut world, landed)?;
        Ok(world)
    }

    /// Counted from the events, since an interrupted request is asked again under its old number.
    fn made_by(&self, events: &[(Next, Event)]) -> Made {
        let is_tree = matches!(self.site.settings.implementer, Implementer::Tree { .. });
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
                        made.patches += u32::from(self.takes_a_patch(*failure));
                    }
                }
                Event::WorkspaceRead(_)
                | Event::WorkspaceRefused(_)
                | Event::Planned(_)
                | Event::TestsRead(_)
                | Event::LandingConflicted(_)
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
}

fn is_work(event: &Event) -> bool {
    matches!(event, Event::Implemented(_))
}

/// The tree before IMPLEMENT, of a run that is past it.
fn before(world: &World<'_>) -> Result<Before, Fault> {
    let site = world.site;
    match &site.settings.implementer {
        Implementer::Tree { base } => {
            let named = base.as_deref();
            let tree = world.tree();
            Before::of_tree(site, world.source, tree, named, || today(tree, named))
        }
        Implementer::Agent(_) | Implementer::Patches(_) => {
            let dir = site.snapshots()?.before(1);
            match world.tree().load(&dir)? {
                Some(snapshot) => world.captured(snapshot),
                None => Err(site.no_snapshot()?),
            }
        }
    }
}
