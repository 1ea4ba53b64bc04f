//! How runs end in READ and PLAN.

use crate::oracle::expected::{BlockKind, Outcome, State};
use crate::oracle::scenario::{
    Document, Implementer, Malformed, ReadTests, Scenario, TestFile, Tree,
};

use super::{blocks, end, plain};

#[test]
fn a_budget_of_two_ends_in_plan_and_of_none_in_read() {
    let with = |budget| Scenario { budget: Some(budget), ..plain() };
    blocks(&with(0), BlockKind::BudgetExhausted, 0, "READ BLOCK");
    blocks(&with(1), BlockKind::BudgetExhausted, 1, "READ PLAN BLOCK");
    blocks(&with(2), BlockKind::BudgetExhausted, 1, "READ PLAN BLOCK");
    assert_eq!(end(&with(3)).outcome, Outcome::Complete);
}

#[test]
fn an_unreadable_document_has_used_one_of_an_unknown_budget() {
    let document = Document::Malformed(Malformed::Doctype);
    let scenario = Scenario { document, budget: Some(0), ..plain() };
    blocks(&scenario, BlockKind::SpecInvalid, 1, "READ BLOCK");
    assert_eq!(end(&scenario).total, None);
}

#[test]
fn the_test_is_read_only_when_the_rest_can_still_be_afforded() {
    let with = |budget, read_tests| Scenario {
        budget: Some(budget),
        verify_source: Some(TestFile::Readable),
        read_tests,
        ..plain()
    };
    let reads = |scenario: &Scenario| end(scenario).states.contains(&State::ReadTests);
    assert!(!reads(&with(3, None)));
    assert!(reads(&with(4, None)));
    assert!(!reads(&with(4, Some(ReadTests::Never))));
    let always = with(3, Some(ReadTests::Always));
    let path = "READ PLAN READ_TESTS IMPLEMENT PREFLIGHT BLOCK";
    blocks(&always, BlockKind::BudgetExhausted, 3, path);
}

#[test]
fn a_tree_without_any_delta_file_is_a_usage_error() {
    let scenario = Scenario { implementer: Implementer::Tree(Tree::default()), ..plain() };
    assert_eq!(end(&scenario).outcome, Outcome::Failed);
}
