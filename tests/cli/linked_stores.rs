//! A `.ftl` that is a link to another place: what an agent changes there is a stray, as where it is none.

use std::fs;
use std::os::unix::fs::symlink;

use ftl_testkit::scratch::Scratch;

use super::isolation::{possible, with_git};
use crate::support::{Finished, Project, task};

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

fn build(project: &Project, level: &str, agent: &str) -> Finished {
    project.build(&["001", "--isolate", level, "--agent", agent])
}

#[test]
fn task_files_behind_a_link_are_out_of_reach() {
    for level in ["copy", "bind"] {
        if level == "bind" && !possible() {
            continue;
        }
        let (project, _elsewhere) = linked();
        let agent = "echo work >> notes.txt; sed -i s/false/true/ .ftl/workspace/002_o_active.xml; \
                     sed -i s/true/false/ .ftl/workspace/001_a_active.xml; \
                     echo x > .ftl/workspace/003_n_active.xml";
        let finished = build(&project, level, agent).ends(0);
        assert!(project.text(OTHER).contains("<verify>false<"), "{level}: {finished:#?}");
        assert_eq!(project.workspaces(), ["001_a_complete.xml", "002_o_active.xml"], "{level}");
    }
}

#[test]
fn a_build_behind_a_link_completes() {
    for level in ["copy", "bind"] {
        if level == "bind" && !possible() {
            continue;
        }
        let (project, _elsewhere) = linked();
        let finished =
            build(&project, level, "echo work >> notes.txt; touch .ftl/workspace").ends(0);
        assert_eq!(finished.json()["strays"].to_string(), "[]");
    }
}
