//! Ends that the rules spell out, as a check of the second opinion itself.

mod early;
mod judgement;
mod proof;
mod work;

use crate::oracle::expected::{BlockKind, Expected, Outcome};
use crate::oracle::predict::predict;
use crate::oracle::scenario::{
    AgentNamed, Confidence, Delta, Document, Ending, Failure, FileName, Fix, Implementer, Pattern,
    Scenario, Trigger, Trouble, Turn, VerifyCommand, VerifyRun,
};
use crate::oracle::text::Text;

/// A task that completes with 3 calls: one new Python file, written at once, verified at once.
fn plain() -> Scenario {
    Scenario {
        file_name: FileName::Active,
        document: Document::Sound,
        budget: Some(5),
        delta: vec![file("four.py", None)],
        padded: false,
        bad_path: None,
        verify_command: VerifyCommand::Script,
        verify_source: None,
        read_tests: None,
        framework: None,
        idioms: Vec::new(),
        undecided_blocks: false,
        drops_strays: false,
        agent_named: AgentNamed::ByFlag,
        confidence: Confidence::default(),
        contexts: Vec::new(),
        allow_removed: None,
        checks: Vec::new(),
        failures: Vec::new(),
        implementer: Implementer::Agent(vec![writes(1)]),
        verify: vec![passes()],
        baseline: false,
        mask: None,
        untrusted: None,
        git: false,
        dry_run: false,
        built_again: false,
    }
}

fn file(path: &'static str, start: Option<Text>) -> Delta {
    Delta { path, committed: None, start, ignored: false }
}

/// An agent's turn that writes a sound text into the first delta file.
fn writes(serial: u32) -> Turn {
    Turn { edits: vec![(0, Some(Text::plain(serial)))], ..Turn::default() }
}

fn broken(serial: u32) -> Turn {
    let text = Text { broken: true, ..Text::plain(serial) };
    Turn { edits: vec![(0, Some(text))], ..Turn::default() }
}

fn passes() -> VerifyRun {
    VerifyRun { ending: Ending::Pass, ..fails(&[]) }
}

fn fails(troubles: &[Trouble]) -> VerifyRun {
    VerifyRun {
        ending: Ending::Fail,
        troubles: troubles.to_vec(),
        to_stderr: false,
        edits: Vec::new(),
        litters: false,
    }
}

fn known(pattern: Pattern, fix: Fix) -> Failure {
    Failure { trigger: Trigger::Foreign(0), pattern: Some(pattern), fix, flaky: false }
}

/// A task whose verify fails thus, run by run, and then passes, with reruns for all of it.
fn retried(runs: &[Trouble], budget: i64) -> Scenario {
    let mut verify: Vec<_> = runs.iter().map(|trouble| fails(&[*trouble])).collect();
    verify.push(passes());
    let failures = runs.iter().map(|it| known(Pattern::Line(*it), Fix::Rerun)).collect();
    Scenario { budget: Some(budget), verify, failures, ..plain() }
}

fn end(scenario: &Scenario) -> Expected {
    predict(scenario).unwrap_or_else(|unclear| panic!("{}: {scenario:#?}", unclear.0))
}

fn states(end: &Expected) -> String {
    end.states.iter().map(|state| state.name()).collect::<Vec<_>>().join(" ")
}

#[track_caller]
fn check(scenario: &Scenario, outcome: Outcome, used: i64, path: &str) {
    let end = end(scenario);
    assert_eq!((end.outcome, end.used, states(&end).as_str()), (outcome, used, path));
}

#[track_caller]
fn blocks(scenario: &Scenario, kind: BlockKind, used: i64, path: &str) {
    check(scenario, Outcome::Blocked(kind), used, path);
}
