//! RETRY: only what is known is tried again.

use super::effect::Phase;
use super::event::{FailureMatched, FixApplied, Known, Used, Verification, Work};
use super::state::IllegalEvent;
use super::task::Task;
use super::verifying::{Verifying, unverified};
use super::{BlockKind, Effect, Event, State, StateName};

/// Waiting for the failure to be compared with what is known.
#[derive(Clone, Debug, PartialEq)]
pub struct Matching {
    pub(super) task: Task,
    pub(super) verification: Box<Verification>,
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
            | Event::Verified(_)
            | Event::FixApplied(_)
            | Event::Judged(_)
            | Event::Sealed(_) => Err(illegal(StateName::Verify, "matching the failure", &event)),
        }
    }

    fn matched(self, matched: FailureMatched) -> State {
        let Self {
            mut task,
            verification,
        } = self;
        task.log.time_limits += u32::from(verification.timed_out);
        task.log.retry_max = Some(matched.max);
        task.log.warn_all(matched.warnings);
        for name in &matched.without_fix {
            task.log
                .warn(format!("`{name}` is known, but without a fix"));
        }
        if task.retries >= matched.max {
            let words = unverified(
                &verification,
                format!(
                    "the verify still fails after {} of {} retries",
                    task.retries, matched.max
                ),
                "why the known fix does not hold",
            );
            return task.block(BlockKind::RetryLimit, words);
        }
        task.enter(StateName::Retry);
        match matched.known {
            Some(known) => Fixing::enter(task, verification, known),
            None => undiscovered(task, &verification, &matched.without_fix),
        }
    }
}

fn undiscovered(task: Task, verification: &Verification, without_fix: &[String]) -> State {
    let unknown = if without_fix.is_empty() {
        "no known failure fits this error".to_owned()
    } else {
        format!(
            "the failure is known as {} but has no fix",
            without_fix.join(", ")
        )
    };
    let words = unverified(
        verification,
        unknown,
        "the cause of this error, and a fix for it",
    );
    task.block(BlockKind::DiscoveryNeeded, words)
}

/// Waiting for the fix.
#[derive(Clone, Debug, PartialEq)]
pub struct Fixing {
    pub(super) task: Task,
    pub(super) verification: Box<Verification>,
    pub(super) known: Known,
}

impl Fixing {
    fn enter(mut task: Task, verification: Box<Verification>, known: Known) -> State {
        task.budget.charge(1);
        task.retries += 1;
        task.log.retry_failure = Some(known.name.clone());
        task.log.retry_rationale = Some(known.rationale.clone());
        State::Fix(Self {
            task,
            verification,
            known,
        })
    }

    pub(super) fn effect(&self) -> Effect {
        let task = &self.task;
        let request = task.request(Phase::ApplyFix, task.retries, Some(&self.verification));
        Effect::ApplyFix {
            failure: self.known.index,
            request,
        }
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
            | Event::Verified(_)
            | Event::FailureMatched(_)
            | Event::Judged(_)
            | Event::Sealed(_) => Err(illegal(StateName::Retry, "applying a fix", &event)),
        }
    }

    fn applied(self, fixed: FixApplied) -> State {
        let Self {
            mut task,
            verification,
            known,
        } = self;
        task.absorb(&fixed.work);
        task.log.used(Used {
            name: known.name.clone(),
            kind: "failure".into(),
        });
        task.log.tried.push(tried(&known));
        let mut unparsed = None;
        for check in fixed.checks {
            let path = check.path.clone();
            if !task.note_check(check) {
                unparsed.get_or_insert(path);
            }
        }
        let unparsed = unparsed.map(|path| format!("the fix left `{path}` unparsable"));
        match misfit(&fixed.work, known.rerun).or(unparsed) {
            Some(why) => {
                let words = unverified(&verification, why, "a fix that holds for this failure");
                task.block(BlockKind::FixFailed, words)
            }
            None => Verifying::enter(task),
        }
    }
}

/// Why the work can't count as the fix, in the order in which it is judged.
fn misfit(work: &Work, rerun: bool) -> Option<String> {
    if !work.strays.is_empty() {
        return Some(format!(
            "the fix changed files outside the delta: {}",
            work.strays.join(", ")
        ));
    }
    if !work.needs.is_empty() {
        return Some(format!(
            "the fix needs files outside the delta: {}",
            work.needs.join(", ")
        ));
    }
    if let Some(failure) = &work.failure {
        return Some(format!("the fix could not be applied: {failure}"));
    }
    (!work.changed && !work.no_change && !rerun).then(|| "the fix changed nothing".to_owned())
}

fn tried(known: &Known) -> String {
    if known.fix.is_empty() {
        known.name.clone()
    } else {
        format!("{}: {}", known.name, known.fix)
    }
}

fn illegal(state: StateName, doing: &'static str, event: &Event) -> IllegalEvent {
    IllegalEvent {
        state,
        doing,
        event: event.name(),
    }
}
