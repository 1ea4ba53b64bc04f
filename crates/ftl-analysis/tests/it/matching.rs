//! Known failures looked for in the outputs of `cases/errors`: what matched, why, and what came near.

use ftl_analysis::diagnosis::error_lines;
use ftl_analysis::matching::{MatchResult, check_patterns, match_failure};
use ftl_model::Failure;
use serde::Deserialize;

use crate::cases::{check_folder, read_case};

/// What is known, and an output of `cases/errors` to look for it in.
#[derive(Deserialize)]
struct Case {
    output: String,
    failures: Vec<Known>,
}

#[derive(Deserialize)]
struct Known {
    name: Option<String>,
    trigger: String,
    fix: String,
    kind: Option<String>,
    #[serde(rename = "match")]
    pattern: Option<String>,
}

impl From<Known> for Failure {
    fn from(known: Known) -> Self {
        Self {
            name: known.name,
            trigger: known.trigger,
            fix: known.fix,
            fix_kind: known.kind,
            pattern: known.pattern,
            ..Self::default()
        }
    }
}

#[test]
fn an_error_matches_by_pattern_by_text_and_by_similarity() {
    check_folder("matching", "json", "found", |text| {
        let case: Case = serde_json::from_str(text).unwrap();
        let output = read_case(&format!("errors/{}.txt", case.output));
        let failures: Vec<Failure> = case.failures.into_iter().map(Failure::from).collect();
        let warnings = check_patterns(&failures);
        let found = match_failure(&output, &error_lines(&output), &failures);
        render(&warnings, &found)
    });
}

fn render(warnings: &[String], found: &MatchResult) -> String {
    let mut text = String::new();
    for warning in warnings.iter().chain(&found.warnings) {
        text.push_str(&format!("warning: {warning}\n"));
    }
    match &found.matched {
        Some(matched) => text.push_str(&format!("{}: {}\n", matched.index, matched.rationale)),
        None => text.push_str("no match\n"),
    }
    for name in &found.without_fix {
        text.push_str(&format!("without a fix: {name}\n"));
    }
    for candidate in &found.candidates {
        let (index, name, rationale) = (candidate.index, &candidate.name, &candidate.rationale);
        text.push_str(&format!("candidate {index}: {name}, {rationale}\n"));
    }
    text
}

#[test]
fn a_score_does_not_depend_on_what_else_is_known() {
    let lines = ["error[E0432]: unresolved import `nothere`".to_owned()];
    let triggers = [
        "tests are slow",
        "unresolved import: `nothere` is not a dependency of the crate",
        "unresolved import of `nothere` when the crate is missing in Cargo.toml",
    ];
    let failure = |trigger: &&str| Failure {
        trigger: (*trigger).to_owned(),
        fix: "mend it".to_owned(),
        ..Failure::default()
    };
    let all: Vec<Failure> = triggers.iter().map(failure).collect();
    let together = match_failure("", &lines, &all).candidates;
    let mut apart = Vec::new();
    for (index, failure) in all.iter().enumerate() {
        for mut candidate in match_failure("", &lines, std::slice::from_ref(failure)).candidates {
            candidate.index = index;
            apart.push(candidate);
        }
    }
    apart.sort_by(|one, other| other.score.total_cmp(&one.score));
    assert_eq!(together.len(), 2);
    assert_eq!(together, apart);
}

#[test]
fn a_thousand_runaway_patterns_share_one_deadline() {
    let output = format!("x{}!\n", "a".repeat(256)).repeat(1000);
    let failure = |number: usize| Failure {
        name: Some(format!("runaway-{number}")),
        pattern: Some(format!(r"(?=x)x(\w+\s?)*\1{number}$")),
        fix: "mend it".to_owned(),
        ..Failure::default()
    };
    let failures: Vec<Failure> = (0..1000).map(failure).collect();
    let found = match_failure(&output, &error_lines(&output), &failures);
    assert_eq!(found.matched, None);
    let late = found.warnings.iter().filter(|why| why.contains("too long together"));
    assert_eq!(late.count(), 1);
}

#[test]
fn a_pattern_that_fits_any_output_is_named_when_it_is_planned_with() {
    for (pattern, expected) in
        [(".", 1), ("(?s).*", 1), ("a|", 1), ("KeyError", 0), (r"\d+ tests passed", 0)]
    {
        let failure = Failure { pattern: Some(pattern.to_owned()), ..Failure::default() };
        assert_eq!(check_patterns(&[failure]).len(), expected, "{pattern}");
    }
}
