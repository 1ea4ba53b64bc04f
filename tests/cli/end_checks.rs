//! The check at the end of several tasks: verify commands that other tasks broke after they passed.

use serde_json::{Value, json};

use crate::support::{Finished, Project, task};

/// Each task writes its number to its file.
const AGENT: &str = "for path; do echo $path >>$path; done";

fn add(project: &Project, number: u32, verify: &str) {
    let task = task().delta(&[&format!("{number}.txt")]).verify(verify).budget(9);
    project.add(&format!("00{number}_t"), task);
}

/// The second task breaks the verify of the first; the third one has the same verify as the second.
fn broken() -> Project {
    let project = Project::empty();
    add(&project, 1, "echo checking; test ! -e 2.txt || test -e repaired");
    add(&project, 2, "test -e 2.txt");
    add(&project, 3, "test -e 2.txt");
    project
}

fn build(project: &Project, words: &[&str]) -> Finished {
    project.ftl([&["build", "--agent", AGENT, "--format", "json"], words].concat())
}

fn status(project: &Project) -> Value {
    project.ftl(["status", "--format", "json"]).json()["checks"].clone()
}

#[test]
fn a_verify_that_another_task_broke_is_found_at_the_end_and_shown_until_it_passes() {
    let project = broken();
    let built = build(&project, &["--all"]);
    let said = built.json();
    assert_eq!((built.code, &said["outcome"]), (Some(3), &json!("broken")), "{said:#}");
    assert_eq!(said["counts"]["complete"], 3);
    // The verify of the other two ran last, for the third.
    let checks = said["check"].as_array().unwrap();
    assert_eq!(checks.len(), 1, "{said:#}");
    assert_eq!(checks[0]["command"], "echo checking; test ! -e 2.txt || test -e repaired");
    assert_eq!((&checks[0]["tasks"], &checks[0]["exit"]), (&json!(["001_t"]), &json!(1)));
    assert_eq!(checks[0]["landed_since"], json!(["002_t", "003_t"]));

    let listed = status(&project);
    assert_eq!(listed[0]["failed"]["exit"], 1, "{listed:#}");
    let text = project.ftl(["status"]).stdout;
    assert!(text.contains("check failed: `echo checking; "), "{text}");
    assert!(text.contains("of 001_t; landed since: 002_t, 003_t"), "{text}");
    assert!(text.contains("001_t  broken "), "{text}");
    assert!(text.contains("2 complete, 0 blocked, 1 broken"), "{text}");
    assert!(text.contains("  next: ftl check 001_t"), "{text}");
    let page = project.ftl(["report"]).stdout;
    assert!(page.contains("2 complete, 1 broken, 0 blocked, 0 active"), "{page}");
    assert!(page.contains("Checks that are due") && page.contains("echo checking"), "{page}");

    build(&project, &["--all"]).ends(3);
    project.write("repaired", "");
    let passed = build(&project, &["--all"]);
    let said = passed.json();
    assert_eq!((passed.code, &said["outcome"]), (Some(0), &json!("complete")), "{said:#}");
    assert_eq!((&said["results"], &said["check"][0]["exit"]), (&json!([]), &json!(0)));
    assert_eq!(status(&project), Value::Null);
    build(&project, &["--all"]).ends(2);
}

#[test]
fn named_tasks_are_checked_again_and_people_see_what_landed() {
    let project = broken();
    let built = project.ftl(["build", "1", "2", "3", "--agent", AGENT]).ends(3);
    for line in [
        "broken  echo checking; test ! -e 2.txt || test -e repaired  exit 1",
        "  tasks      001_t",
        "  landed     002_t, 003_t",
        "  next       ftl show 002_t --diff",
        "  next       ftl check 001_t",
    ] {
        assert!(built.stdout.lines().any(|printed| printed == line), "{built:#?}");
    }
    let tally = built.stdout.lines().last().unwrap();
    assert!(tally.starts_with("3 complete, 1 check failed in "), "{tally}");
    build(&project, &["1", "2", "3"]).ends(3);
    // A single finished task is a usage error, unless its check is asked for.
    build(&project, &["1"]).ends(2);
    build(&project, &["1", "--check", "end"]).ends(3);
}

#[test]
fn checks_that_are_not_wanted_are_neither_made_nor_due() {
    let never = broken();
    let built = build(&never, &["--all", "--check", "never"]);
    assert_eq!((built.code, &built.json()["check"]), (Some(0), &Value::Null), "{built:#?}");
    assert_eq!(status(&never), Value::Null);
    let configured = broken();
    configured.write("ftl.toml", "[build]\ncheck = \"never\"\n");
    build(&configured, &["--all"]).ends(0);
    let option = broken();
    option.write("ftl.toml", "[build]\ncheck = \"never\"\n");
    build(&option, &["--all", "--check", "end"]).ends(3);
    let single = broken();
    for number in ["1", "2", "3"] {
        build(&single, &[number]).ends(0);
    }
    assert_eq!(status(&single), Value::Null);
}

#[test]
fn a_check_is_due_where_the_command_ended_before_it() {
    let project = broken();
    // The agent of the third task ends ftl, and what it leaves behind is its own.
    let agent = format!("{AGENT}; test $1 != 3.txt || {{ rm $1; kill -INT $PPID; sleep 60; }}");
    let words = ["build", "--all", "--isolate", "copy", "--agent", &agent];
    project.ftl(words).ends(130);
    let listed = status(&project);
    assert_eq!(listed[0]["tasks"], json!(["001_t"]), "{listed:#}");
    assert_eq!((listed[0].get("failed"), listed.as_array().unwrap().len()), (None, 1));
    let text = project.ftl(["status"]).stdout;
    assert!(text.contains("check due: `echo checking; "), "{text}");
    let built = build(&project, &["--all", "--isolate", "copy", "--restart"]);
    let said = built.json();
    assert_eq!((built.code, &said["outcome"]), (Some(3), &json!("broken")), "{said:#}");
    assert_eq!(said["check"][0]["landed_since"], json!(["002_t", "003_t"]));
}

#[test]
fn a_blocked_task_is_put_back_before_the_check() {
    let project = Project::empty();
    add(&project, 1, "test ! -e 3.txt");
    add(&project, 2, "true");
    add(&project, 3, "false");
    let built = build(&project, &["--all"]);
    let said = built.json();
    assert_eq!((built.code, &said["outcome"]), (Some(3), &json!("blocked")), "{said:#}");
    assert_eq!(said["check"][0]["exit"], 0, "{said:#}");
}

#[test]
fn events_report_the_check() {
    let project = broken();
    let built =
        project.ftl(["build", "--all", "--agent", AGENT, "--events", "-", "--format", "human"]);
    let events: Vec<Value> =
        built.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let started = events.iter().find(|event| event["what"] == "check").unwrap();
    assert_eq!(started["command"], "echo checking; test ! -e 2.txt || test -e repaired");
    let checked = events.iter().find(|event| event["type"] == "checked").unwrap();
    assert_eq!(checked["check"]["exit"], 1, "{checked:#}");
}
