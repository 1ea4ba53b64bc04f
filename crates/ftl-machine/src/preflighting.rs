//! PREFLIGHT: what was touched must parse, then the extra commands must pass; else the implementer is
//! asked to fix it, a few times, at no charge.
//!
//! It is exempt from the budget, since a task must not end because of a missing bracket; another bound
//! has to end it. Each file and each command may fail three times, and a fix that changes nothing ends
//! it at once. Attempts are never reset, so that two files that break each other in turn end it too.
//!
//! All touched files are checked before the implementer is asked, so that one request can cover them all.
//! Commands wait for the files to parse, and stop at the first failure, since their errors tend to
//! follow from it. After a fix everything is checked again: it may have touched any file.

use std::collections::VecDeque;

use ftl_model::{Check, CheckStatus, DeltaPath};

use crate::block::{Outside, Reason, Unmended};
use crate::effect::Phase;
use crate::event::{CommandChecked, Edited, Work};
use crate::log::{CheckEntry, Tried};
use crate::task::{Subject, Task};
use crate::{Effect, Event, IllegalEvent, State, StateName};

/// How often one file, or one command, may fail. Only edits in the middle of a round lead beyond.
pub(super) const ATTEMPTS: u32 = 3;

/// Going through the touched files.
#[derive(Clone, Debug, PartialEq)]
pub struct Checking {
    pub(super) task: Task,
    pub(super) path: DeltaPath,
    pub(super) rest: VecDeque<DeltaPath>,
    pub(super) failed: bool,
}

impl State {
    /// Begins a round.
    pub(super) fn check(mut task: Task) -> Self {
        task.enter(StateName::Preflight);
        let touched = task.touched_in_order().into_iter();
        let rest = touched.chain(task.allowed.iter().cloned()).collect();
        Checking::go_on(task, rest, false)
    }

    /// Begins a round because the user changed what earlier rounds saw, while nothing ran. No command is
    /// blamed for it: the new bytes are checked and verified like any others.
    pub(super) fn check_again(mut task: Task, edited: &Edited) -> Self {
        task.take_edits(edited);
        Self::check(task)
    }
}

impl Checking {
    fn go_on(task: Task, mut rest: VecDeque<DeltaPath>, failed: bool) -> State {
        match rest.pop_front() {
            Some(path) => State::Check(Self { task, path, rest, failed }),
            None if failed => mend(task),
            None => RunningCommand::go_on(task, 0),
        }
    }

    pub(super) fn effect(&self) -> Effect {
        Effect::CheckFile(self.path.clone())
    }

    pub(super) fn apply(self, event: Event) -> Result<State, IllegalEvent> {
        match event {
            Event::FileChecked(check) if check.path == self.path => Ok(self.checked(check)),
            Event::Edited(edited) => Ok(State::check_again(self.task, &edited)),
            Event::FileChecked(_)
            | Event::WorkspaceRead(_)
            | Event::WorkspaceRefused(_)
            | Event::Planned(_)
            | Event::TestsRead(_)
            | Event::Implemented(_)
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
            | Event::Sealed(_) => {
                Err(event.illegal(StateName::Preflight, "checking a touched file"))
            }
        }
    }

    fn checked(self, check: Check) -> State {
        let mut task = self.task;
        let passed = task.note_check(check);
        Self::go_on(task, self.rest, self.failed || !passed)
    }
}

/// Going through the extra commands, up to the first that fails.
#[derive(Clone, Debug, PartialEq)]
pub struct RunningCommand {
    pub(super) task: Task,
    pub(super) index: usize,
}

impl RunningCommand {
    fn go_on(task: Task, index: usize) -> State {
        if index < task.plan.commands.len() {
            State::RunCommand(Self { task, index })
        } else {
            State::verify(task)
        }
    }

    pub(super) fn effect(&self) -> Effect {
        let command = self.task.plan.commands[self.index].clone();
        Effect::RunPreflight { index: self.index, command }
    }

