//! After the seal: removes a run's captures, and puts back the delta of a blocked task that others
//! follow.
//!
//! The next task must not find half of the work of this one. What was there when the command came to the
//! task is put back; the tries of one command go on from each other, so that it is done after the last.

use ftl_machine::{BlockKind, Outcome, Verdict};
use ftl_store::{Layout, Run, Runs};
use ftl_tree::{Snapshot, Tree};

use super::attempts::may_try_again;
use super::settings::{Attempt, Implementer, Settings};
use super::site::files;
use super::snapshots::Snapshots;
use super::world::World;
use super::{Fault, isolation, putting_back};

/// A run that is sealed, and the tries of the same command before it.
pub(super) struct Sealed<'s> {
    pub(super) settings: &'s Settings,
    pub(super) layout: &'s Layout,
    pub(super) run: &'s Run,
    pub(super) attempt: Attempt,
}

impl Sealed<'_> {
    /// Puts the delta back where other tasks follow, and removes copies that are not needed any more. What
    /// could not be done is a warning: the run is sealed all the same.
    pub(super) fn settle(&self, verdict: &Verdict, world: Option<&World<'_>>) -> Vec<String> {
        let mut warnings = world.map(|world| world.put_back.clone()).unwrap_or_default();
        if self.settings.series.is_followed
            && let Outcome::Blocked(block) = &verdict.outcome
        {
            if self.is_tried_again(block.kind(), verdict) {
                return warnings;
            }
            if let Some(world) = world {
                match self.put_back(world, verdict) {
                    Ok(done) => warnings.extend(done),
                    Err(error) => warnings.push(format!(
                        "what the task changed in its delta could not be put back: {error}"
                    )),
                }
            }
        }
        warnings.extend(self.retired());
        warnings
    }

    /// Removes the copies; what kept some of them from it.
    pub(super) fn retired(&self) -> Option<String> {
        let error = self.retire().err()?;
        Some(format!("copies of the tree could not be removed: {error}"))
    }

    fn is_tried_again(&self, kind: BlockKind, verdict: &Verdict) -> bool {
        let has_more = self.attempt.number < self.settings.series.attempts;
        has_more && may_try_again(kind, verdict) && ftl_process::interrupted().is_none()
    }

    /// The runs that this command made of the task, the first one first.
    fn runs(&self, world: &World<'_>) -> Result<Vec<Run>, Fault> {
        let id = super::id_of(&world.source.path)?;
        let earlier = u64::from(self.attempt.number.saturating_sub(1));
        let last = self.run.number();
        let numbers = last.saturating_sub(earlier)..=last;
        let runs = Runs::new(files(), self.layout, &id).all()?;
        let own = |run: &Run| numbers.contains(&run.number());
        let mut runs: Vec<Run> = runs.into_iter().filter(own).collect();
        runs.sort_by_key(Run::number);
        Ok(runs)
    }

    /// Of a file that another process changed while the implementer worked, that version is in the tree, and stays.
    fn put_back(&self, world: &World<'_>, verdict: &Verdict) -> Result<Option<String>, Fault> {
        if matches!(self.settings.implementer, Implementer::Tree { .. }) || world.slot.is_some() {
            return Ok(None);
        }
        let tree = world.tree();
        let Some(before) = self.captured_first(world, tree)? else {
            return Ok(None);
        };
        let dir = self.run.dir().join("blocked");
        let theirs = verdict.log.conflicts.as_ref().map_or(&[][..], |conflicts| &conflicts.paths);
        let done = tree.reset_delta(&before, &dir, |path| {
            !theirs.iter().any(|their| path.as_str() == their)
        })?;
        if done.is_empty() {
            return Ok(None);
        }
        let lead = "put back as it was, since another task follows";
        Ok(Some(putting_back::reset_text(world.site, &done, lead, true)))
    }

    /// The capture before the first request of the command.
    fn captured_first(&self, world: &World<'_>, tree: &Tree) -> Result<Option<Snapshot>, Fault> {
        for run in self.runs(world)? {
            let snapshots = Snapshots::of(self.settings, self.layout, &run)?;
            if let Some(found) = tree.load(&snapshots.before(1))? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// Removes the copies of this run and of those before it.
    fn retire(&self) -> Result<(), Fault> {
        let last = self.run.number();
        let earlier = u64::from(self.attempt.number.saturating_sub(1));
        let dir = self.run.dir().parent();
        for number in last.saturating_sub(earlier)..last {
            let run = dir.map(|dir| dir.join(number.to_string()));
            if let Some(run) = run.filter(|run| run.is_dir()) {
                self.retire_one(&Snapshots::of_dir(self.settings, self.layout, &run)?)?;
            }
        }
        self.retire_one(&Snapshots::of(self.settings, self.layout, self.run)?)
    }

    fn retire_one(&self, snapshots: &Snapshots) -> Result<(), Fault> {
        ftl_tree::retire_all(snapshots.dir())?;
        isolation::retire(snapshots)
    }
}
