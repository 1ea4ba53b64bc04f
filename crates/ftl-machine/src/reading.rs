//! READ: the workspace is parsed and checked for what every task needs.
//!
//! A document that the reader refused is not sealed: writing into a file that could not be read might
//! destroy what its author has to correct. One that was read and cannot be built is sealed as blocked.

use std::rc::Rc;

use ftl_model::Status;

use crate::block::{Block, Reason, SpecProblem};
use crate::event::{WorkspaceRead, WorkspaceRefused};
use crate::planning::Planning;
use crate::task::Task;
use crate::{Budget, Event, IllegalEvent, Options, Outcome, Plan, State, StateName, Verdict};

/// From this confidence on, idioms block.
const STRICT_FROM: f64 = 0.6;

/// Waiting for the workspace.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    pub(super) task: Task,
}

impl Reading {
    pub(super) fn new(options: Options) -> Self {
        let mut task = Task::new(options);
        task.enter(StateName::Read);
        Self { task }
    }

    pub(super) fn apply(self, event: Event) -> Result<State, IllegalEvent> {
        match event {
            Event::WorkspaceRead(read) => Ok(self.read(*read)),
            Event::WorkspaceRefused(refused) => Ok(self.refused(refused)),
            Event::Planned(_)
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
            | Event::Sealed(_) => Err(event.illegal(StateName::Read, "reading the workspace")),
        }
    }

    /// The document stays byte for byte where it is, so that it can be fixed.
    fn refused(self, refused: WorkspaceRefused) -> State {
        let mut task = self.task;
        task.enter(StateName::Block);
        task.budget.charge(1);
        let block = Block { reason: Reason::DocumentRefused(refused), sealed: false };
        let verdict = task.verdict(Outcome::Blocked(block));
        State::Finished(Box::new(Verdict { total: None, ..verdict }))
    }

    fn read(self, read: WorkspaceRead) -> State {
        let mut task = self.task;
        task.budget = Budget::new(read.budget);
        let plan = Plan {
            verify: read.verify.clone(),
            enforced: enforced(read.confidence),
            ..Plan::default()
        };
        task.plan = Rc::new(plan);
        task.log.met(read.warnings.clone());
        if read.budget < 1 {
            return task.block(Reason::NoBudget);
        }
        task.budget.charge(1);
        if let Some(problem) = problem(&read) {
            return task.block(Reason::Unbuildable(problem));
        }
        task.enter(StateName::Plan);
        State::Plan(Planning { task })
    }
}

/// Absent counts as sure. A value outside 0..1 falls on the right side without clamping.
fn enforced(confidence: Option<f64>) -> bool {
    confidence.is_none_or(|confidence| confidence >= STRICT_FROM)
}

fn problem(read: &WorkspaceRead) -> Option<SpecProblem> {
    if read.delta.is_empty() {
        return Some(SpecProblem::NoDelta);
    }
    if read.verify.is_empty() {
        return Some(SpecProblem::NoVerify);
    }
    let is_active = read.status.as_deref() == Some(Status::Active.as_str());
    (!is_active).then(|| SpecProblem::NotActive(read.status.clone()))
}
