//! `ftl build`: which tasks are meant where none is named, where all are, and what they depend on.

use serde_json::json;

use super::{assert_refused, project};
use crate::support::Project;
use crate::support::task;

const A: &str = "001_a_active.xml";
const B: &str = "002_b_active.xml";

fn dependent(depends: &str) -> Project {
    project(&[A]).task("002_b", task().attributes(format!("depends=\"{depends}\"")))
}

#[test]
fn without_a_name_the_only_active_task_is_built() {
    let project = project(&[A, "002_b_complete.xml"]);
    let built = project.build(&[]).ends(0);
    assert_eq!(built.json()["id"], "001_a");
    let none = project.build(&[]);
    assert_refused(&none, 2, "usage::workspace_missing", "no task is active");
}

#[test]
fn without_a_name_several_active_tasks_are_listed_and_none_is_built() {
    let project = project(&[A, B]);
    let refused = project.build(&[]);
    assert_refused(
        &refused,
        2,
        "usage::workspace_ambiguous",
        "2 tasks are active: `001_a`, `002_b`",
    );
    assert!(refused.stderr.contains("--all"), "{refused:#?}");
    assert_eq!(project.workspaces(), [A, B]);
}

#[test]
fn a_task_file_that_came_back_beside_its_record_is_left_out_unless_it_is_named() {
    let project = project(&[A, "001_a_complete.xml", B]);
    let status = project.ftl(["status"]);
    assert!(status.stdout.contains("problem: it is complete: this file came back"), "{status:#?}");
    let built = project.ftl(["build", "--all", "--tree"]).ends(0);
    assert!(built.stderr.contains("came back beside its record"), "{built:#?}");
    assert_eq!(project.workspaces(), [A, "001_a_complete.xml", "002_b_complete.xml"]);
    project.build(&["001_a_active"]);
}

#[test]
fn a_number_needs_no_zeros() {
    for word in ["2", "02", "002"] {
        let project = project(&[A, B]);
        let built = project.build(&[word]);
        assert_eq!(built.json()["id"], "002_b", "{word}: {built:#?}");
    }
}

#[test]
fn all_active_tasks_are_built_in_the_order_of_their_dependencies() {
    let project = project(&[B, "003_c_blocked.xml"]);
    project.add("001_a", task().attributes("depends=\"002\""));
    let built = project.build(&["--all"]).ends(0);
    let said = built.json();
    let ids = [&said["results"][0]["id"], &said["results"][1]["id"]];
    assert_eq!(ids, ["002_b", "001_a"]);
    let counts = json!({"complete": 2, "blocked": 0, "skipped": 0, "waiting": 0, "failed": 0});
    assert_eq!(said["outcome"], "complete");
    assert_eq!(said["counts"], counts);
    project.ftl(["build", "001", "--all"]).ends(2);
}

#[test]
fn a_single_active_task_is_listed_too_where_all_were_asked_for() {
    let built = project(&[A]).ftl(["build", "--all", "--format", "json"]);
    assert_eq!(built.outcomes(), ["complete"]);
}

#[test]
fn people_get_a_tally_of_several() {
    let built = project(&[A, B]).ftl(["build", "--all"]);
    let lines: Vec<&str> = built.stdout.lines().collect();
    assert_eq!(lines.len(), 3, "{built:#?}");
    assert!(lines[2].starts_with("2 complete in "), "{built:#?}");
}

#[test]
fn a_task_whose_dependencies_are_not_complete_is_refused() {
    for (depends, said) in [
        ("001", "depends on the task `001`, which is not complete"),
        ("001 009", "depends on the tasks `001`, `009`, which are not"),
    ] {
        let project = dependent(depends);
        for words in [
            &["build", "002", "--format", "json"][..],
            &["build", "002", "--format", "json", "--dry-run"],
        ] {
            assert_refused(&project.ftl(words), 2, "usage::depends", said);
        }
        assert_eq!(project.workspaces(), [A, B]);
        project.ftl(["build", "002", "--ignore-depends"]).ends(0);
    }
}

#[test]
fn a_task_whose_dependencies_are_complete_or_built_along_is_built() {
    let project = dependent("001");
    project.ftl(["build", "2", "1", "--dry-run"]).ends(0);
    project.ftl(["build", "1"]).ends(0);
    project.ftl(["build", "2"]).ends(0);
}

#[test]
fn of_several_those_that_are_finished_are_skipped() {
    let project = project(&[A, B]);
    project.ftl(["build", "1"]).ends(0);
    let built = project.build(&["1", "001_a", "2"]).ends(0);
    assert_eq!(built.outcomes(), ["skipped", "complete"]);
    assert_eq!(built.json()["results"][0]["cause"], "it is already complete");
    let all = project.build(&["1", "2"]);
    assert_refused(&all, 2, "usage::workspace_finished", "already complete");
}

#[test]
fn patches_are_for_one_task() {
    let project = project(&[A, B]);
    project.write("x.diff", "");
    let refused = project.build(&["1", "2", "--patch", "x.diff"]);
    assert_refused(&refused, 2, "usage::patch", "2 were named");
}

#[test]
fn a_new_task_depends_on_those_that_are_named() {
    let project = project(&[A, "002_b_complete.xml"]);
    let words = ["new", "x", "--delta", "notes.txt", "--verify", "true"];
    project.ftl(words.into_iter().chain(["--depends", "1", "002-b", "001"])).ends(0);
    let text = project.text(".ftl/workspace/003_x_active.xml");
    assert!(text.contains("depends=\"001 002\""), "{text}");
    let unknown = project.ftl(words.into_iter().chain(["--depends", "7"])).ends(2);
    assert!(unknown.stderr.contains("no task `7`"), "{unknown:#?}");
}

#[test]
fn outside_of_a_project_status_says_so() {
    let project = Project::empty();
    std::fs::remove_dir_all(project.path().join(".ftl")).ok();
    let said = project.ftl(["status"]).ends(0);
    assert!(said.stderr.contains("no project here"), "{said:#?}");
    let named = project.ftl(["status", "--root", "."]);
    assert!(!named.stderr.contains("no project here"), "{named:#?}");
}
