//! Ends that the rules spell out, as a check of the second opinion itself.

use super::expected::{Expected, Kind, Outcome, Phase, State};
use super::predict::predict;
use super::scenario::{
    Check, Confidence, Context, Delta, Document, Failure, FileName, Fix, FixCommand, Hunk, Idiom,
    IdiomRule, Implementer, Malformed, Needs, Outside, Patch, Pattern, ReadTests, Scenario,
    TestFile, Tree, Trigger, Trouble, Turn, VerifyCommand, VerifyRun,
};
use super::text::Text;

/// A task that completes with 3 calls: one new Python file, written at once, verified at once.
fn plain() -> Scenario {
    Scenario {
        file_name: FileName::Active,
        document: Document::Sound,
        budget: Some(5),
        delta: vec![file("four.py", None)],
        bad_path: None,
        verify_command: VerifyCommand::Script,
        verify_source: None,
        read_tests: None,
        idioms: Vec::new(),
        undecided_blocks: false,
        confidence: Confidence::default(),
        contexts: Vec::new(),
        allow_removed: None,
        checks: Vec::new(),
        failures: Vec::new(),
        implementer: Implementer::Agent(vec![writes(1)]),
        verify: vec![passes()],
        baseline: false,
        git: false,
        dry_run: false,
    }
}

fn file(path: &'static str, start: Option<Text>) -> Delta {
    Delta {
        path,
        committed: None,
        start,
        ignored: false,
    }
}

/// An agent's turn that writes a sound text into the first delta file.
fn writes(serial: u32) -> Turn {
    Turn {
        edits: vec![(0, Some(Text::plain(serial)))],
        ..Turn::default()
    }
}

fn broken(serial: u32) -> Turn {
    let text = Text {
        broken: true,
        ..Text::plain(serial)
    };
    Turn {
        edits: vec![(0, Some(text))],
        ..Turn::default()
    }
}

fn passes() -> VerifyRun {
    VerifyRun {
        passes: true,
        ..fails(&[])
    }
}

fn fails(troubles: &[Trouble]) -> VerifyRun {
    VerifyRun {
        passes: false,
        troubles: troubles.to_vec(),
        to_stderr: false,
        hangs: false,
        edits: Vec::new(),
        litters: false,
    }
}

fn known(pattern: Pattern, fix: Fix) -> Failure {
    Failure {
        trigger: Trigger::Foreign(0),
        pattern: Some(pattern),
        fix,
        flaky: false,
    }
}

/// A task whose verify fails thus, run by run, and then passes, with reruns for all of it.
fn retried(runs: &[Trouble], budget: i64) -> Scenario {
    let mut verify: Vec<_> = runs.iter().map(|trouble| fails(&[*trouble])).collect();
    verify.push(passes());
    let failures = runs
        .iter()
        .map(|it| known(Pattern::Line(*it), Fix::Rerun))
        .collect();
    Scenario {
        budget: Some(budget),
        verify,
        failures,
        ..plain()
    }
}

fn end(scenario: &Scenario) -> Expected {
    predict(scenario).unwrap_or_else(|unclear| panic!("{}: {scenario:#?}", unclear.0))
}

fn states(end: &Expected) -> String {
    end.states
        .iter()
        .map(|state| state.name())
        .collect::<Vec<_>>()
        .join(" ")
}

#[track_caller]
fn check(scenario: &Scenario, outcome: Outcome, used: i64, path: &str) {
    let end = end(scenario);
    assert_eq!(
        (end.outcome, end.used, states(&end).as_str()),
        (outcome, used, path)
    );
}

#[track_caller]
fn blocks(scenario: &Scenario, kind: Kind, used: i64, path: &str) {
    check(scenario, Outcome::Blocked(kind), used, path);
}

#[test]
fn one_file_costs_three_calls() {
    let path = "READ PLAN IMPLEMENT PREFLIGHT VERIFY QUALITY COMPLETE";
    check(&plain(), Outcome::Complete, 3, path);
}

#[test]
fn a_budget_of_two_ends_in_plan_and_of_none_in_read() {
    let with = |budget| Scenario {
        budget: Some(budget),
        ..plain()
    };
    blocks(&with(0), Kind::BudgetExhausted, 0, "READ BLOCK");
    blocks(&with(1), Kind::BudgetExhausted, 1, "READ PLAN BLOCK");
    blocks(&with(2), Kind::BudgetExhausted, 1, "READ PLAN BLOCK");
    assert_eq!(end(&with(3)).outcome, Outcome::Complete);
}

#[test]
fn an_unreadable_document_has_used_one_of_an_unknown_budget() {
    let document = Document::Malformed(Malformed::Doctype);
    let scenario = Scenario {
        document,
        budget: Some(0),
        ..plain()
    };
    blocks(&scenario, Kind::SpecInvalid, 1, "READ BLOCK");
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
    blocks(&always, Kind::BudgetExhausted, 3, path);
}

