//! VERIFY: the command decides, within what the budget allows.

use super::event::Verification;
use super::judging::Judging;
use super::retrying::Matching;
use super::state::IllegalEvent;
use super::task::{HandOff, Task};
use super::{BlockKind, Effect, Event, State, StateName};

/// A retry and the verify after it.
const RETRY_AND_VERIFY: i64 = 2;

/// Waiting for the verify.
#[derive(Clone, Debug, PartialEq)]
pub struct Verifying {
    pub(super) task: Task,
}

impl Verifying {
    /// Enters VERIFY, if one call is left for it.
    pub(super) fn enter(mut task: Task) -> State {
        if task.budget.remaining() < 1 {
            let words = unaffordable(&task);
            return task.block(BlockKind::BudgetExhausted, words);
        }
        task.enter(StateName::Verify);
        task.budget.charge(1);
        State::Verify(Self { task })
    }

    pub(super) fn effect(&self) -> Effect {
        Effect::Verify {
            earlier: self.task.retries,
        }
    }

    pub(super) fn apply(self, event: Event) -> Result<State, IllegalEvent> {
        match event {
            Event::Verified(verification) => Ok(self.verified(verification)),
            Event::WorkspaceRead(_)
            | Event::WorkspaceRefused(_)
            | Event::Planned(_)
            | Event::TestsRead(_)
            | Event::Implemented(_)
            | Event::FileChecked(_)
            | Event::CommandChecked(_)
            | Event::Mended(_)
            | Event::FailureMatched(_)
            | Event::FixApplied(_)
            | Event::Judged(_)
            | Event::Sealed(_) => Err(IllegalEvent {
                state: StateName::Verify,
                doing: "waiting for the verify",
                event: event.name(),
            }),
        }
    }

    fn verified(self, verification: Box<Verification>) -> State {
        let mut task = self.task;
        task.log.warn_all(verification.warnings.clone());
        task.stands(&verification.delta);
        task.log.lies_about(&verification.scratch);
        task.log.verify.push(verification.as_ref().clone());
        if verification.passed {
            task.findings.extend(verification.findings);
            return Judging::enter(task);
        }
        if task.budget.remaining() < RETRY_AND_VERIFY {
            let left = task.budget.remaining();
            let words = unverified(
                &verification,
                format!("the verify failed with {left} calls left: a retry and its verify need 2"),
                "why the verify fails",
            );
            return task.block(BlockKind::BudgetExhausted, words);
        }
        State::Match(Matching { task, verification })
    }
}

fn unaffordable(task: &Task) -> HandOff {
    HandOff {
        error: format!(
            "no call is left to verify with: {} of {} are spent",
            task.budget.used, task.budget.total
        ),
        unknown: "whether what was written passes its verify".into(),
        discovery: "run the verify, and give the task a budget that carries it".into(),
        reproduce: task.plan.verify.clone(),
    }
}

/// The words for any block after a failed verify: its error line leads, whatever the kind.
pub(super) fn unverified(verification: &Verification, unknown: String, discovery: &str) -> HandOff {
    HandOff {
        error: verification
            .error
            .clone()
            .unwrap_or_else(|| "the verify failed".into()),
        unknown,
        discovery: discovery.to_owned(),
        reproduce: verification.command.clone(),
    }
}
