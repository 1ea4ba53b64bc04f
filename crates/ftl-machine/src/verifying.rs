//! VERIFY: the command decides, within what the budget allows.
//!
//! The call is charged on entry: a verify that a crash interrupts is run again from the same event, and
//! charged once. After a failure, a retry is thought of only if the budget carries the fix and the verify
//! that must follow it; a fix that cannot be verified proves nothing.
//!
//! A delta that was written in a copy of the tree lands first. If its verify fails and is not retried, the command runs once
//! more in the copy: if it passes there, the tree is at fault. That run is not charged, since it decides nothing but
//! the kind of the block.

use std::collections::BTreeSet;

use ftl_model::Finding;

use crate::block::{Reason, Unretried};
use crate::event::{Edited, Verification};
use crate::evidence::{TryingOldTests, are_missing, wants_old_tests};
use crate::task::Task;
use crate::{Effect, Event, IllegalEvent, State, StateName};

/// A retry and the verify after it.
const RETRY_AND_VERIFY: i64 = 2;

/// Waiting for the verify.
#[derive(Clone, Debug, PartialEq)]
pub struct Verifying {
    pub(super) task: Task,
    /// What the tests as they were say, if it passes.
    pub(super) by_old_tests: BTreeSet<Finding>,
    /// How many of them ran, where they passed.
    pub(super) old_ran: Option<u64>,
}

impl State {
    /// What passed its verify is checked and verified again. Without edits only its landing was undone,
    /// and the call is paid for.
    pub(super) fn verify_again(mut task: Task, edited: &Edited) -> Self {
        if edited.paths.is_empty() {
            task.budget.give_back();
        }
        Self::check_again(task, edited)
    }

    /// Enters VERIFY, if one call is left for it.
    pub(super) fn verify(mut task: Task) -> Self {
        if task.budget.remaining() < 1 {
            return task.block(Reason::VerifyUnaffordable);
        }
        task.enter(StateName::Verify);
        task.budget.charge(1);
        (task.log.old_tests, task.log.broken) = (None, None);
        match wants_old_tests(&task) {
            true => Self::TryOldTests(TryingOldTests { task }),
            false => Self::run_verify(task, BTreeSet::new(), None),
        }
    }

    pub(super) fn run_verify(
        task: Task,
        by_old_tests: BTreeSet<Finding>,
        old_ran: Option<u64>,
    ) -> Self {
        Self::Verify(Verifying { task, by_old_tests, old_ran })
    }
}

impl Verifying {
    pub(super) fn effect(&self) -> Effect {
        Effect::Verify { command: self.task.plan.verify.clone() }
    }

    pub(super) fn apply(self, event: Event) -> Result<State, IllegalEvent> {
        match event {
            Event::Verified(verification) => Ok(self.verified(verification)),
            Event::Edited(edited) => Ok(self.edited(&edited)),
            Event::LandingConflicted(conflicts) if self.task.lands() => {
                let mut task = self.task;
                task.log.conflicts = Some(conflicts.as_ref().clone());
                Ok(task.block(Reason::LandConflict(*conflicts)))
            }
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
            | Event::BrokenTried(_)
            | Event::Confirmed(_)
            | Event::FailureMatched(_)
            | Event::FixApplied(_)
            | Event::Judged(_)
            | Event::Sealed(_) => Err(event.illegal(StateName::Verify, "waiting for the verify")),
        }
    }

    /// What was paid for came to nothing, and is paid for again on entry.
    fn edited(self, edited: &Edited) -> State {
        let mut task = self.task;
        task.budget.give_back();
        State::check_again(task, edited)
    }

    fn verified(self, verification: Box<Verification>) -> State {
        let mut task = self.task;
        task.log.met(verification.warnings.clone());
        for check in &verification.merged {
            task.note_check(check.clone());
        }
        task.take_delta(&verification.delta);
        task.log.found_scratch(&verification.scratch);
        task.log.found_written(&verification.written);
        // What a command wrote stays written, whichever verify passes in the end.
        if verification.findings.contains(&Finding::TreeWritten) {
            task.findings.insert(Finding::TreeWritten);
        }
        task.log.verify.push(verification.as_ref().clone());
        if verification.passed {
            task.is_shared = !verification.with.is_empty();
            task.doubts = verification.findings.iter().copied().collect();
            task.doubts.extend(self.by_old_tests);
            if are_missing(task.before.as_ref(), self.old_ran, verification.ran) {
                task.doubts.insert(Finding::TestsMissing);
            }
            return State::after_pass(task, &verification);
        }
        task.doubts.clear();
        if task.budget.remaining() < RETRY_AND_VERIFY {
            let left = task.budget.remaining();
            return State::confirm(task, verification, Unretried::CallsSpent { left });
        }
        State::match_failure(task, verification)
    }
}

/// Waiting for the verify where the delta was written.
#[derive(Clone, Debug, PartialEq)]
pub struct Confirming {
    pub(super) task: Task,
    pub(super) verification: Box<Verification>,
    pub(super) why: Unretried,
}

impl State {
    /// Blocks after a failed verify: its error line leads, whatever the kind.
    pub(super) fn unverified(task: Task, verification: Box<Verification>, why: Unretried) -> Self {
        task.block(Reason::VerifyFailed { verification, why })
    }

    /// Blocks after a failed verify; where the workplace has more than what landed, only after the verify there.
    pub(super) fn confirm(task: Task, verification: Box<Verification>, why: Unretried) -> Self {
        if task.lands() && verification.is_apart {
            Self::Confirm(Confirming { task, verification, why })
        } else {
            Self::unverified(task, verification, why)
        }
    }
}

impl Confirming {
    pub(super) fn effect(&self) -> Effect {
        Effect::Confirm { command: self.task.plan.verify.clone() }
    }

    pub(super) fn apply(self, event: Event) -> Result<State, IllegalEvent> {
        match event {
            Event::Confirmed(confirmed) => Ok(self.confirmed(*confirmed)),
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
            | Event::BrokenTried(_)
            | Event::Verified(_)
            | Event::FailureMatched(_)
            | Event::FixApplied(_)
            | Event::Judged(_)
            | Event::Edited(_)
            | Event::Sealed(_) => Err(event.illegal(
                self.task.log.states.last().copied().unwrap_or(StateName::Verify),
                "waiting for the verify in the copy",
            )),
        }
    }

    fn confirmed(self, confirmed: Verification) -> State {
        let Self { mut task, verification, why } = self;
        task.log.met(confirmed.warnings);
        if confirmed.passed {
            let left = [task.log.strays.clone(), task.log.dependencies.clone()].concat();
            return task.block(match left.is_empty() {
                true => Reason::LandBroken(verification),
                false => Reason::LeftBehind { verification, left },
            });
        }
        State::unverified(task, verification, why)
    }
}
