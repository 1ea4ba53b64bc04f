//! IMPLEMENT: the implementer writes the delta; the machine counts what was touched.
//!
//! The price is one call for each touched file (or each call of ftl's own tools, where these are counted and
//! more), and is known only afterwards. So it is charged first,
//! beyond the budget if need be, and judged then: the record shows what was spent. Of several reasons to
//! block, the implementer's own failure comes first, then files outside the delta.

use crate::block::{Outside, Reason};
use crate::effect::Phase;
use crate::event::Work;
use crate::task::Task;
use crate::{Effect, Event, IllegalEvent, State, StateName};

/// Waiting for the implementer.
#[derive(Clone, Debug, PartialEq)]
pub struct Implementing {
    pub(super) task: Task,
}

impl State {
    pub(super) fn implement(mut task: Task) -> Self {
        task.enter(StateName::Implement);
        Self::Implement(Implementing { task })
    }
}

impl Implementing {
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
            | Event::LandingConflicted(_)
            | Event::OldTestsTried(_)
            | Event::BrokenTried(_)
            | Event::Confirmed(_)
            | Event::Verified(_)
            | Event::FailureMatched(_)
            | Event::FixApplied(_)
            | Event::Judged(_)
            | Event::Edited(_)
            | Event::Sealed(_) => {
                Err(event.illegal(StateName::Implement, "waiting for the implementer"))
            }
        }
    }

    fn implemented(self, work: &Work) -> State {
        let mut task = self.task;
        let remaining = task.budget.remaining();
        task.absorb(work);
        let price = work.price();
        task.budget.charge(price);
        task.log.after_implement = task.budget.used;
        // An implementer that failed may have strayed too, but its failure says why.
        if let Some(failure) = &work.failure {
            return task.block(Reason::ImplementerFailed(failure.clone()));
        }
        if let Some(outside) = Outside::of(work, task.options.strays_block) {
            return task.block(Reason::OutsideDelta(outside));
        }
        // That nothing needs to change has to be stated: an agent that is silent has more often given up.
        if work.delta.touched.is_empty() && !work.no_change {
            return task.block(Reason::Idle);
        }
        // A budget that is used up exactly still allows PREFLIGHT, which is free: the record then says whether the
        // files parse.
        if !fits(price, remaining) {
            return task.block(Reason::Overspent { touched: price, remaining });
        }
        State::check(task)
    }
}

fn fits(price: usize, remaining: i64) -> bool {
    i64::try_from(price).is_ok_and(|price| price <= remaining)
}
