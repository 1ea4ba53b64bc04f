//! QUALITY: what passed its verify must also be what was checked, follow the idioms and keep its
//! exports.
//!
//! Of several reasons to block, the first in this order is given. Changed files come first, since every
//! other verdict is about bytes that may not be those that were checked and verified. Idioms come before
//! exports, and doubts about the verify last: they say least about the code. All verdicts go to the
//! record, whichever of them blocks.

use std::collections::BTreeSet;

use ftl_model::{
    DeltaPath, ExportStatus, ExportVerdict, Finding, IdiomSeverity, IdiomStatus, IdiomVerdict,
};

use crate::event::Judged;
use crate::log::Warning;
use crate::task::Task;
use crate::{Event, IllegalEvent, Outcome, Reason, State, StateName, Undecided};

/// Waiting for the judgement.
#[derive(Clone, Debug, PartialEq)]
pub struct Judging {
    pub(super) task: Task,
}

impl State {
    pub(super) fn judge(mut task: Task) -> Self {
        task.enter(StateName::Quality);
        Self::Judge(Judging { task })
    }
}

impl Judging {
    pub(super) fn apply(self, event: Event) -> Result<State, IllegalEvent> {
        match event {
            Event::Judged(judged) => Ok(self.judged(*judged)),
            Event::Edited(edited) => Ok(State::verify_again(self.task, &edited)),
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
            | Event::FixApplied(_)
            | Event::Sealed(_) => Err(event.illegal(StateName::Quality, "judging")),
        }
    }

    fn judged(self, judged: Judged) -> State {
        let mut task = self.task;
        let unjudged = task.clone();
        let changed = changed_since_checked(&task, &judged);
        let violated = violated(&task, &judged.idioms);
        let mild = mild(&judged.idioms);
        let lost = lost(&judged.exports);
        let untrusted = untrusted(&task);
        task.take_delta(&judged.delta);
        task.log.met(judged.warnings);
        warn_of_doubts(&mut task);
        task.log.idioms = judged.idioms;
        task.log.detected = judged.detected;
        task.log.exports = judged.exports;
        task.log.lines = judged.lines;
        for idiom in mild {
            task.log.warn(Warning::IdiomViolated(idiom));
        }
        // Another task's work may be at fault: the verify that blocks is the task's own.
        let again = unjudged.is_shared.then(|| Box::new(unjudged.clone()));
        let block = |task: Task, reason| task.block_of(reason, again);
        if !changed.is_empty() {
            return block(task, Reason::TreeChanged(changed));
        }
        if !violated.is_empty() {
            if task.plan.enforced {
                return block(task, Reason::IdiomsViolated(violated));
            }
            for idiom in violated {
                task.log.warn(Warning::IdiomViolated(idiom));
            }
        }
        if !lost.is_empty() {
            return block(task, Reason::ExportsLost(lost));
        }
        if !untrusted.is_empty() {
            return block(task, Reason::VerifyUntrusted(untrusted));
        }
        task.enter(StateName::Complete);
        State::seal(task.verdict(Outcome::Complete), Some(Box::new(unjudged)))
    }
}

/// Delta files whose bytes are not those that PREFLIGHT or RETRY saw last: a verify command formatted
/// them, say, or the user edited them while verify ran. Deleted files have no digest, and compare as such.
fn changed_since_checked(task: &Task, judged: &Judged) -> Vec<DeltaPath> {
    let seen = |path| task.checked.get(path).copied().flatten();
    let now = |path| judged.delta.bytes.get(path).copied().flatten();
    task.plan.paths().filter(|path| seen(path) != now(path)).cloned().collect()
}

/// Idioms that are violated, and undecided ones where policy counts them as violated.
fn violated(task: &Task, idioms: &[IdiomVerdict]) -> Vec<IdiomVerdict> {
    let undecided_counts = task.options.undecided == Undecided::Block;
    let broken = |idiom: &&IdiomVerdict| match idiom.verdict {
        IdiomStatus::Violated => idiom.severity != Some(IdiomSeverity::Warning),
        IdiomStatus::Undecidable => undecided_counts,
        IdiomStatus::Satisfied | IdiomStatus::NotApplicable => false,
    };
    idioms.iter().filter(broken).cloned().collect()
}

/// Idioms that are violated, and whose rules say that this is a warning.
fn mild(idioms: &[IdiomVerdict]) -> Vec<IdiomVerdict> {
    let is_mild = |idiom: &&IdiomVerdict| {
        let is_violated = idiom.verdict == IdiomStatus::Violated;
        is_violated && idiom.severity == Some(IdiomSeverity::Warning)
    };
    idioms.iter().filter(is_mild).cloned().collect()
}

fn lost(exports: &[ExportVerdict]) -> Vec<ExportVerdict> {
    let gone = exports.iter().filter(|export| export.verdict == ExportStatus::Lost);
    gone.cloned().collect()
}

fn untrusted(task: &Task) -> Vec<Finding> {
    let found = &task.findings | &task.doubts;
    (&(&found & &task.options.untrusted) - &task.plan.accepted).into_iter().collect()
}

fn warn_of_doubts(task: &mut Task) {
    let found = &task.findings | &task.doubts;
    let blocking = &task.options.untrusted - &task.plan.accepted;
    // That an implementer wrote into dependencies, its own warning says.
    let known = BTreeSet::from([Finding::DependenciesChanged]);
    for finding in &(&found - &blocking) - &known {
        task.log.warn(Warning::Doubtful(finding));
    }
}
