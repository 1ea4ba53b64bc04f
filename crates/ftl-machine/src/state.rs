//! The state of a task: one variant for each thing that can be under way, and the two functions that
//! the run loop needs. What each state does with its event is in the state's own module.
//!
//! Several variants share a name in records: PREFLIGHT is three of them, VERIFY five. The names are the
//! format, the variants are ours to change.

use std::collections::BTreeMap;

use ftl_model::{DeltaPath, Digest};

use crate::breaking::TryingBroken;
use crate::event::Verification;
use crate::evidence::TryingOldTests;
use crate::implementing::Implementing;
use crate::judging::Judging;
use crate::planning::{Planning, ReadingTests};
use crate::preflighting::{Checking, Mending, RunningCommand};
use crate::reading::Reading;
use crate::retrying::{Fixing, Matching};
use crate::sealing::Sealing;
use crate::task::Task;
use crate::verifying::{Confirming, Verifying};
use crate::{Budget, Effect, Event, IllegalEvent, Log, Options, Plan, StateName, Verdict};

/// One variant for each thing that can be under way.
#[derive(Clone, Debug, PartialEq)]
pub enum State {
    /// READ.
    Read(Reading),
    /// PLAN.
    Plan(Planning),
    /// READ_TESTS.
    ReadTests(ReadingTests),
    /// IMPLEMENT.
    Implement(Implementing),
    /// PREFLIGHT, going through the touched files.
    Check(Checking),
    /// PREFLIGHT, going through the extra commands.
    RunCommand(RunningCommand),
    /// PREFLIGHT, while the implementer fixes what was found.
    Mend(Mending),
    /// VERIFY, running the tests as they were.
    TryOldTests(TryingOldTests),
    /// VERIFY, running the command.
    Verify(Verifying),
    /// VERIFY, running the command with the work broken.
    TryBroken(TryingBroken),
    /// VERIFY, running the command once more where the delta was written.
    Confirm(Confirming),
    /// VERIFY, looking for the failure among the known ones.
    Match(Matching),
    /// RETRY.
    Fix(Fixing),
    /// QUALITY.
    Judge(Judging),
    /// COMPLETE or BLOCK.
    Seal(Sealing),
    /// The end.
    Finished(Box<Verdict>),
}

/// What comes next.
#[derive(Clone, Debug, PartialEq)]
pub enum Next {
    /// The world has to do something first.
    Perform(Effect),
    /// Nothing: this is how it ended.
    Finished(Box<Verdict>),
}