#[test]
fn the_last_call_spent_on_files_still_lets_preflight_speak() {
    let mut scenario = Scenario {
        budget: Some(3),
        ..plain()
    };
    scenario.delta.push(file("one.txt", None));
    let edits = vec![(0, Some(Text::plain(1))), (1, Some(Text::plain(2)))];
    scenario.implementer = Implementer::Agent(vec![Turn {
        edits,
        ..Turn::default()
    }]);
    let path = "READ PLAN IMPLEMENT PREFLIGHT BLOCK";
    blocks(&scenario, Kind::BudgetExhausted, 3, path);
}

#[test]
fn more_files_than_calls_are_charged_all_the_same() {
    let mut scenario = Scenario {
        budget: Some(3),
        ..plain()
    };
    for path in ["one.txt", "two.json"] {
        scenario.delta.push(file(path, None));
    }
    let edits = (0..3).map(|place| (place, Some(Text::plain(1)))).collect();
    scenario.implementer = Implementer::Agent(vec![Turn {
        edits,
        ..Turn::default()
    }]);
    blocks(
        &scenario,
        Kind::BudgetExhausted,
        4,
        "READ PLAN IMPLEMENT BLOCK",
    );
}

#[test]
fn a_stray_outweighs_idleness_and_a_needed_file_outweighs_it_too() {
    for turn in [
        Turn {
            outside: Some(Outside::Change),
            ..Turn::default()
        },
        Turn {
            needs: Some(Needs::OutsideDelta),
            ..Turn::default()
        },
    ] {
        let scenario = Scenario {
            implementer: Implementer::Agent(vec![turn]),
            ..plain()
        };
        blocks(
            &scenario,
            Kind::DeltaInsufficient,
            1,
            "READ PLAN IMPLEMENT BLOCK",
        );
    }
    let idle = Scenario {
        implementer: Implementer::Agent(Vec::new()),
        ..plain()
    };
    blocks(&idle, Kind::ImplementFailed, 1, "READ PLAN IMPLEMENT BLOCK");
}

#[test]
fn a_file_is_mended_twice_and_no_more_at_no_charge() {
    let agent = |turns| Scenario {
        implementer: Implementer::Agent(turns),
        ..plain()
    };
    let path = "READ PLAN IMPLEMENT PREFLIGHT PREFLIGHT PREFLIGHT VERIFY QUALITY COMPLETE";
    let mended = agent(vec![broken(1), broken(2), writes(3)]);
    check(&mended, Outcome::Complete, 3, path);
    let phases = [Phase::Implement, Phase::FixSyntax, Phase::FixSyntax];
    assert_eq!(end(&mended).phases, phases);
    let given_up = agent(vec![broken(1), broken(2), broken(3), writes(4)]);
    let path = "READ PLAN IMPLEMENT PREFLIGHT PREFLIGHT PREFLIGHT BLOCK";
    blocks(&given_up, Kind::PreflightExhausted, 2, path);
    let idle = agent(vec![broken(1)]);
    blocks(
        &idle,
        Kind::PreflightExhausted,
        2,
        "READ PLAN IMPLEMENT PREFLIGHT BLOCK",
    );
}

#[test]
fn a_tree_cannot_be_mended() {
    let start = Some(Text {
        broken: true,
        ..Text::plain(1)
    });
    let scenario = Scenario {
        delta: vec![file("four.py", start)],
        implementer: Implementer::Tree(Tree::default()),
        ..plain()
    };
    blocks(
        &scenario,
        Kind::PreflightExhausted,
        2,
        "READ PLAN IMPLEMENT PREFLIGHT BLOCK",
    );
    let failing = Check {
        failing_runs: Some(1),
        overwrites: None,
    };
    let scenario = Scenario {
        delta: vec![file("four.py", Some(Text::plain(1)))],
        checks: vec![failing],
        ..scenario
    };
    blocks(
        &scenario,
        Kind::PreflightExhausted,
        2,
        "READ PLAN IMPLEMENT PREFLIGHT BLOCK",
    );
}

#[test]
fn a_tree_without_any_delta_file_is_a_usage_error() {
    let scenario = Scenario {
        implementer: Implementer::Tree(Tree::default()),
        ..plain()
    };
    assert_eq!(end(&scenario).outcome, Outcome::Failed);
}

