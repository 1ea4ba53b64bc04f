//! What is known about failures, mostly of the sort that verify is going to show.

use crate::oracle::random::Random;
use crate::oracle::scenario::{
    Delta, FOREIGN, Failure, Fix, FixCommand, NoFix, Outside, Pattern, Trigger, Trouble, VerifyRun,
};
use crate::oracle::text::Text;

use super::texts::Texts;
use super::{Focus, actors};

pub(super) fn failures(
    random: &mut Random,
    texts: &mut Texts,
    focus: Focus,
    delta: &[Delta],
    now: &[Option<Text>],
    verify: &[VerifyRun],
) -> Vec<Failure> {
    let fits = focus.odds(Focus::Verify, 88, 60);
    let count = random.weighted(&if focus == Focus::Verify {
        [(6, 0), (49, 1), (30, 2), (15, 3)]
    } else {
        [(35, 0), (40, 1), (18, 2), (7, 3)]
    });
    let shown: Vec<Trouble> = verify.iter().flat_map(|run| run.troubles.clone()).collect();
    (0..count)
        .map(|place| {
            let fitting = random.chance(fits);
            let (trigger, pattern) = sign(random, &shown, place, fitting);
            let fix = fix(random, texts, delta, now);
            Failure { trigger, pattern, fix, flaky: random.chance(30) }
        })
        .collect()
}

/// What the failure is known by: mostly each by another of the troubles.
fn sign(
    random: &mut Random,
    shown: &[Trouble],
    place: usize,
    fitting: bool,
) -> (Trigger, Option<Pattern>) {
    let foreign = Trigger::Foreign(random.below(FOREIGN.len()));
    if !fitting || shown.is_empty() {
        let trigger = random.pick(&[foreign, foreign, foreign, Trigger::Empty]);
        let quiet = [
            None,
            None,
            Some(Pattern::Misses),
            Some(Pattern::Empty),
            Some(Pattern::DoesNotCompile),
        ];
        return (trigger, random.pick(&quiet));
    }
    let trouble = if random.chance(80) { shown[place % shown.len()] } else { random.pick(shown) };
    match random.below(10) {
        0..4 => (random.pick(&[foreign, Trigger::Empty]), Some(Pattern::Line(trouble))),
        4 => (foreign, Some(Pattern::Preamble)),
        5 => (Trigger::Masked(trouble), Some(Pattern::DoesNotCompile)),
        6 => (Trigger::Masked(trouble), Some(Pattern::Line(trouble))),
        _ => (Trigger::Masked(trouble), None),
    }
}

fn fix(random: &mut Random, texts: &mut Texts, delta: &[Delta], now: &[Option<Text>]) -> Fix {
    match random.below(100) {
        0..30 => Fix::Prose,
        30..55 => Fix::Command(fix_command(random, texts, now)),
        55..70 => Fix::Patch(actors::fix_patch(random, texts, delta, now)),
        70..92 => Fix::Rerun,
        _ => Fix::None(random.pick(&[
            NoFix::Empty,
            NoFix::Unknown,
            NoFix::Attempted,
            NoFix::SeeBlocked,
            NoFix::EmptyCommand,
            NoFix::EmptyPatch,
        ])),
    }
}

fn fix_command(random: &mut Random, texts: &mut Texts, now: &[Option<Text>]) -> FixCommand {
    let idle = random.chance(10);
    let kinds = [Outside::Create, Outside::Change, Outside::Delete];
    FixCommand {
        edits: if idle { Vec::new() } else { actors::fix_edits(random, texts, now) },
        outside: random.chance(8).then(|| random.pick(&kinds)),
        exit: if random.chance(8) { 1 } else { 0 },
    }
}
