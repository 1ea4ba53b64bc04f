//! What is known about failures, mostly of the sort that verify is going to show.

use crate::oracle::scenario::{
    Delta, FOREIGN, Failure, Fix, FixCommand, NoFix, Outside, Pattern, Trigger, Trouble, VerifyRun,
};
use crate::oracle::text::Text;

use super::{Drawing, Focus};

impl Drawing {
    pub(super) fn failures(
        &mut self,
        delta: &[Delta],
        now: &[Option<Text>],
        verify: &[VerifyRun],
    ) -> Vec<Failure> {
        let fits = self.odds(Focus::Verify, 88, 60);
        let count = self.weighted(&if self.focus == Focus::Verify {
            [(6, 0), (49, 1), (30, 2), (15, 3)]
        } else {
            [(35, 0), (40, 1), (18, 2), (7, 3)]
        });
        let shown: Vec<Trouble> = verify.iter().flat_map(|run| run.troubles.clone()).collect();
        (0..count)
            .map(|place| {
                let fitting = self.chance(fits);
                let (trigger, pattern) = self.sign(&shown, place, fitting);
                let fix = self.fix(delta, now);
                Failure { trigger, pattern, fix, flaky: self.chance(30) }
            })
            .collect()
    }

    /// What the failure is known by: mostly each by another of the troubles.
    fn sign(
        &mut self,
        shown: &[Trouble],
        place: usize,
        fitting: bool,
    ) -> (Trigger, Option<Pattern>) {
        let foreign = Trigger::Foreign(self.below(FOREIGN.len()));
        if !fitting || shown.is_empty() {
            let trigger = self.pick(&[foreign, foreign, foreign, Trigger::Empty]);
            let quiet = [
                None,
                None,
                Some(Pattern::Misses),
                Some(Pattern::Empty),
                Some(Pattern::DoesNotCompile),
            ];
            return (trigger, self.pick(&quiet));
        }
        let trouble = if self.chance(80) { shown[place % shown.len()] } else { self.pick(shown) };
        match self.below(10) {
            0..4 => (self.pick(&[foreign, Trigger::Empty]), Some(Pattern::Line(trouble))),
            4 => (foreign, Some(Pattern::Preamble)),
            5 => (Trigger::Masked(trouble), Some(Pattern::DoesNotCompile)),
            6 => (Trigger::Masked(trouble), Some(Pattern::Line(trouble))),
            _ => (Trigger::Masked(trouble), None),
        }
    }

    fn fix(&mut self, delta: &[Delta], now: &[Option<Text>]) -> Fix {
        match self.below(100) {
            0..30 => Fix::Prose,
            30..55 => Fix::Command(self.fix_command(now)),
            55..70 => Fix::Patch(self.fix_patch(delta, now)),
            70..92 => Fix::Rerun,
            _ => Fix::None(self.pick(&[
                NoFix::Empty,
                NoFix::Unknown,
                NoFix::Attempted,
                NoFix::SeeBlocked,
                NoFix::EmptyCommand,
                NoFix::EmptyPatch,
            ])),
        }
    }

    fn fix_command(&mut self, now: &[Option<Text>]) -> FixCommand {
        let idle = self.chance(10);
        let kinds = [Outside::Create, Outside::Change, Outside::Delete];
        FixCommand {
            edits: if idle { Vec::new() } else { self.fix_edits(now) },
            outside: self.chance(8).then(|| self.pick(&kinds)),
            exit: if self.chance(8) { 1 } else { 0 },
        }
    }
}
