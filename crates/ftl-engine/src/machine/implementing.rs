//! IMPLEMENT: somebody else writes the delta; the machine counts what was touched.

use super::effect::Phase;
use super::event::Work;
use super::preflighting::Checking;
use super::state::IllegalEvent;
use super::task::{HandOff, Task};
use super::{BlockKind, Effect, Event, State, StateName};

/// Waiting for the implementer.
#[derive(Clone, Debug, PartialEq)]
pub struct Implementing {
    pub(super) task: Task,
}

impl Implementing {
    pub(super) fn enter(mut task: Task) -> State {
        task.enter(StateName::Implement);
        State::Implement(Self { task })
    }

    pub(super) fn effect(&self) -> Effect {
        Effect::Implement(self.task.request(Phase::Implement, 1, None))
    }

    pub(super) fn apply(self, event: Event) -> Result<State, IllegalEvent> {
        match event {
            Event::Implemented(work) => Ok(self.implemented(&work)),
            Event::WorkspaceRead(_)
            | Event::WorkspaceRefused(_)
            | Event::Planned(_)
            | Event::TestsRead(_)
            | Event::FileChecked(_)
            | Event::CommandChecked(_)
            | Event::Mended(_)
            | Event::Verified(_)
            | Event::FailureMatched(_)
            | Event::FixApplied(_)
            | Event::Judged(_)
            | Event::Sealed(_) => Err(IllegalEvent {
                state: StateName::Implement,
                doing: "waiting for the implementer",
                event: event.name(),
            }),
        }
    }

    fn implemented(self, work: &Work) -> State {
        let mut task = self.task;
        let remaining = task.budget.remaining();
        task.absorb(work);
        task.budget.charge(work.delta.touched.len());
        task.log.after_implement = task.budget.used;
        let reproduce = task.plan.verify.clone();
        if let Some(failure) = &work.failure {
            let words = failed(failure, reproduce);
            return task.block(BlockKind::ImplementFailed, words);
        }
        if let Some(words) = outside(work, &reproduce) {
            return task.block(BlockKind::DeltaInsufficient, words);
        }
        if work.delta.touched.is_empty() && !work.no_change {
            let words = idle(reproduce);
            return task.block(BlockKind::ImplementFailed, words);
        }
        if !fits(work.delta.touched.len(), remaining) {
            let words = overspent(work.delta.touched.len(), remaining, reproduce);
            return task.block(BlockKind::BudgetExhausted, words);
        }
        Checking::enter(task)
    }
}

fn fits(touched: usize, remaining: i64) -> bool {
    i64::try_from(touched).is_ok_and(|touched| touched <= remaining)
}

fn failed(failure: &str, reproduce: String) -> HandOff {
    HandOff {
        error: failure.to_owned(),
        unknown:
            "how far the implementer got; its partial work is in the tree and in the run's diff"
                .into(),
        discovery: "why the implementer failed".into(),
        reproduce,
    }
}

/// The words for work that reached, or had to reach, outside the delta.
pub(super) fn outside(work: &Work, reproduce: &str) -> Option<HandOff> {
    let (error, files) = if !work.strays.is_empty() {
        (
            "the implementer changed files outside the delta",
            &work.strays,
        )
    } else if !work.needs.is_empty() {
        ("the implementer needs files outside the delta", &work.needs)
    } else {
        return None;
    };
    let files = files.join(", ");
    Some(HandOff {
        error: format!("{error}: {files}"),
        unknown: format!("whether the task needs {files}"),
        discovery: "whether the delta should name these files".into(),
        reproduce: reproduce.to_owned(),
    })
}

fn idle(reproduce: String) -> HandOff {
    HandOff {
        error: "the implementer touched no delta file and did not say `no_change`".into(),
        unknown: "whether there was anything to do".into(),
        discovery: "whether the task is done already, or was not understood".into(),
        reproduce,
    }
}

fn overspent(touched: usize, remaining: i64, reproduce: String) -> HandOff {
    HandOff {
        error: format!("the implementer touched {touched} files where {remaining} calls remained"),
        unknown: "whether what was written is right: nothing was left to verify it".into(),
        discovery: "how many calls the task needs".into(),
        reproduce,
    }
}
