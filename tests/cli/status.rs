//! `ftl status`: every task, and what it waits for.

use serde_json::json;

use crate::support::Project;

fn task(attributes: &str) -> String {
    format!(
        "<workspace {attributes}><implementation><delta>a</delta><verify>v</verify></implementation></workspace>"
    )
}

fn project() -> Project {
    let project = Project::empty();
    for (name, text) in [
        ("001_a_complete.xml", task("status='complete'")),
        ("002_b_blocked.xml", task("status='blocked'")),
        (
            "003_c_active.xml",
            task("status='active' created_at='2026-01-18T01:30:56' depends='001 002 004'"),
        ),
        ("004_d_active.xml", "<workspace>\n<objective>a & b".to_owned()),
    ] {
        project.write(format!(".ftl/workspace/{name}"), text);
    }
    project
}

#[test]
fn programs_get_every_task_with_what_it_waits_for_and_broken_files_too() {
    let finished = project().ftl(["status", "--format", "json"]);
    assert_eq!(finished.code, Some(0), "{finished:#?}");
    assert_eq!(finished.stderr, "");
    let listed = finished.json();
    let listed = listed["workspaces"].as_array().unwrap();
    assert_eq!(listed.len(), 4);
    assert_eq!(
        listed[2],
        json!({
            "id": "003_c", "path": ".ftl/workspace/003_c_active.xml", "status": "active",
            "budget": 5, "created_at": "2026-01-18T01:30:56", "depends": ["001", "002", "004"],
            "waits_for": ["002", "004"],
        })
    );
    assert_eq!(listed[1]["waits_for"], json!([]));
    assert_eq!(listed[3]["status"], "active");
    assert_eq!(listed[3]["budget"], json!(null));
    let problem = listed[3]["problem"].as_str().unwrap();
    assert!(problem.starts_with("line 2, column 14:"), "{problem}");
}

#[test]
fn people_get_a_table_and_a_count() {
    let project = project();
    let finished = project.ftl(["status"]);
    assert_eq!(finished.code, Some(0), "{finished:#?}");
    let lines: Vec<&str> = finished.stdout.lines().collect();
    assert_eq!(lines[0], "ID     STATE     BUDGET  AGE    WAITS FOR", "{finished:#?}");
    assert_eq!(lines[1], "001_a  complete  5", "{finished:#?}");
    assert!(lines[3].starts_with("003_c  active    5"), "{finished:#?}");
    assert!(lines[3].ends_with("  002 (blocked), 004"), "{finished:#?}");
    assert!(lines[5].starts_with("  problem: line 2"), "{finished:#?}");
    assert_eq!(lines[6], "2 active, 1 complete, 1 blocked; 1 with a problem");
}

#[test]
fn a_task_that_is_done_is_waited_for_no_longer() {
    let project = Project::empty();
    project.write("notes.txt", "x\n");
    for (seq, depends) in [("001_a", ""), ("002_b", "001")] {
        let task = super::task(&format!("depends=\"{depends}\""), "true");
        project.write(format!(".ftl/workspace/{seq}_active.xml"), task);
    }
    let waits = || {
        let listed = project.ftl(["status", "--format", "json"]).json();
        listed["workspaces"][1]["waits_for"].clone()
    };
    assert_eq!(waits(), json!(["001"]));
    let built = project.ftl(["build", "001", "--agent", "echo y >>notes.txt"]);
    assert_eq!(built.code, Some(0), "{built:#?}");
    assert_eq!(waits(), json!([]));
}

#[test]
fn how_the_last_run_ended_is_shown_with_its_kind_and_what_it_used() {
    let project = Project::empty();
    project.write("notes.txt", "x\n");
    for seq in ["001_a", "002_b"] {
        let task = super::task("", "grep y notes.txt");
        project.write(format!(".ftl/workspace/{seq}_active.xml"), task);
    }
    let blocked = project.ftl(["build", "001", "--agent", "echo z >>notes.txt"]);
    assert_eq!(blocked.code, Some(3), "{blocked:#?}");
    let listed = project.ftl(["status", "--format", "json"]).json();
    let last = &listed["workspaces"][0]["last"];
    assert_eq!(
        (&last["number"], &last["outcome"], &last["kind"], &last["used"]),
        (&json!(1), &json!("blocked"), &json!("discovery_needed"), &json!(3))
    );
    assert_eq!(listed["workspaces"][1].get("last"), None);
    let lines = || project.ftl(["status"]).stdout;
    assert!(lines().contains("001_a  blocked: discovery_needed  3/5 "), "{}", lines());
    project.ftl(["reopen", "001"]);
    assert!(lines().contains("001_a  active, was blocked: discovery_needed  3/5 "), "{}", lines());
}

#[test]
fn where_there_are_no_tasks_there_is_nothing_to_list() {
    let finished = Project::empty().ftl(["status", "--format", "json"]);
    assert_eq!(finished.code, Some(0), "{finished:#?}");
    assert_eq!(finished.json(), json!({"workspaces": []}));
}
