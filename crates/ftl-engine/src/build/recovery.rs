//! Going on where a run stopped: the events are folded again, and what an interrupted effect left
//! behind is cleared away before it is done anew.

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use ftl_model::DeltaPath;

use super::before::Before;
use super::chronicle::{Note, Opening};
use super::world::World;
use super::{Fault, Implementer, Listener, leftovers, reading, requests};
use crate::machine::{Effect, Event, Next, State, StateName};
use crate::scope::{Capture, ScopeError};
use crate::store::{Files, Journal, Kind, Loaded, Run, Runs, StoreError};

/// A run that did not come to its end.
pub(super) struct Unfinished {
    /// The run.
    pub(super) run: Run,
    loaded: Loaded<'static>,
}

/// A run that can be gone on with.
pub(super) struct TakenUp {
    /// Where it stands.
    pub(super) state: State,
    /// Ready for the next line.
    pub(super) journal: Journal<'static>,
    /// How many events lie behind it.
    pub(super) events: usize,
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
pub(super) fn give_up(
    runs: &Runs<'static>,
    world: &mut World<'_>,
    listener: &mut dyn Listener,
) -> Result<(), Fault> {
    if let Some(run) = runs.unfinished()?
        && let Ok(loaded) = Journal::open(World::files(), run.dir())
    {
        world.run = Some(run.clone());
        match (Unfinished { run, loaded }).take_up(world, listener) {
            Ok(_) | Err(Fault::Illegal(_) | Fault::Store(StoreError::JournalUnknown { .. })) => {}
            Err(Fault::Scope(error @ ScopeError::Damaged { .. })) => {
                listener.warning(&format!("the tree is left as it is: {error}"));
            }
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
        listener: &mut dyn Listener,
    ) -> Result<TakenUp, Fault> {
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
        let ended = leftovers::end(world, &pending);
        leftovers::tell("the interrupted run", &ended, listener);
        if state.log().states.contains(&StateName::Implement) {
            world.lock_root(listener)?;
        }
        reopen_tree(world, &state)?;
        put_back(world, &state, &pending, listener)?;
        Ok(TakenUp {
            state,
            journal,
            events,
        })
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

/// The tree before IMPLEMENT, as far as the run got.
fn reopen_tree(world: &mut World<'_>, state: &State) -> Result<(), Fault> {
    let delta: Vec<DeltaPath> = state.plan().paths().cloned().collect();
    if delta.is_empty() {
        return Ok(());
    }
    world.open_scope(&delta)?;
    let implemented = state.log().states.contains(&StateName::Preflight);
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
fn put_back(
    world: &mut World<'_>,
    state: &State,
    pending: &[Note],
    listener: &mut dyn Listener,
) -> Result<(), Fault> {
    if !requests::writes(state) {
        return Ok(());
    }
    let captured = pending.iter().rev().find_map(|note| match note {
        Note::Captured { request } => Some(*request),
        Note::Starts(_) | Note::Started(_) => None,
    });
    let Some(request) = captured else {
        return Ok(());
    };
    let Some(capture) = world.scope().load(&requests::capture_dir(world, request))? else {
        return Ok(());
    };
    let number = request.to_string();
    let dir = world.run().dir().join("interrupted").join(number);
    let theirs = later_deltas(world, &capture)?;
    if let Some(theirs) = theirs {
        listener.warning(
            "other tasks were built in this tree since the run was interrupted: \
             only the files of this one's delta are put back",
        );
        world.scope().restore_delta(&capture, &dir, &theirs)?;
    } else {
        world.scope().restore(&capture, &dir)?;
    }
    Ok(())
}

/// The delta files of whoever captured the tree after `capture` was taken, if anybody did: their
/// work must not be undone with ours.
fn later_deltas(
    world: &World<'_>,
    capture: &Capture,
) -> Result<Option<BTreeSet<DeltaPath>>, Fault> {
    let own = world.run().dir();
    let mut theirs = None;
    for task in below(&world.layout.runs_dir())? {
        for run in below(&task)?.into_iter().filter(|run| run != own) {
            for request in below(&run.join("captures"))? {
                if let Some(other) = world.scope().load_later(&request, capture)? {
                    let theirs: &mut BTreeSet<DeltaPath> = theirs.get_or_insert_default();
                    theirs.extend(other.delta().into_keys());
                }
            }
        }
    }
    Ok(theirs)
}

fn below(dir: &Path) -> Result<Vec<PathBuf>, Fault> {
    let names = match World::files().list(dir) {
        // A file that somebody left among the directories.
        Err(error) if error.kind() == ErrorKind::NotADirectory => Vec::new(),
        names => names?,
    };
    Ok(names.iter().map(|name| dir.join(name)).collect())
}
