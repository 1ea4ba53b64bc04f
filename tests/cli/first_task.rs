//! The transcripts of the first task are what the program prints today.

use std::fs;

use ftl_testkit::program::Program;
use ftl_testkit::root;

use crate::support::{FTL, Finished, Project, has_tool};

/// Whether agents are isolated here, as in the page.
pub(super) fn is_isolated() -> bool {
    let project = Project::empty();
    let told = project.ftl(["doctor", "--format", "json"]).json();
    let checks = told["checks"].as_array().unwrap();
    let of_isolation = checks.iter().find(|check| check["topic"] == "isolation");
    of_isolation.is_some_and(|check| check["state"] == "good")
}

#[test]
fn the_page_of_the_first_task_is_what_its_script_prints() {
    if !has_tool("python3", "python3", &["--version"]) {
        return;
    }
    let script = root().join("docs/first-task.sh");
    let program = Program::new("sh", &root()).without_cargo();
    let finished = Finished::of(program.args([script]).env("FTL", FTL));
    assert_eq!(finished.code, Some(0), "{finished:#?}");
    if !is_isolated() {
        return;
    }
    let path = root().join("docs/first-task.md");
    let page = fs::read_to_string(&path).unwrap_or_default();
    if page != finished.stdout {
        let differing = page.lines().zip(finished.stdout.lines()).find(|(page, now)| page != now);
        fs::write(&path, &finished.stdout).unwrap();
        panic!("docs/first-task.md was not what the script prints, and is now: {differing:#?}");
    }
}
