//! Going on where a run stopped: the events are folded again, and what an interrupted effect left
//! behind is cleared away before it is done anew.

use ftl_model::{DeltaPath, WorkspaceId};
use ftl_process::Group;

use super::before::Before;
use super::chronicle::{Note, Opening};
use super::report::{Report, report};
use super::world::{World, sha256};
use super::{Fault, Implementer, reading, requests};
use crate::machine::event::Sealed;
use crate::machine::{Effect, Event, Next, State};
use crate::scope::Scope;
use crate::store::{Files, Journal, Kind, Loaded, Run, Runs, StoreError};

/// A run that did not come to its end.
pub(super) struct Unfinished {
    /// The run.
    pub(super) run: Run,
    loaded: Loaded<'static>,
}

/// The unfinished run of a task, if it has one that fits what is asked for now.
pub(super) fn unfinished(
    runs: &Runs<'static>,
    opening: &Opening,
) -> Result<Option<Unfinished>, Fault> {
    let Some(run) = runs.unfinished()? else {
        return Ok(None);
    };
    let loaded = Journal::open(World::files(), run.dir())?;
    let before: Opening = loaded.header.decode()?;
    let what = if before.workspace != opening.workspace {
        Some("the workspace")
    } else if before.options != opening.options || before.choices != opening.choices {
        Some("the options")
    } else {
        None
    };
    match what {
        Some(what) => Err(Fault::Changed {
            what,
            run: run.number(),
        }),
        None => Ok(Some(Unfinished { run, loaded })),
    }
}

/// Gives an unfinished run up: what it left running is ended, and an interrupted request gives the
/// tree back. A journal that can't be read any more keeps nobody from beginning anew.
pub(super) fn give_up(runs: &Runs<'static>, world: &mut World<'_>) -> Result<(), Fault> {
    if let Some(run) = runs.unfinished()?
        && let Ok(loaded) = Journal::open(World::files(), run.dir())
    {
        world.run = Some(run.clone());
        match (Unfinished { run, loaded }).take_up(world) {
            Ok(_) | Err(Fault::Illegal(_) | Fault::Store(_)) => {}
            Err(fault) => return Err(fault),
        }
    }
    Ok(runs.finish_all()?)
}

impl Unfinished {
    /// Folds the events, clears away what was interrupted, and makes `world` what it was.
    pub(super) fn take_up(
        self,
        world: &mut World<'_>,
    ) -> Result<(State, Journal<'static>, usize), Fault> {
        let Loaded {
            journal,
            header,
            entries,
            torn: _,
        } = self.loaded;
        world.began.clone_from(&header.at);
        let opening: Opening = header.decode()?;
        if let Ok(workspace) = reading::parse(&world.bytes) {
            world.workspace = workspace;
        }
        let mut state = State::new(opening.options);
        let mut events = 0;
        let mut pending: Vec<Note> = Vec::new();
        for entry in &entries {
            match entry.kind {
                Kind::Open => {}
                Kind::Note => pending.push(entry.decode()?),
                Kind::Event => {
                    let event: Event = entry.decode()?;
                    count(world, &event, &state);
                    state = state.apply(event)?;
                    events += 1;
                    pending.clear();
                }
            }
        }
        end_leftovers(world, &pending);
        reopen_tree(world, &state)?;
        put_back(world, &state, &pending)?;
        Ok((state, journal, events))
    }
}

/// Requests and patches are numbered through the whole run.
fn count(world: &mut World<'_>, event: &Event, before: &State) {
    match event {
        Event::Implemented(_) | Event::Mended(_) => {
            if !matches!(world.settings.implementer, Implementer::Tree { .. }) {
                world.requests += 1;
                world.patches += 1;
            }
        }
        Event::FixApplied(_) => {
            world.requests += 1;
            if let Next::Perform(Effect::ApplyFix { failure, .. }) = before.next() {
                world.patches += u32::from(world.takes_a_patch(Some(failure)));
            }
        }
        Event::WorkspaceRead(_)
        | Event::WorkspaceRefused(_)
        | Event::Planned(_)
        | Event::TestsRead(_)
        | Event::FileChecked(_)
        | Event::CommandChecked(_)
        | Event::Verified(_)
        | Event::FailureMatched(_)
        | Event::Judged(_)
        | Event::Sealed(_) => {}
    }
}

