//! A `.ftl` that is a link to another place.

use std::fs;
use std::os::unix::fs::symlink;

use ftl_testkit::scratch::Scratch;

use super::assert_refused;
use super::isolation::with_git;
use crate::support::{Project, task};

const OTHER: &str = ".ftl/workspace/002_o_active.xml";

fn linked() -> (Project, Scratch) {
    let project = with_git();
    project.write(OTHER, task().verify("false").active());
    let elsewhere = Scratch::new("store").unwrap();
    let store = elsewhere.path().join("store");
    fs::rename(project.path().join(".ftl"), &store).unwrap();
    symlink(&store, project.path().join(".ftl")).unwrap();
    (project, elsewhere)
}

/// An implementer would reach the tasks of the project through it.
#[test]
fn an_agent_is_refused_where_the_store_is_a_link() {
    let (project, _elsewhere) = linked();
    let refused = project.build(&["001", "--agent", "echo work >> notes.txt"]);
    assert_refused(&refused, 1, "build::linked_store", ".ftl");
    assert!(refused.stderr.contains("move the directory"), "{refused:#?}");
    assert_eq!(project.read("notes.txt"), b"before\n");
}

#[test]
fn the_project_as_it_is_is_judged_behind_a_link() {
    let (project, _elsewhere) = linked();
    project.write("notes.txt", "before\nwork\n");
    project.build(&["001", "--tree"]).ends(0);
    assert_eq!(project.workspaces(), ["001_a_complete.xml", "002_o_active.xml"]);
}