impl State {
    /// A workspace is given; nothing was read yet.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self::Read(Reading::new(options))
    }

    /// The state once `event` has arrived.
    ///
    /// # Errors
    ///
    /// [`IllegalEvent`] where the event does not answer what [`State::next`] asked for.
    pub fn apply(self, event: Event) -> Result<Self, IllegalEvent> {
        match self {
            Self::Read(state) => state.apply(event),
            Self::Plan(state) => state.apply(event),
            Self::ReadTests(state) => state.apply(event),
            Self::Implement(state) => state.apply(event),
            Self::Check(state) => state.apply(event),
            Self::RunCommand(state) => state.apply(event),
            Self::Mend(state) => state.apply(event),
            Self::TryOldTests(state) => state.apply(event),
            Self::Verify(state) => state.apply(event),
            Self::TryBroken(state) => state.apply(event),
            Self::Confirm(state) => state.apply(event),
            Self::Match(state) => state.apply(event),
            Self::Fix(state) => state.apply(event),
            Self::Judge(state) => state.apply(event),
            Self::Seal(state) => state.apply(event),
            Self::Finished(_) => Err(event.illegal(self.name(), "finished")),
        }
    }

    /// What comes next.
    #[must_use]
    pub fn next(&self) -> Next {
        match self {
            Self::Read(_) => Next::Perform(Effect::ReadWorkspace),
            Self::Plan(_) => Next::Perform(Effect::CheckPlan),
            Self::ReadTests(state) => Next::Perform(state.effect()),
            Self::Implement(state) => Next::Perform(state.effect()),
            Self::Check(state) => Next::Perform(state.effect()),
            Self::RunCommand(state) => Next::Perform(state.effect()),
            Self::Mend(state) => Next::Perform(state.effect()),
            Self::TryOldTests(state) => Next::Perform(state.effect()),
            Self::Verify(state) => Next::Perform(state.effect()),
            Self::TryBroken(state) => Next::Perform(state.effect()),
            Self::Confirm(state) => Next::Perform(state.effect()),
            Self::Match(state) => Next::Perform(state.effect()),
            Self::Fix(state) => Next::Perform(state.effect()),
            Self::Judge(_) => Next::Perform(Effect::Judge),
            Self::Seal(state) => Next::Perform(state.effect()),
            Self::Finished(verdict) => Next::Finished(verdict.clone()),
        }
    }

    /// The state by name; of a finished task, the last that it entered.
    #[must_use]
    pub fn name(&self) -> StateName {
        self.log().states.last().copied().unwrap_or(StateName::Read)
    }

    /// Whether the task is in the state of this name.
    #[must_use]
    pub fn is_in(&self, name: StateName) -> bool {
        self.name() == name
    }

    /// The ledger.
    #[must_use]
    pub fn budget(&self) -> Budget {
        match self.carried() {
            Carried::Task(task) => task.budget,
            Carried::Verdict(verdict) => {
                Budget { total: verdict.total.unwrap_or(0), used: verdict.used }
            }
        }
    }

    /// The task as laid out so far.
    #[must_use]
    pub fn plan(&self) -> &Plan {
        match self.carried() {
            Carried::Task(task) => &task.plan,
            Carried::Verdict(verdict) => &verdict.plan,
        }
    }

    /// What happened so far.
    #[must_use]
    pub fn log(&self) -> &Log {
        match self.carried() {
            Carried::Task(task) => &task.log,
            Carried::Verdict(verdict) => &verdict.log,
        }
    }

    /// Fixes applied so far.
    #[must_use]
    pub fn retries(&self) -> u32 {
        match self.carried() {
            Carried::Task(task) => task.retries,
            Carried::Verdict(verdict) => verdict.retries,
        }
    }

    /// Delta files touched so far, in the order of the plan.
    #[must_use]
    pub fn touched(&self) -> Vec<DeltaPath> {
        match self.carried() {
            Carried::Task(task) => task.touched_in_order(),
            Carried::Verdict(verdict) => {
                verdict.files.iter().map(|(file, _)| file.path.clone()).collect()
            }
        }
    }

    /// What the task came to, once that is decided.
    #[must_use]
    pub fn verdict(&self) -> Option<&Verdict> {
        match self.carried() {
            Carried::Task(_) => None,
            Carried::Verdict(verdict) => Some(verdict),
        }
    }

    /// Drops the history but for the name of the state. For the exploration, which would otherwise hold
    /// all of it for every path to a state.
    #[cfg(test)]
    pub(super) fn forget(&mut self) {
        let log = match self {
            Self::Read(state) => &mut state.task.log,
            Self::Plan(state) => &mut state.task.log,
            Self::ReadTests(state) => &mut state.task.log,
            Self::Implement(state) => &mut state.task.log,
            Self::Check(state) => &mut state.task.log,
            Self::RunCommand(state) => &mut state.task.log,
            Self::Mend(state) => &mut state.task.log,
            Self::TryOldTests(state) => &mut state.task.log,
            Self::Verify(state) => &mut state.task.log,
            Self::TryBroken(state) => &mut state.task.log,
            Self::Confirm(state) => &mut state.task.log,
            Self::Match(state) => &mut state.task.log,
            Self::Fix(state) => &mut state.task.log,
            Self::Judge(state) => &mut state.task.log,
            Self::Seal(state) => {
                if let Some(task) = &mut state.unsealed {
                    task.log.forget();
                }
                &mut state.verdict.log
            }
            Self::Finished(verdict) => &mut verdict.log,
        };
        log.forget();
    }

    /// The bytes of the delta as they were seen last, while a user's edit of them can still change the
    /// verdict. A caller that goes on after an interrupt compares them with the tree, and reports what
    /// differs by [`Event::Edited`]. A request takes them in by itself.
    #[must_use]
    pub fn seen(&self) -> Option<&BTreeMap<DeltaPath, Option<Digest>>> {
        self.editable().map(|task| &task.seen)
    }

    /// The verify that passed, where only QUALITY and the seal are left.
    #[must_use]
    pub fn passed(&self) -> Option<&Verification> {
        match self {
            Self::TryBroken(_) | Self::Judge(_) | Self::Seal(_) => {
                self.editable()?.log.verify.last()
            }
            Self::Read(_)
            | Self::Plan(_)
            | Self::ReadTests(_)
            | Self::Implement(_)
            | Self::Check(_)
            | Self::RunCommand(_)
            | Self::Mend(_)
            | Self::TryOldTests(_)
            | Self::Verify(_)
            | Self::Confirm(_)
            | Self::Match(_)
            | Self::Fix(_)
            | Self::Finished(_) => None,
        }
    }

    /// The task, in the states that take [`Event::Edited`].
    fn editable(&self) -> Option<&Task> {
        match self {
            Self::Check(state) => Some(&state.task),
            Self::RunCommand(state) => Some(&state.task),
            Self::TryOldTests(state) => Some(&state.task),
            Self::Verify(state) => Some(&state.task),
            Self::TryBroken(state) => Some(&state.task),
            Self::Judge(state) => Some(&state.task),
            Self::Seal(state) => state.unsealed.as_deref(),
            Self::Read(_)
            | Self::Plan(_)
            | Self::ReadTests(_)
            | Self::Implement(_)
            | Self::Mend(_)
            | Self::Confirm(_)
            | Self::Match(_)
            | Self::Fix(_)
            | Self::Finished(_) => None,
        }
    }

    fn carried(&self) -> Carried<'_> {
        match self {
            Self::Read(state) => Carried::Task(&state.task),
            Self::Plan(state) => Carried::Task(&state.task),
            Self::ReadTests(state) => Carried::Task(&state.task),
            Self::Implement(state) => Carried::Task(&state.task),
            Self::Check(state) => Carried::Task(&state.task),
            Self::RunCommand(state) => Carried::Task(&state.task),
            Self::Mend(state) => Carried::Task(&state.task),
            Self::TryOldTests(state) => Carried::Task(&state.task),
            Self::Verify(state) => Carried::Task(&state.task),
            Self::TryBroken(state) => Carried::Task(&state.task),
            Self::Confirm(state) => Carried::Task(&state.task),
            Self::Match(state) => Carried::Task(&state.task),
            Self::Fix(state) => Carried::Task(&state.task),
            Self::Judge(state) => Carried::Task(&state.task),
            Self::Seal(state) => Carried::Verdict(&state.verdict),
            Self::Finished(verdict) => Carried::Verdict(verdict),
        }
    }
}

/// A task on its way, or what it came to.
enum Carried<'a> {
    Task(&'a Task),
    Verdict(&'a Verdict),
}
