//! How a run comes to its world: the project under its lock, or a workplace that is made equal to it.

use std::collections::BTreeSet;

use ftl_model::DeltaPath;

use crate::run::effects::implementer::Conversation;
use crate::run::landing::tree_lock::{self, LockedTree};
use crate::run::work::before::Before;
use crate::run::work::placing::{self, Placed};
use crate::run::work::work_files::WorkFiles;
use crate::run::work::{last_work, workplace};
use crate::run::world::{Made, Task, World};
use crate::run::{Fault, Reporter};

impl<'a> World<'a> {
    /// Opens the project, locked where the implementer is the project as it is, else a workplace that is made equal to
    /// it. Work of earlier requests, or of the run before this one, is laid into the workplace.
    pub(in crate::run) fn open(
        task: &'a Task<'a>,
        reporter: &mut dyn Reporter,
    ) -> Result<Self, Fault> {
        let (site, delta): (_, Vec<DeltaPath>) =
            (&task.site, task.brief().paths().cloned().collect());
        let is_tree = site.settings.implementer.is_tree();
        let mut world = Self {
            site,
            source: task.source,
            content: task.content,
            workplace: None,
            locked: None,
            has_last_work: false,
            half: None,
            watch: None,
            lands_alone: false,
            setup: None,
            put_back: Vec::new(),
            before: None,
            placed: Placed { means: None, why_not: None },
            view: None,
            made: Made { requests: 0, patches: task.attempt.patches },
            checker: None,
            judged: Vec::new(),
            matched: BTreeSet::new(),
            conversation: Conversation::default(),
        };
        if is_tree {
            let locked = LockedTree::enter(site, &delta, None, reporter)?;
            if WorkFiles::of(&site.run).work(&locked.tree)?.is_none() {
                world.locked = Some(locked);
                return Ok(world);
            }
        }
        world.make_workplace(reporter)?;
        if let Some(place) = world.workplace.as_ref().filter(|_| !is_tree) {
            let before = WorkFiles::of(&site.run).before(&place.root)?;
            let before = before.ok_or(Fault::NoWork { run: site.run.number() })?;
            world.before = Some(Before::of_saved(site, world.source, &place.root, before)?);
        }
        Ok(world)
    }

    /// Makes a workplace equal to the project, whose lock is given up, and lays earlier work into it. Where the
    /// implementer is the project as it is, a fix needs one.
    pub(in crate::run) fn make_workplace(
        &mut self,
        reporter: &mut dyn Reporter,
    ) -> Result<(), Fault> {
        self.locked = None;
        let (site, delta): (_, Vec<DeltaPath>) =
            (self.site, self.brief().paths().cloned().collect());
        self.placed = placing::place(site.settings, &tree_lock::open(site, &delta)?)?;
        let number = site.settings.slot.unwrap_or(0);
        self.workplace = Some(workplace::enter(
            site,
            number,
            &delta,
            &self.brief().verify,
            &self.placed,
            reporter,
        )?);
        last_work::lay(self, reporter)
    }
}
