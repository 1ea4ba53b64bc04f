//! VERIFY and RETRY: whether it works, and what is done when it does not.

use crate::oracle::expected::{BlockKind, Phase, State};
use crate::oracle::scenario::{Ending, Fix, Trouble, VerifyRun, failure_name};

use super::world::Work;
use super::{Predicted, Run, Stop, knowledge};

impl Run<'_> {
    /// Whether it passed; a failure that may not be retried ends the run.
    pub(super) fn verify(&mut self) -> Predicted<bool> {
        if self.remaining() < 1 {
            return Err(Stop::Block(BlockKind::BudgetExhausted));
        }
        self.enter(State::Verify);
        self.charge(1);
        self.old_test_fails = false;
        if self.world.has_changed_test() {
            let run = self.world.run_verify();
            if !run.edits.is_empty() {
                return Err(Stop::Unclear("how a run before VERIFY meets what it wrote"));
            }
            self.old_test_fails = !self.passes(run);
        }
        let run = self.world.run_verify();
        self.world.note_touched();
        let passed = self.passes(run);
        // The first error line is what a person would quote; of a run out of time it is ftl's own.
        let quoted = run.troubles.first().filter(|_| !passed && run.ending != Ending::Hang);
        self.report.error = quoted.map(|trouble| trouble.line());
        Ok(passed)
    }

    /// A masked exit code passes also where the run fails, but for the time limit.
    fn passes(&self, run: &VerifyRun) -> bool {
        run.ending == Ending::Pass || (self.scenario.mask.is_some() && run.ending != Ending::Hang)
    }

    pub(super) fn retry(&mut self) -> Predicted<()> {
        // RETRY and another VERIFY must fit.
        if self.remaining() < 2 {
            return Err(Stop::Block(BlockKind::BudgetExhausted));
        }
        let run = self.world.last_verify();
        let matched = knowledge::matched(&self.scenario.failures, run)?;
        let max = self.allowed_retries(matched);
        if self.retries >= max {
            return Err(Stop::Block(BlockKind::RetryLimit));
        }
        self.enter(State::Retry);
        let Some(place) = matched else {
            return Err(Stop::Block(BlockKind::DiscoveryNeeded));
        };
        self.charge(1);
        self.retries += 1;
        self.announced.push(format!("Retry: attempt {}/{max}", self.retries));
        // A failure that is applied was of use, with or without a report of it.
        self.world.utilized.insert(failure_name(place));
        self.apply(&self.scenario.failures[place].fix)
    }

    /// One, or two where the error may pass by itself.
    fn allowed_retries(&mut self, matched: Option<usize>) -> usize {
        let run = self.world.last_verify();
        let mut transient = run.troubles.iter().all(|trouble| trouble.is_transient());
        if run.ending == Ending::Hang {
            transient &= !self.own_time_limit_counted;
            self.own_time_limit_counted = true;
        } else {
            transient &= !run.troubles.is_empty();
        }
        let flaky = matched.is_some_and(|place| self.scenario.failures[place].flaky);
        let fixed_cause = |trouble: &Trouble| matches!(trouble, Trouble::Syntax | Trouble::Import);
        if transient || (flaky && !run.troubles.iter().any(fixed_cause)) { 2 } else { 1 }
    }

    fn apply(&mut self, fix: &Fix) -> Predicted<()> {
        let before = self.world.now.clone();
        self.world.begin_fix()?;
        let work = match fix {
            Fix::Prose => self.world.request(Phase::ApplyFix)?,
            Fix::Command(command) => self.world.run_fix(command),
            Fix::Patch(patch) => self.world.apply_patch(patch)?,
            Fix::Rerun => Work { no_change: true, ..Work::default() },
            Fix::None(_) => unreachable!("a failure without a fix never matches"),
        };
        self.world.note_changed_test();
        self.world.note_touched();
        self.world.note_checked();
        let idle = self.world.now == before && !work.no_change;
        let unparsed = !self.world.broken_files().is_empty();
        if work.strayed || work.needs_more || work.failed || idle || unparsed {
            return Err(Stop::Block(BlockKind::FixFailed));
        }
        Ok(())
    }
}