    pub(super) fn apply(self, event: Event) -> Result<State, IllegalEvent> {
        match event {
            Event::CommandChecked(ran) if ran.index == self.index => Ok(self.ran(ran)),
            Event::Edited(edited) => Ok(State::check_again(self.task, &edited)),
            Event::CommandChecked(_)
            | Event::WorkspaceRead(_)
            | Event::WorkspaceRefused(_)
            | Event::Planned(_)
            | Event::TestsRead(_)
            | Event::Implemented(_)
            | Event::FileChecked(_)
            | Event::Mended(_)
            | Event::LandingConflicted(_)
            | Event::OldTestsTried(_)
            | Event::BrokenTried(_)
            | Event::Confirmed(_)
            | Event::Verified(_)
            | Event::FailureMatched(_)
            | Event::FixApplied(_)
            | Event::Judged(_)
            | Event::Sealed(_) => {
                Err(event.illegal(StateName::Preflight, "running a preflight command"))
            }
        }
    }

    fn ran(self, ran: CommandChecked) -> State {
        let mut task = self.task;
        let passed = ran.passed;
        task.take_delta(&ran.delta);
        task.findings.extend(&ran.findings);
        task.log.met(ran.warnings);
        task.log.found_scratch(&ran.scratch);
        task.log.found_written(&ran.written);
        let attempts = task.count_attempt(Subject::Command(self.index), !passed);
        task.log.checked(CheckEntry {
            subject: task.plan.commands[self.index].clone(),
            checker: "command".into(),
            status: if passed { CheckStatus::Valid } else { CheckStatus::Invalid },
            attempts,
            check: None,
            error: ran.error,
        });
        if passed { Self::go_on(task, self.index + 1) } else { mend(task) }
    }
}

/// Asks for a fix, unless one subject failed too often or the implementer cannot fix anything.
fn mend(mut task: Task) -> State {
    if !task.options.can_mend {
        return unmended(task, Unmended::CannotMend);
    }
    if task.attempts.values().any(|attempts| *attempts >= ATTEMPTS) {
        return unmended(task, Unmended::AttemptsSpent(ATTEMPTS));
    }
    task.log.mends += 1;
    State::Mend(Mending { task })
}

/// Waiting for the implementer's fix.
#[derive(Clone, Debug, PartialEq)]
pub struct Mending {
    pub(super) task: Task,
}

impl Mending {
    pub(super) fn effect(&self) -> Effect {
        Effect::Mend(self.task.request(Phase::FixSyntax, self.task.log.mends, None))
    }

    pub(super) fn apply(self, event: Event) -> Result<State, IllegalEvent> {
        match event {
            Event::Mended(work) => Ok(self.mended(&work)),
            Event::WorkspaceRead(_)
            | Event::WorkspaceRefused(_)
            | Event::Planned(_)
            | Event::TestsRead(_)
            | Event::Implemented(_)
            | Event::FileChecked(_)
            | Event::CommandChecked(_)
            | Event::LandingConflicted(_)
            | Event::OldTestsTried(_)
            | Event::BrokenTried(_)
            | Event::Verified(_)
            | Event::Confirmed(_)
            | Event::FailureMatched(_)
            | Event::FixApplied(_)
            | Event::Judged(_)
            | Event::Edited(_)
            | Event::Sealed(_) => Err(event.illegal(StateName::Preflight, "waiting for a mend")),
        }
    }

    fn mended(self, work: &Work) -> State {
        let mut task = self.task;
        task.absorb(work);
        task.log.tried.push(Tried::Mend);
        if let Some(outside) = Outside::of(work, task.options.strays_block) {
            return task.block(Reason::OutsideDelta(outside));
        }
        if let Some(failure) = &work.failure {
            return unmended(task, Unmended::MendFailed(failure.clone()));
        }
        if !work.changed && work.allowed.is_empty() {
            return unmended(task, Unmended::MendChangedNothing);
        }
        State::check(task)
    }
}

/// Blocks with the first thing that still fails.
fn unmended(task: Task, why: Unmended) -> State {
    let failing = |entry: &&CheckEntry| entry.status == CheckStatus::Invalid;
    let first = task.log.preflight.iter().find(failing).cloned();
    task.block(Reason::PreflightFailing { why, first: first.map(Box::new) })
}