/// Children of the dead run that still run are ended.
fn end_leftovers(world: &World<'_>, pending: &[Note]) {
    for note in pending {
        if let Note::Started {
            pid,
            start_time,
            boot_id,
        } = note
        {
            let group = Group {
                pid: *pid,
                start_time: *start_time,
                boot_id: boot_id.clone(),
            };
            if group.is_alive() {
                group.end(world.settings.grace);
            }
        }
    }
}

/// The tree before IMPLEMENT, as far as the run got.
fn reopen_tree(world: &mut World<'_>, state: &State) -> Result<(), Fault> {
    let delta: Vec<DeltaPath> = state.plan().paths().cloned().collect();
    if delta.is_empty() {
        return Ok(());
    }
    world.open_scope(&delta)?;
    let implemented = state
        .log()
        .states
        .contains(&crate::machine::StateName::Preflight);
    if !implemented {
        return Ok(());
    }
    let before = match &world.settings.implementer {
        Implementer::Tree { base } if world.scope().has_git() => Some(Before::Revision(Box::new(
            world.scope().base(base.as_deref())?,
        ))),
        Implementer::Tree { .. } => Some(Before::Unknown),
        Implementer::Agent { .. } | Implementer::Patches(_) => {
            let first = world.scope().load(&requests::capture_dir(world, 1))?;
            first.map(|capture| Before::Captured(Box::new(capture)))
        }
    };
    world.before = before;
    Ok(())
}

/// An interrupted request first gives the tree back; what it had written stays with the run.
fn put_back(world: &World<'_>, state: &State, pending: &[Note]) -> Result<(), Fault> {
    if !requests::writes(state) {
        return Ok(());
    }
    let captured = pending.iter().rev().find_map(|note| match note {
        Note::Captured { request } => Some(*request),
        Note::Started { .. } => None,
    });
    let Some(request) = captured else {
        return Ok(());
    };
    let scope: &Scope = world.scope();
    if let Some(capture) = scope.load(&requests::capture_dir(world, request))? {
        let dir = world
            .run()
            .dir()
            .join("interrupted")
            .join(request.to_string());
        scope.restore(&capture, &dir)?;
    }
    Ok(())
}

/// The report of a run that was sealed, but crashed before it could say so.
pub(super) fn report_of_residue(
    runs: &Runs<'static>,
    id: &WorkspaceId,
    record: &std::path::Path,
) -> Result<Report, Fault> {
    let gone = || StoreError::Gone {
        path: record.to_owned(),
    };
    let run = runs.unfinished()?.ok_or_else(gone)?;
    let loaded = Journal::open(World::files(), run.dir())?;
    let opening: Opening = loaded.header.decode()?;
    let mut state = State::new(opening.options);
    for entry in loaded
        .entries
        .iter()
        .filter(|entry| entry.kind == Kind::Event)
    {
        state = state.apply(entry.decode()?)?;
    }
    let content = World::files().read(record)?;
    if let Next::Perform(Effect::Seal(_)) = state.next() {
        let path = record.display().to_string();
        let sealed = Sealed {
            path,
            sha256: sha256(&content),
        };
        state = state.apply(Event::Sealed(sealed))?;
    }
    runs.finish(&run)?;
    match state.next() {
        Next::Finished(verdict) => {
            let name = format!("{id}/{}", run.number());
            Ok(report(
                &verdict,
                &name,
                id.as_str(),
                &record.display().to_string(),
            ))
        }
        Next::Perform(_) => Err(gone().into()),
    }
}
