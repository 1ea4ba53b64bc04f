//! IMPLEMENT and PREFLIGHT: what the implementer does to the delta, and whether it parses.

use crate::oracle::expected::{BlockKind, Phase, SCRATCH, State};
use crate::oracle::scenario::{Ending, Implementer};

use super::{Predicted, Run, Stop};

impl Run<'_> {
    pub(super) fn implement(&mut self) -> Predicted<()> {
        if self.scenario.baseline {
            let run = self.world.run_verify();
            let effects = !run.edits.is_empty() || run.litters;
            if effects || run.ending == Ending::Hang {
                return Err(Stop::Unclear("a baseline run with effects"));
            }
            self.passed_before = run.ending == Ending::Pass || self.scenario.mask.is_some();
        }
        self.enter(State::Implement);
        let remained = self.remaining();
        let work = self.world.request(Phase::Implement)?;
        self.world.note_touched();
        let touched = self.world.touched_count();
        // Charged whatever else happened.
        self.charge(touched);
        if work.failed {
            return Err(Stop::Block(BlockKind::ImplementFailed));
        }
        if work.strayed || work.needs_more {
            return Err(Stop::Block(BlockKind::DeltaInsufficient));
        }
        if touched == 0 && !work.no_change {
            return Err(Stop::Block(BlockKind::ImplementFailed));
        }
        if i64::try_from(touched).expect("because a delta is small") > remained {
            return Err(Stop::Block(BlockKind::BudgetExhausted));
        }
        self.announce_work();
        Ok(())
    }

    fn announce_work(&mut self) {
        let names: Vec<_> = self.world.utilized.iter().cloned().collect();
        let names = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        let total = self.total.unwrap_or_default();
        self.announced.push(format!("Budget: {}/{total}, Utilized: {names}", self.used));
    }

    pub(super) fn preflight(&mut self) -> Predicted<()> {
        loop {
            self.enter(State::Preflight);
            if self.files_parse() && self.checks_pass() {
                return Ok(());
            }
            let attempts = self.file_attempts.iter().chain(&self.check_attempts);
            // Three failures of one file or command; and a tree has no agent that could repair it.
            if attempts.max() >= Some(&3)
                || matches!(self.scenario.implementer, Implementer::Tree(_))
            {
                return Err(Stop::Block(BlockKind::PreflightExhausted));
            }
            self.mend()?;
        }
    }

    fn files_parse(&mut self) -> bool {
        self.world.note_checked();
        let broken = self.world.broken_files();
        for file in self.world.judged_files() {
            let verdict = if broken.contains(&file) { "fail" } else { "pass" };
            let path = self.scenario.delta[file].path;
            self.announced.push(format!("Preflight: {verdict} for {path}"));
        }
        for file in &broken {
            self.file_attempts[*file] += 1;
        }
        broken.is_empty()
    }

    fn checks_pass(&mut self) -> bool {
        for check in 0..self.scenario.checks.len() {
            let passed = self.world.run_check(check);
            self.world.note_touched();
            let verdict = if passed { "pass" } else { "fail" };
            let command = format!("sh '{SCRATCH}/check{check}.sh'");
            self.announced.push(format!("Preflight: {verdict} for {command}"));
            if !passed {
                self.check_attempts[check] += 1;
                return false;
            }
        }
        true
    }

    fn mend(&mut self) -> Predicted<()> {
        let before = self.world.now.clone();
        let work = self.world.request(Phase::FixSyntax)?;
        self.world.note_touched();
        if work.needs_more && work.failed && !work.strayed {
            return Err(Stop::Unclear("whether a failed agent's reply is read"));
        }
        if work.strayed || work.needs_more {
            return Err(Stop::Block(BlockKind::DeltaInsufficient));
        }
        if work.failed || self.world.now == before {
            return Err(Stop::Block(BlockKind::PreflightExhausted));
        }
        Ok(())
    }
}
