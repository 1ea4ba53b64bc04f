//! Work that was done before, laid into a workplace: that of a run's earlier requests, after a crash; and that of the
//! run before it, which blocked the task.

use ftl_model::{DeltaPath, WorkspaceId};
use ftl_store::{Layout, Run, Runs};
use ftl_tree::{Landing, SavedFiles, Tree};

use super::quarantine;
use super::work_files::WorkFiles;
use crate::run::commands::setup;
use crate::run::effects::preflighting;
use crate::run::settings::Implementer;
use crate::run::site::files;
use crate::run::world::World;
use crate::run::{Fault, Reporter};
use crate::text::listed;

/// Work, and what it was done on.
pub(crate) struct LastWork {
    pub(crate) base: SavedFiles,
    pub(crate) work: SavedFiles,
}

impl LastWork {
    /// That of one run, as far as it was saved.
    pub(crate) fn of(run: &Run, tree: &Tree) -> Result<Option<Self>, Fault> {
        let saved = WorkFiles::of(run);
        let work = saved.work(tree)?;
        Ok(saved.base(tree)?.zip(work).map(|(base, work)| Self { base, work }))
    }

    /// That of the last run of a task that has any.
    pub(crate) fn of_task(
        layout: &Layout,
        id: &WorkspaceId,
        tree: &Tree,
    ) -> Result<Option<Self>, Fault> {
        for run in Runs::new(files(), layout, id).all()? {
            if let Some(found) = Self::of(&run, tree)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }
}

/// Lays work into the workplace that was just refreshed, merged with what changed in the project since. What cannot be
/// merged is left out, and said.
pub(in crate::run) fn lay(world: &mut World<'_>, reporter: &mut dyn Reporter) -> Result<(), Fault> {
    let Some(place) = &world.workplace else {
        return Ok(());
    };
    let site = world.site;
    let own = LastWork::of(&site.run, &place.root)?;
    let has_strays = own.is_some() && quarantine::lay(&site.run, &place.copy)?;
    let mut is_earlier = false;
    let found = match (own, &site.settings.implementer) {
        // The run goes on from its own work as it was. What changed in the project since meets it when it lands.
        (Some(own), _) => {
            let paths: Vec<DeltaPath> = own.work.states().into_keys().collect();
            let under = place.place.dir().with_file_name("under");
            Some(LastWork { base: place.copy.save(&[], &paths, &under)?, ..own })
        }
        (None, Implementer::Agent(_)) if !site.settings.start.fresh => {
            is_earlier = true;
            earlier(world)?
        }
        (None, _) => None,
    };
    let Some(LastWork { base, work }) = found else {
        return Ok(());
    };
    let bench = place.place.dir().with_file_name("merge");
    let mut accepts = |path: &DeltaPath, bytes: &[u8]| {
        preflighting::parses(site.settings, &site.root().join(path), bytes)
    };
    let landing: Landing = place.copy.plan_landing(&base, &work, &bench, &mut accepts)?;
    let plan = place.place.dir().with_file_name("laying");
    place.copy.land(&landing, &work, &place.copy, (&plan, ""))?;
    ftl_tree::forget_landing(&plan)?;
    world.setup = setup::due(site, landing.paths());
    let is_whole = landing.conflicts.is_empty() && !landing.is_empty();
    if !landing.conflicts.is_empty() {
        let paths: Vec<String> = landing.conflicts.iter().map(ToString::to_string).collect();
        reporter.warning(&format!(
            "changed in the project since, so that the earlier work on them is left out: {}",
            listed(&paths)
        ));
    }
    if let Some(place) = world.workplace.as_mut().filter(|_| has_strays) {
        place.changes(&[])?;
    }
    world.has_last_work = is_earlier && is_whole;
    Ok(())
}

/// The work of the run that blocked the task before this one.
fn earlier(world: &World<'_>) -> Result<Option<LastWork>, Fault> {
    let Some(last) = &world.brief().last else {
        return Ok(None);
    };
    let id = crate::run::id_of(&world.source.path)?;
    let runs = Runs::new(files(), world.site.layout, &id).all()?;
    let run = runs.into_iter().find(|run| Some(run.number()) == last.number);
    run.map_or(Ok(None), |run| LastWork::of(&run, world.root_tree()))
}
