//! Going on where a run stopped.
//!
//! In this order: the events are folded, which alone says where the run stands; what it left running is
//! ended, so that nobody writes while the tree is looked at; the root is locked; and an interrupted
//! request gives the tree back from its snapshot, so that it is asked again from where it began. Only
//! then does the run go on.

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use ftl_machine::{Effect, Event, Next, State, StateName};
use ftl_model::DeltaPath;
use ftl_store::{Files, Journal, LineKind, Loaded, Run, Runs, StoreError};
use ftl_tree::{Snapshot, Tree, TreeError};

use super::before::Before;
use super::recorder::{Note, Opening};
use super::site::{Site, files};
use super::world::{Ground, Made, World};
use super::{Fault, Implementer, Reporter, Settings, leftovers, requests};

/// A run that did not come to its end, folded.
pub(super) struct Unfinished {
    pub(super) run: Run,
    /// When it began.
    pub(super) began: String,
    /// Where it stands.
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
) -> Result<Option<Unfinished>, Fault> {
    let Some(run) = runs.unfinished()? else {
        return Ok(None);
    };
    let loaded = Journal::open(files(), run.dir())?;
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
        None => fold(run, before, loaded).map(Some),
    }
}

fn fold(run: Run, opening: Opening, loaded: Loaded<'static>) -> Result<Unfinished, Fault> {
    let Loaded {
        journal,
        header,
        entries,
        torn: _,
    } = loaded;
    let mut state = State::new(opening.options);
    let (mut events, mut pending) = (Vec::new(), Vec::new());
    for entry in &entries {
        match entry.kind {
            LineKind::Open => {}
            LineKind::Note => pending.push(entry.decode()?),
            LineKind::Event => {
                let event: Event = entry.decode()?;
                events.push((state.next(), event.clone()));
                state = state.apply(event)?;
                pending.clear();
            }
        }
    }
    Ok(Unfinished {
        run,
        began: header.at.clone(),
        state,
        journal,
        events,
        pending,
    })
}

/// Gives an unfinished run up: what it left running is ended, and an interrupted request gives the
/// tree back. A journal that can't be read any more keeps nobody from beginning anew.
pub(super) fn give_up(
    runs: &Runs<'static>,
    settings: &Settings,
    layout: &ftl_store::Layout,
    reporter: &mut dyn Reporter,
) -> Result<(), Fault> {
    if let Some(run) = runs.unfinished()?
        && let Ok(loaded) = Journal::open(files(), run.dir())
    {
        let site = Site {
            settings,
            layout,
            run: run.clone(),
        };
        let cleared = loaded
            .header
            .decode()
            .map_err(Fault::from)
            .and_then(|opening| fold(run, opening, loaded))
            .and_then(|found| clear_up(&site, &found, reporter));
        match cleared {
            Ok(_) | Err(Fault::Illegal(_) | Fault::Store(StoreError::JournalUnknown { .. })) => {}
            Err(Fault::Tree(error @ TreeError::Damaged { .. })) => {
                reporter.warning(&format!("the tree is left as it is: {error}"));
            }
            Err(fault) => return Err(fault),
        }
    }
    Ok(runs.finish_all()?)
}

/// Ends what an unfinished run left running and undoes its interrupted request. Gives the tree, locked,
/// where the run had come to IMPLEMENT.
pub(super) fn clear_up(
    site: &Site<'_>,
    found: &Unfinished,
    reporter: &mut dyn Reporter,
) -> Result<Option<Ground>, Fault> {
    let ended = leftovers::end(site, &found.pending);
    leftovers::tell("the interrupted run", &ended, reporter);
    let state = &found.state;
    if !state.log().states.contains(&StateName::Implement) {
        return Ok(None);
    }
    let delta: Vec<DeltaPath> = state.plan().paths().cloned().collect();
    let ground = site.enter_tree(&delta, reporter)?;
    if requests::writes(state) {
        put_back(site, &ground.tree, &found.pending, reporter)?;
    }
    Ok(Some(ground))
}

impl World<'_> {
    /// Makes this world what it was when the run stopped.
    pub(super) fn take_up(
        &mut self,
        found: &Unfinished,
        ground: Option<Ground>,
    ) -> Result<(), Fault> {
        self.made = self.made_by(&found.events);
        let implemented = found.state.log().states.contains(&StateName::Preflight);
        if let Some(ground) = &ground
            && implemented
        {
            self.before = before(&self.site, &ground.tree)?;
        }
        self.ground = ground;
        Ok(())
    }

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
                | Event::FileChecked(_)
                | Event::CommandChecked(_)
                | Event::Verified(_)
                | Event::FailureMatched(_)
                | Event::Judged(_)
                | Event::Sealed(_) => {}
            }
        }
        made
    }
}

/// The tree before IMPLEMENT, of a run that is past it.
fn before(site: &Site<'_>, tree: &Tree) -> Result<Option<Before>, Fault> {
    match &site.settings.implementer {
        Implementer::Tree { base } => Before::of_tree(tree, base.as_deref()).map(Some),
        Implementer::Agent { .. } | Implementer::Patches(_) => {
            let first = tree.load(&requests::snapshot_dir(site, 1))?;
            Ok(first.map(|snapshot| Before::Captured(Box::new(snapshot))))
        }
    }
}

/// An interrupted request first gives the tree back; what it had written stays with the run.
fn put_back(
    site: &Site<'_>,
    tree: &Tree,
    pending: &[Note],
    reporter: &mut dyn Reporter,
) -> Result<(), Fault> {
    let captured = pending.iter().rev().find_map(|note| match note {
        Note::Captured { request } => Some(*request),
        Note::Starts(_) | Note::Started(_) => None,
    });
    let Some(request) = captured else {
        return Ok(());
    };
    let Some(snapshot) = tree.load(&requests::snapshot_dir(site, request))? else {
        return Ok(());
    };
    let dir = site.run.dir().join("interrupted").join(request.to_string());
    match later_deltas(site, tree, &snapshot)? {
        Some(theirs) => {
            reporter.warning(
                "other tasks were built in this tree since the run was interrupted: \
                 only the files of this one's delta are put back",
            );
            tree.restore_delta(&snapshot, &dir, &theirs)?;
        }
        None => {
            tree.restore(&snapshot, &dir)?;
        }
    }
    Ok(())
}

/// The delta files of whoever took a snapshot of the tree after `snapshot`, if anybody did: their work
/// must not be undone with ours.
fn later_deltas(
    site: &Site<'_>,
    tree: &Tree,
    snapshot: &Snapshot,
) -> Result<Option<BTreeSet<DeltaPath>>, Fault> {
    let own = site.run.dir();
    let mut theirs = None;
    for task in below(&site.layout.runs_dir())? {
        for run in below(&task)?.into_iter().filter(|run| run != own) {
            for request in below(&run.join("captures"))? {
                if let Some(other) = tree.load_later(&request, snapshot)? {
                    let theirs: &mut BTreeSet<DeltaPath> = theirs.get_or_insert_default();
                    theirs.extend(other.delta().into_keys());
                }
            }
        }
    }
    Ok(theirs)
}

fn below(dir: &Path) -> Result<Vec<PathBuf>, Fault> {
    let names = match files().list(dir) {
        // A file that somebody left among the directories.
        Err(error) if error.kind() == ErrorKind::NotADirectory => Vec::new(),
        names => names?,
    };
    Ok(names.iter().map(|name| dir.join(name)).collect())
}
