//! What becomes of a blocked task, from the first command to the last, as a person would type them. The
//! commands that a result names (`next`) are pasted into a shell.

mod attempts;
mod going_on;
mod teaching;
mod user;

use std::path::Path;

use crate::support::{FTL, Finished, Project};

/// Runs a command line in a shell that finds ftl.
fn paste(project: &Project, command: &str) -> Finished {
    let bin = Path::new(FTL).parent().unwrap().display();
    let path = format!("{bin}:{}", std::env::var("PATH").unwrap());
    Finished::of(project.program("sh").args(["-c", command]).env("PATH", path))
}

/// What a blocked build says to go on with.
fn next(blocked: &Finished) -> Vec<String> {
    let result = blocked.json();
    assert_eq!(blocked.code, Some(3), "{blocked:#?}");
    let next = result["next"].as_array().unwrap();
    next.iter().map(|command| command.as_str().unwrap().to_owned()).collect()
}

fn build(project: &Project, words: &[&str]) -> Finished {
    let all = ["build", "001", "--format", "json"].iter().chain(words);
    project.ftl(all)
}

fn new(project: &Project, words: &[&str]) {
    project.ftl(["new"].iter().chain(words)).ends(0);
}

fn is_complete(finished: &Finished) {
    assert_eq!(finished.code, Some(0), "{finished:#?}");
    let result = finished.stdout.lines().find(|line| line.starts_with(['✓', '✗', '{'])).unwrap();
    let is_complete = result.starts_with('✓') || finished.json()["outcome"] == "complete";
    assert!(is_complete, "{finished:#?}");
}

/// A project of a widget, in git as most are.
fn widgets() -> Project {
    let project = Project::empty();
    project.write("widget.txt", "LIMIT = 3\n");
    project.write("util.txt", "NAME = 'x'\n");
    project.write("widget.py", "LIMIT = 3\n\n\ndef limit():\n    return LIMIT\n");
    project.commit();
    project
}