#[test]
fn a_retry_needs_three_calls_before_verify() {
    let short = retried(&[Trouble::Assertion], 4);
    let path = "READ PLAN IMPLEMENT PREFLIGHT VERIFY BLOCK";
    blocks(&short, Kind::BudgetExhausted, 3, path);
    let enough = retried(&[Trouble::Assertion], 5);
    let path = "READ PLAN IMPLEMENT PREFLIGHT VERIFY RETRY VERIFY QUALITY COMPLETE";
    check(&enough, Outcome::Complete, 5, path);
}

#[test]
fn an_unknown_error_costs_nothing_more() {
    let scenario = Scenario {
        verify: vec![fails(&[Trouble::Assertion])],
        ..plain()
    };
    let path = "READ PLAN IMPLEMENT PREFLIGHT VERIFY RETRY BLOCK";
    blocks(&scenario, Kind::DiscoveryNeeded, 3, path);
}

#[test]
fn only_errors_that_may_pass_are_retried_twice() {
    let path = "READ PLAN IMPLEMENT PREFLIGHT VERIFY RETRY VERIFY";
    let certain = retried(&[Trouble::Assertion, Trouble::Assertion], 9);
    blocks(&certain, Kind::RetryLimit, 5, &format!("{path} BLOCK"));
    let transient = retried(&[Trouble::Refused, Trouble::Unavailable], 9);
    check(
        &transient,
        Outcome::Complete,
        7,
        &format!("{path} RETRY VERIFY QUALITY COMPLETE"),
    );
    let turned = retried(&[Trouble::Refused, Trouble::Assertion], 9);
    blocks(&turned, Kind::RetryLimit, 5, &format!("{path} BLOCK"));
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
    assert_eq!(flaky(Trouble::Import), Outcome::Blocked(Kind::RetryLimit));
    assert_eq!(flaky(Trouble::Syntax), Outcome::Blocked(Kind::RetryLimit));
}

#[test]
fn a_fix_must_change_something_and_leave_it_parseable() {
    let with = |edits| {
        let command = FixCommand {
            edits,
            outside: None,
            exit: 0,
        };
        let failure = known(Pattern::Line(Trouble::Assertion), Fix::Command(command));
        Scenario {
            failures: vec![failure],
            ..retried(&[Trouble::Assertion], 5)
        }
    };
    let path = "READ PLAN IMPLEMENT PREFLIGHT VERIFY RETRY BLOCK";
    blocks(&with(Vec::new()), Kind::FixFailed, 4, path);
    let unparsed = Text {
        broken: true,
        ..Text::plain(9)
    };
    blocks(&with(vec![(0, Some(unparsed))]), Kind::FixFailed, 4, path);
    let sound = with(vec![(0, Some(Text::plain(9)))]);
    assert_eq!(end(&sound).outcome, Outcome::Complete);
}

#[test]
fn the_next_patch_is_the_prose_fix() {
    let hunk = |from, serial| Patch {
        hunks: vec![Hunk {
            file: 0,
            from,
            to: Some(Text::plain(serial)),
        }],
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
    let scenario = Scenario {
        implementer,
        ..scenario
    };
    assert_eq!(end(&scenario).outcome, Outcome::Blocked(Kind::FixFailed));
}

#[test]
fn what_verify_changes_was_never_checked() {
    let run = VerifyRun {
        edits: vec![(0, Some(Text::plain(9)))],
        ..passes()
    };
    let scenario = Scenario {
        verify: vec![run],
        ..plain()
    };
    let path = "READ PLAN IMPLEMENT PREFLIGHT VERIFY QUALITY BLOCK";
    blocks(&scenario, Kind::TreeChanged, 3, path);
}

#[test]
fn confidence_spares_idioms_below_six_tenths_but_never_exports() {
    let quality = |element| {
        let rule = IdiomRule::Mark("mark_alpha");
        let confidence = Confidence {
            attribute: None,
            element,
        };
        Scenario {
            idioms: vec![Idiom {
                required: true,
                rule,
            }],
            confidence,
            ..plain()
        }
    };
    let outcome = |element| end(&quality(element)).outcome;
    let violation = Outcome::Blocked(Kind::IdiomViolation);
    assert_eq!(outcome(None), violation);
    assert_eq!(outcome(Some("0.6")), violation);
    assert_eq!(outcome(Some("7")), violation);
    assert_eq!(outcome(Some("0.59")), Outcome::Complete);
    let mut start = Text::plain(8);
    start.names.insert("load");
    let scenario = Scenario {
        delta: vec![file("four.py", Some(start))],
        contexts: vec![Context {
            file: Some(0),
            exports: vec!["load", "store"],
        }],
        ..quality(Some("0.3"))
    };
    assert_eq!(end(&scenario).outcome, Outcome::Blocked(Kind::ExportsLost));
    let allowed = Scenario {
        allow_removed: Some("load"),
        ..scenario
    };
    assert_eq!(end(&allowed).outcome, Outcome::Complete);
}
