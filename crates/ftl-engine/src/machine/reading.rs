//! READ: the workspace is parsed and its first promises are held against it.

use std::rc::Rc;

use super::event::{WorkspaceRead, WorkspaceRefused};
use super::planning::Planning;
use super::state::IllegalEvent;
use super::task::{HandOff, Task};
use super::{Block, BlockKind, Budget, Event, Options, Outcome, Plan, State, StateName, Verdict};

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
            | Event::Verified(_)
            | Event::FailureMatched(_)
            | Event::FixApplied(_)
            | Event::Judged(_)
            | Event::Sealed(_) => Err(illegal(&event)),
        }
    }

    /// The document stays byte for byte where it is, so that it can be mended.
    fn refused(self, refused: WorkspaceRefused) -> State {
        let mut task = self.task;
        task.enter(StateName::Block);
        task.budget.charge(1);
        let block = Block {
            kind: BlockKind::SpecInvalid,
            error: refused.message,
            unknown: format!("the reader refused the document (`{}`)", refused.code),
            discovery: "mend the document where the message points; it was left as it is".into(),
            reproduce: String::new(),
            sealed: false,
        };
        let verdict = task.verdict(Outcome::Blocked(block));
        State::Finished(Box::new(Verdict {
            total: None,
            ..verdict
        }))
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
        task.log.warn_all(read.warnings.clone());
        if read.budget < 1 {
            return task.block(BlockKind::BudgetExhausted, no_budget(read.budget));
        }
        task.budget.charge(1);
        if let Some(problem) = problem(&read) {
            return task.block(BlockKind::SpecInvalid, invalid(problem));
        }
        task.enter(StateName::Plan);
        State::Plan(Planning { task })
    }
}

/// Absent counts as sure. What lies outside 0..1 falls on the right side without clamping.
fn enforced(confidence: Option<f64>) -> bool {
    confidence.is_none_or(|confidence| confidence >= STRICT_FROM)
}

fn problem(read: &WorkspaceRead) -> Option<String> {
    if read.delta.is_empty() {
        return Some("the workspace names no delta file".into());
    }
    if read.verify.is_empty() {
        return Some("the workspace has no verify command".into());
    }
    match read.status.as_deref() {
        Some("active") => None,
        Some(other) => Some(format!("the workspace's status is `{other}`, not `active`")),
        None => Some("the workspace's root has no `status` attribute".into()),
    }
}

pub(super) fn invalid(problem: String) -> HandOff {
    HandOff {
        error: problem,
        unknown: "the task can't be built as it is written".into(),
        discovery: "what the workspace was meant to say".into(),
        reproduce: String::new(),
    }
}

fn no_budget(total: i64) -> HandOff {
    HandOff {
        error: format!("the budget is {total}: reading the workspace alone costs 1"),
        unknown: "no call could be spent on the task".into(),
        discovery: "how many calls the task needs: at least 3 for one file".into(),
        reproduce: String::new(),
    }
}

fn illegal(event: &Event) -> IllegalEvent {
    IllegalEvent {
        state: StateName::Read,
        doing: "reading the workspace",
        event: event.name(),
    }
}
