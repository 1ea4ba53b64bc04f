//! What IMPLEMENT and PREFLIGHT cost and forgive.

use crate::oracle::expected::{BlockKind, Outcome, Phase};
use crate::oracle::scenario::{Check, Implementer, Needs, Outside, Scenario, Tree, Turn};
use crate::oracle::text::Text;

use super::{blocks, broken, check, end, file, plain, writes};

#[test]
fn one_file_costs_three_calls() {
    let path = "READ PLAN IMPLEMENT PREFLIGHT VERIFY QUALITY COMPLETE";
    check(&plain(), Outcome::Complete, 3, path);
}

#[test]
fn the_last_call_spent_on_files_still_lets_preflight_speak() {
    let mut scenario = Scenario { budget: Some(3), ..plain() };
    scenario.delta.push(file("one.txt", None));
    let edits = vec![(0, Some(Text::plain(1))), (1, Some(Text::plain(2)))];
    scenario.implementer = Implementer::Agent(vec![Turn { edits, ..Turn::default() }]);
    let path = "READ PLAN IMPLEMENT PREFLIGHT BLOCK";
    blocks(&scenario, BlockKind::BudgetExhausted, 3, path);
}

#[test]
fn more_files_than_calls_are_charged_all_the_same() {
    let mut scenario = Scenario { budget: Some(3), ..plain() };
    for path in ["one.txt", "two.json"] {
        scenario.delta.push(file(path, None));
    }
    let edits = (0..3).map(|place| (place, Some(Text::plain(1)))).collect();
    scenario.implementer = Implementer::Agent(vec![Turn { edits, ..Turn::default() }]);
    blocks(&scenario, BlockKind::BudgetExhausted, 4, "READ PLAN IMPLEMENT BLOCK");
}

#[test]
fn a_stray_outweighs_idleness_and_a_needed_file_outweighs_it_too() {
    for turn in [
        Turn { outside: Some(Outside::Change), ..Turn::default() },
        Turn { needs: Some(Needs::OutsideDelta), ..Turn::default() },
    ] {
        let scenario = Scenario { implementer: Implementer::Agent(vec![turn]), ..plain() };
        blocks(&scenario, BlockKind::DeltaInsufficient, 1, "READ PLAN IMPLEMENT BLOCK");
    }
    let idle = Scenario { implementer: Implementer::Agent(Vec::new()), ..plain() };
    blocks(&idle, BlockKind::ImplementFailed, 1, "READ PLAN IMPLEMENT BLOCK");
}

#[test]
fn a_file_is_mended_twice_and_no_more_at_no_charge() {
    let agent = |turns| Scenario { implementer: Implementer::Agent(turns), ..plain() };
    let path = "READ PLAN IMPLEMENT PREFLIGHT PREFLIGHT PREFLIGHT VERIFY QUALITY COMPLETE";
    let mended = agent(vec![broken(1), broken(2), writes(3)]);
    check(&mended, Outcome::Complete, 3, path);
    let phases = [Phase::Implement, Phase::FixSyntax, Phase::FixSyntax];
    assert_eq!(end(&mended).phases, phases);
    let given_up = agent(vec![broken(1), broken(2), broken(3), writes(4)]);
    let path = "READ PLAN IMPLEMENT PREFLIGHT PREFLIGHT PREFLIGHT BLOCK";
    blocks(&given_up, BlockKind::PreflightExhausted, 2, path);
    let idle = agent(vec![broken(1)]);
    blocks(&idle, BlockKind::PreflightExhausted, 2, "READ PLAN IMPLEMENT PREFLIGHT BLOCK");
}

#[test]
fn a_tree_cannot_be_mended() {
    let start = Some(Text { broken: true, ..Text::plain(1) });
    let scenario = Scenario {
        delta: vec![file("four.py", start)],
        implementer: Implementer::Tree(Tree::default()),
        ..plain()
    };
    blocks(&scenario, BlockKind::PreflightExhausted, 2, "READ PLAN IMPLEMENT PREFLIGHT BLOCK");
    let failing = Check { failing_runs: Some(1), overwrites: None };
    let scenario = Scenario {
        delta: vec![file("four.py", Some(Text::plain(1)))],
        checks: vec![failing],
        ..scenario
    };
    blocks(&scenario, BlockKind::PreflightExhausted, 2, "READ PLAN IMPLEMENT PREFLIGHT BLOCK");
}
