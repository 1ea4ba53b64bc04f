//! PLAN and READ_TESTS: what was read is checked and laid out, and the tests may be read first.
//!
//! The budget is checked here, before anything is written. A dry run ends after PLAN and seals nothing.
//! READ_TESTS is a help to the implementer and never a reason to block: by default it is entered only if
//! the budget still carries every delta file and one verify after it.

use std::rc::Rc;

use crate::block::{Reason, SpecProblem};
use crate::event::{Planned, TestsRead};
use crate::log::Warning;
use crate::task::Task;
use crate::{Effect, Event, IllegalEvent, Outcome, Plan, ReadTests, State, StateName};

/// The least that a task needs after READ: one file and one verify.
const LEAST: i64 = 2;

/// Waiting for the plan.
#[derive(Clone, Debug, PartialEq)]
pub struct Planning {
    pub(super) task: Task,
}

impl Planning {
    pub(super) fn apply(self, event: Event) -> Result<State, IllegalEvent> {
        match event {
            Event::Planned(planned) => Ok(self.planned(*planned)),
            Event::WorkspaceRead(_)
            | Event::WorkspaceRefused(_)
            | Event::TestsRead(_)
            | Event::Implemented(_)
            | Event::FileChecked(_)
            | Event::CommandChecked(_)
            | Event::Mended(_)
            | Event::LandingConflicted(_)
            | Event::OldTestsTried(_)
            | Event::BrokenTried(_)
            | Event::Confirmed(_)
            | Event::Verified(_)
            | Event::FailureMatched(_)
            | Event::FixApplied(_)
            | Event::Judged(_)
            | Event::Edited(_)
            | Event::Sealed(_) => Err(event.illegal(StateName::Plan, "laying out the task")),
        }
    }

    fn planned(self, planned: Planned) -> State {
        let mut task = self.task;
        task.log.met(planned.warnings);
        let (problem, missing) = (planned.problem, planned.missing);
        let Planned { files, tests, commands, accepted, .. } = planned;
        task.plan =
            Rc::new(Plan { files, tests, commands, accepted, ..task.plan.as_ref().clone() });
        if let Some(problem) = problem {
            return task.block(Reason::Unbuildable(SpecProblem::Found(problem)));
        }
        // Before anything is written: work that cannot be verified would be paid for and then blocked.
        let remaining = task.budget.remaining();
        if remaining < LEAST {
            let needed = LEAST;
            return task.block(Reason::BudgetTooSmall { remaining, needed });
        }
        // An agent costs money: none is asked while the verify command cannot run.
        if let Some(missing) = missing {
            return task.block(Reason::Unbuildable(SpecProblem::NoProgram(missing)));
        }
        let files = task.plan.files.len();
        if !carries(remaining, files) {
            task.log.warn(Warning::BudgetShort { remaining, files });
        }
        if task.options.dry_run {
            return State::Finished(Box::new(task.verdict(Outcome::Planned)));
        }
        match tests_to_read(&task) {
            Some(path) => {
                task.enter(StateName::ReadTests);
                task.budget.charge(1);
                State::ReadTests(ReadingTests { task, path })
            }
            None => State::implement(task),
        }
    }
}

/// Whether so many calls carry all files and one verify.
fn carries(calls: i64, files: usize) -> bool {
    let files = i64::try_from(files).unwrap_or(i64::MAX);
    calls >= files.saturating_add(1)
}

/// The test file, if it is to be read and the budget carries it.
///
/// By default the budget must also carry every file and a verify after the read. Without this, the most common
/// task, of one file, a test to read and a budget of 3, could never be verified.
fn tests_to_read(task: &Task) -> Option<String> {
    let path = task.plan.tests.clone()?;
    let remaining = task.budget.remaining();
    let affordable = carries(remaining.saturating_sub(1), task.plan.files.len());
    let wanted = match task.options.read_tests {
        ReadTests::Auto => affordable,
        ReadTests::Always => true,
        ReadTests::Never => false,
    };
    (wanted && remaining >= LEAST).then_some(path)
}

/// Waiting for the test file.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadingTests {
    pub(super) task: Task,
    path: String,
}

impl ReadingTests {
    pub(super) fn effect(&self) -> Effect {
        Effect::ReadTests(self.path.clone())
    }

    pub(super) fn apply(self, event: Event) -> Result<State, IllegalEvent> {
        match event {
            Event::TestsRead(read) => Ok(self.read(read)),
            Event::WorkspaceRead(_)
            | Event::WorkspaceRefused(_)
            | Event::Planned(_)
            | Event::Implemented(_)
            | Event::FileChecked(_)
            | Event::CommandChecked(_)
            | Event::Mended(_)
            | Event::LandingConflicted(_)
            | Event::OldTestsTried(_)
            | Event::BrokenTried(_)
            | Event::Confirmed(_)
            | Event::Verified(_)
            | Event::FailureMatched(_)
            | Event::FixApplied(_)
            | Event::Judged(_)
            | Event::Edited(_)
            | Event::Sealed(_) => Err(event.illegal(StateName::ReadTests, "reading the test file")),
        }
    }

    /// A read that failed was charged all the same, and stops nothing.
    fn read(self, read: TestsRead) -> State {
        let mut task = self.task;
        if let Some(warning) = read.warning {
            task.log.warn(Warning::Met(warning));
        }
        State::implement(task)
    }
}
