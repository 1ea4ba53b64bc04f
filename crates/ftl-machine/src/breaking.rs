//! The work broken: an experiment of VERIFY, after the command passed.
//!
//! A command that hides exit codes, or looks at something else, passes also with broken files. So where that may be, and
//! it is not known that the command failed before the work, it runs once more with the work broken. Nothing is charged.

use ftl_model::Finding;

use crate::event::{Broken, Edited, Verification};
use crate::task::Task;
use crate::{Effect, Event, Evidence, IllegalEvent, State, StateName};

/// Waiting for the verify with the work broken.
#[derive(Clone, Debug, PartialEq)]
pub struct TryingBroken {
    pub(super) task: Task,
    pub(super) hides_exit: bool,
    took_ms: u64,
}

impl State {
    /// Goes on from a verify that passed: to its judgement, or to the experiment before it.
    pub(super) fn after_pass(mut task: Task, verification: &Verification) -> Self {
        let has_failed = task.before.as_ref().is_some_and(|before| !before.passed);
        if has_failed {
            return Self::judge(task);
        }
        let is_wanted = match task.options.evidence {
            Evidence::Auto => verification.may_hide || verification.hides_exit,
            Evidence::Full => true,
            Evidence::None => false,
        };
        let hides_exit = verification.hides_exit;
        if is_wanted && task.options.lands && !task.touched.is_empty() {
            let took_ms = verification.duration_ms;
            return Self::TryBroken(TryingBroken { task, hides_exit, took_ms });
        }
        if hides_exit {
            task.doubts.insert(Finding::MaskedExit);
        }
        Self::judge(task)
    }
}

impl TryingBroken {
    pub(super) fn effect(&self) -> Effect {
        Effect::TryBroken {
            command: self.task.plan.verify.clone(),
            took_ms: self.took_ms,
            touched: self.task.touched_in_order(),
        }
    }

    pub(super) fn apply(self, event: Event) -> Result<State, IllegalEvent> {
        match event {
            Event::BrokenTried(broken) => Ok(self.tried(*broken)),
            Event::Edited(edited) => Ok(self.edited(&edited)),
            Event::WorkspaceRead(_)
            | Event::WorkspaceRefused(_)
            | Event::Planned(_)
            | Event::TestsRead(_)
            | Event::Implemented(_)
            | Event::FileChecked(_)
            | Event::CommandChecked(_)
            | Event::Mended(_)
            | Event::LandingConflicted(_)
            | Event::OldTestsTried(_)
            | Event::Confirmed(_)
            | Event::Verified(_)
            | Event::FailureMatched(_)
            | Event::FixApplied(_)
            | Event::Judged(_)
            | Event::Sealed(_) => {
                Err(event.illegal(StateName::Verify, "waiting for the verify with the work broken"))
            }
        }
    }

    fn tried(self, broken: Broken) -> State {
        let mut task = self.task;
        if broken.passed == Some(true) {
            task.doubts.insert(Finding::Blind);
        }
        if self.hides_exit && broken.passed != Some(false) {
            task.doubts.insert(Finding::MaskedExit);
        }
        task.log.met(broken.warnings.clone());
        task.log.broken = Some(broken);
        State::judge(task)
    }

    /// The verify that passed is made again, and paid for on entry.
    fn edited(self, edited: &Edited) -> State {
        let mut task = self.task;
        task.budget.give_back();
        State::check_again(task, edited)
    }
}
