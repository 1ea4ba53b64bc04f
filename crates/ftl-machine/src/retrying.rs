//! RETRY: a failed verify is tried again only with the fix of a known failure, or if the known fix is
//! to run it again. Anything else would spend the budget on guesses.
//!
//! The call is charged, and the retry counted, before the fix is applied. A fix that fails has been
//! paid for, and no failure can be retried without end.
//!
//! The number of retries is checked before the match is looked at: an error that came back that often
//! is blocked as such, whether or not a fix is known.

use ftl_model::{KnownFailure, Used};

use crate::block::{Misfit, Outside, Unretried};
use crate::effect::Phase;
use crate::event::{FailureMatched, FixApplied, Verification, Work};
use crate::log::{Tried, Warning};
use crate::task::Task;
use crate::{Effect, Event, IllegalEvent, State, StateName};

/// Waiting for the failure to be compared with what is known.
#[derive(Clone, Debug, PartialEq)]
pub struct Matching {
    pub(super) task: Task,
    pub(super) verification: Box<Verification>,
}

impl State {
    pub(super) fn match_failure(task: Task, verification: Box<Verification>) -> Self {
        Self::Match(Matching { task, verification })
    }
}

impl Matching {
    pub(super) fn effect(&self) -> Effect {
        Effect::MatchFailure {
            verification: self.verification.clone(),
            earlier_time_limits: self.task.log.time_limits,
        }
    }

    pub(super) fn apply(self, event: Event) -> Result<State, IllegalEvent> {
        match event {
            Event::FailureMatched(matched) => Ok(self.matched(*matched)),
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
            | Event::Verified(_)
            | Event::FixApplied(_)
            | Event::Judged(_)
            | Event::Edited(_)
            | Event::Sealed(_) => Err(event.illegal(StateName::Verify, "matching the failure")),
        }
    }

    fn matched(self, matched: FailureMatched) -> State {
        let Self { mut task, verification } = self;
        // Counted only now: the effect that asked for the match reported the time limits before it.
        task.log.time_limits += u32::from(verification.timed_out);
        task.log.retry_max = Some(matched.max);
        task.log.near = matched.near;
        task.log.met(matched.warnings);
        for name in &matched.without_fix {
            task.log.warn(Warning::KnownWithoutFix(name.clone()));
        }
        if task.retries >= matched.max {
            let (retries, max) = (task.retries, matched.max);
            return State::confirm(task, verification, Unretried::RetriesSpent { retries, max });
        }
        task.enter(StateName::Retry);
        match matched.known {
            Some(known) => Fixing::enter(task, verification, known),
            None => State::confirm(task, verification, Unretried::NoKnownFix(matched.without_fix)),
        }
    }
}

/// Waiting for the fix.
#[derive(Clone, Debug, PartialEq)]
pub struct Fixing {
    pub(super) task: Task,
    pub(super) verification: Box<Verification>,
    pub(super) known: KnownFailure,
}

impl Fixing {
    /// VERIFY has made sure that the budget carries the fix and the verify after it.
    fn enter(mut task: Task, verification: Box<Verification>, known: KnownFailure) -> State {
        task.budget.charge(1);
        task.retries += 1;
        task.log.retry_failure = Some(known.name.clone());
        task.log.retry_rationale = Some(known.rationale.clone());
        State::Fix(Self { task, verification, known })
    }

    pub(super) fn effect(&self) -> Effect {
        let task = &self.task;
        let request = task.request(Phase::ApplyFix, task.retries, Some(&self.verification));
        Effect::ApplyFix { failure: self.known.index, request, touched: task.touched_in_order() }
    }

    pub(super) fn apply(self, event: Event) -> Result<State, IllegalEvent> {
        match event {
            Event::FixApplied(fixed) => Ok(self.applied(*fixed)),
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
            | Event::Verified(_)
            | Event::FailureMatched(_)
            | Event::Judged(_)
            | Event::Edited(_)
            | Event::Sealed(_) => Err(event.illegal(StateName::Retry, "applying a fix")),
        }
    }

    fn applied(self, fixed: FixApplied) -> State {
        let Self { mut task, verification, known } = self;
        task.absorb(&fixed.work);
        task.log.used(Used { name: known.name.clone(), kind: "failure".into() });
        task.log.tried.push(Tried::Fix(known.clone()));
        // Syntax is checked here, since no PREFLIGHT follows: a fix must not reach COMPLETE unparsed.
        let mut unparsed = None;
        for check in fixed.checks {
            let path = check.path.clone();
            if !task.note_check(check) {
                unparsed.get_or_insert(path);
            }
        }
        let unparsed = unparsed.map(Misfit::Unparsable);
        match misfit(&fixed.work, known.rerun, task.options.strays_block).or(unparsed) {
            // What reached outside blocks whatever the verify says.
            Some(misfit @ Misfit::Outside(_)) => {
                State::unverified(task, verification, Unretried::FixFailed(misfit))
            }
            Some(misfit) => State::confirm(task, verification, Unretried::FixFailed(misfit)),
            None => State::verify(task),
        }
    }
}

/// Why the work can't count as the fix, in the order in which it is judged. What reached outside the
/// delta comes first: it matters even where the fix failed.
fn misfit(work: &Work, rerun: bool, strays_block: bool) -> Option<Misfit> {
    if let Some(outside) = Outside::of(work, strays_block) {
        return Some(Misfit::Outside(outside));
    }
    if let Some(failure) = &work.failure {
        return Some(Misfit::NotApplied(failure.clone()));
    }
    let changed = work.changed || !work.allowed.is_empty();
    let idle = !changed && !work.no_change && !rerun;
    idle.then_some(Misfit::ChangedNothing)
}
