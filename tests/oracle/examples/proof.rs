//! What is done when verify fails.

use crate::oracle::expected::{BlockKind, Outcome};
use crate::oracle::scenario::{
    Fix, FixCommand, Hunk, Implementer, Patch, Pattern, Scenario, Trouble,
};
use crate::oracle::text::Text;

use super::{blocks, check, end, fails, known, plain, retried};

#[test]
fn a_retry_needs_three_calls_before_verify() {
    let short = retried(&[Trouble::Assertion], 4);
    let path = "READ PLAN IMPLEMENT PREFLIGHT VERIFY BLOCK";
    blocks(&short, BlockKind::BudgetExhausted, 3, path);
    let enough = retried(&[Trouble::Assertion], 5);
    let path = "READ PLAN IMPLEMENT PREFLIGHT VERIFY RETRY VERIFY QUALITY COMPLETE";
    check(&enough, Outcome::Complete, 5, path);
}

#[test]
fn an_unknown_error_costs_nothing_more() {
    let scenario = Scenario { verify: vec![fails(&[Trouble::Assertion])], ..plain() };
    let path = "READ PLAN IMPLEMENT PREFLIGHT VERIFY RETRY BLOCK";
    blocks(&scenario, BlockKind::DiscoveryNeeded, 3, path);
}

#[test]
fn two_retries_are_for_errors_that_may_pass() {
    let path = "READ PLAN IMPLEMENT PREFLIGHT VERIFY RETRY VERIFY";
    let certain = retried(&[Trouble::Assertion, Trouble::Assertion], 9);
    blocks(&certain, BlockKind::RetryLimit, 5, &format!("{path} BLOCK"));
    let transient = retried(&[Trouble::Refused, Trouble::Unavailable], 9);
    check(&transient, Outcome::Complete, 7, &format!("{path} RETRY VERIFY QUALITY COMPLETE"));
    let turned = retried(&[Trouble::Refused, Trouble::Assertion], 9);
    blocks(&turned, BlockKind::RetryLimit, 5, &format!("{path} BLOCK"));
}

#[test]
fn a_flaky_failure_is_retried_twice_unless_it_is_an_import() {
    let flaky = |trouble| {
        let mut scenario = retried(&[trouble, trouble], 9);
        for failure in &mut scenario.failures {
            failure.flaky = true;
        }
        end(&scenario).outcome
    };
    assert_eq!(flaky(Trouble::Assertion), Outcome::Complete);
    assert_eq!(flaky(Trouble::Import), Outcome::Blocked(BlockKind::RetryLimit));
    assert_eq!(flaky(Trouble::Syntax), Outcome::Blocked(BlockKind::RetryLimit));
}

#[test]
fn a_fix_must_change_something_and_leave_it_parseable() {
    let with = |edits| {
        let command = FixCommand { edits, outside: None, exit: 0 };
        let failure = known(Pattern::Line(Trouble::Assertion), Fix::Command(command));
        Scenario { failures: vec![failure], ..retried(&[Trouble::Assertion], 5) }
    };
    let path = "READ PLAN IMPLEMENT PREFLIGHT VERIFY RETRY BLOCK";
    blocks(&with(Vec::new()), BlockKind::FixFailed, 4, path);
    let unparsed = Text { broken: true, ..Text::plain(9) };
    blocks(&with(vec![(0, Some(unparsed))]), BlockKind::FixFailed, 4, path);
    let sound = with(vec![(0, Some(Text::plain(9)))]);
    assert_eq!(end(&sound).outcome, Outcome::Complete);
}

#[test]
fn the_next_patch_is_the_prose_fix() {
    let hunk = |from, serial| Patch {
        hunks: vec![Hunk { file: 0, from, to: Some(Text::plain(serial)) }],
        prefixes: true,
        strays: false,
    };
    let patches = vec![hunk(None, 1), hunk(Some(Text::plain(1)), 2)];
    let failure = known(Pattern::Line(Trouble::Assertion), Fix::Prose);
    let scenario = Scenario {
        failures: vec![failure],
        implementer: Implementer::Patches(patches.clone()),
        ..retried(&[Trouble::Assertion], 5)
    };
    assert_eq!(end(&scenario).outcome, Outcome::Complete);
    let implementer = Implementer::Patches(patches[..1].to_vec());
    let scenario = Scenario { implementer, ..scenario };
    assert_eq!(end(&scenario).outcome, Outcome::Blocked(BlockKind::FixFailed));
}
