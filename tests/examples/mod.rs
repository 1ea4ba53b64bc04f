//! Every case of every example's table, on a fresh copy of the example.

use std::fs;

use serde::Deserialize;
use serde_json::Value;

use crate::support::{Finished, Project, has_tool};

/// An example's cases.toml.
#[derive(Deserialize)]
struct Table {
    case: Vec<Case>,
}

/// A command line and what it comes to.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    command: Vec<String>,
    outcome: String,
    kind: Option<String>,
    states: String,
    used: u64,
    error: Option<String>,
    #[serde(default)]
    strays: Vec<String>,
}

fn cases(example: &str) -> Vec<Case> {
    let path = ftl_testkit::root().join("examples").join(example).join("cases.toml");
    let table: Table = toml::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    table.case
}

/// Runs all cases at once: most of their time is spent waiting for children.
fn run(example: &str) -> Vec<Case> {
    let cases = cases(example);
    std::thread::scope(|scope| {
        for case in &cases {
            scope.spawn(move || run_case(example, case));
        }
    });
    cases
}

fn run_case(example: &str, case: &Case) {
    let project = Project::copy_of(&format!("examples/{example}"));
    project.commit();
    let words = case.command.iter().map(String::as_str);
    let finished = project.ftl(words.chain(["--format", "json"]));
    check(case, &finished);
    check_record(case, &project, &finished.json());
}

fn check(case: &Case, finished: &Finished) {
    let said = finished.json();
    let context = format!("`{}` gave {finished:#?}", case.name);
    assert_eq!(said["outcome"], *case.outcome, "{context}");
    assert_eq!(said["block"]["kind"].as_str(), case.kind.as_deref(), "{context}");
    let states: Vec<_> = case.states.split(' ').collect();
    assert_eq!(said["states"], Value::from(states), "{context}");
    assert_eq!(said["budget"]["used"], case.used, "{context}");
    assert_eq!(said["strays"], Value::from(case.strays.clone()), "{context}");
    assert_eq!(finished.code, Some(if case.kind.is_some() { 3 } else { 0 }), "{context}");
    if let Some(part) = &case.error {
        let error = said["block"]["error"].as_str().unwrap();
        assert!(error.contains(part.as_str()), "{context}");
    }
}

/// The task's file was sealed under its new name, and agrees with the output.
fn check_record(case: &Case, project: &Project, said: &Value) {
    let id = said["id"].as_str().unwrap();
    let sealed = format!("{id}_{}.xml", case.outcome);
    let of_task = |name: &String| name.starts_with(id);
    let files: Vec<_> = project.workspaces().into_iter().filter(of_task).collect();
    assert_eq!(files, [sealed.as_str()], "`{}`", case.name);

    let record = format!(".ftl/workspace/{sealed}");
    let parsed = project.ftl(["workspace", "parse", &record]).json();
    assert_eq!(parsed["status"], *case.outcome, "`{}`", case.name);
    assert_eq!(parsed["delivered"], said["delivered"], "`{}`", case.name);
    let blocked = parsed["delivered"].as_str().unwrap().starts_with("BLOCKED: ");
    assert_eq!(blocked, case.kind.is_some(), "`{}`", case.name);
}

fn kinds(cases: &[Case]) -> usize {
    let mut kinds: Vec<_> = cases.iter().filter_map(|case| case.kind.as_ref()).collect();
    kinds.sort();
    kinds.dedup();
    kinds.len()
}

#[test]
fn the_rust_example_completes_and_blocks_for_eleven_reasons() {
    assert_eq!(kinds(&run("rust")), 11);
}

#[test]
fn the_python_example_completes_and_blocks_for_three_reasons() {
    let pytest = ["-m", "pytest", "--version"];
    if has_tool("python3", "python3", &["--version"]) && has_tool("pytest", "python3", &pytest) {
        assert_eq!(kinds(&run("python")), 3);
    }
}

#[test]
fn the_javascript_example_completes_and_blocks_for_two_reasons() {
    if has_tool("node", "node", &["--version"]) {
        assert_eq!(kinds(&run("javascript")), 2);
    }
}
