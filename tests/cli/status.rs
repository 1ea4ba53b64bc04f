//! `ftl status`: every task, and what it waits for.

use serde_json::json;

use super::jobs::{add, of};
use crate::support::{Project, task};

fn project() -> Project {
    let project = Project::empty();
    for (name, text) in [
        ("001_a_complete.xml", task().text("complete")),
        ("002_b_blocked.xml", task().text("blocked")),
        (
            "003_c_active.xml",
            task().attributes("created_at='2026-01-18T01:30:56' depends='001 002 004'").active(),
        ),
        ("004_d_active.xml", "<workspace>\n<objective>a & b".to_owned()),
    ] {
        project.write(format!(".ftl/workspace/{name}"), text);
    }
    project
}

#[test]
fn programs_get_every_task_with_what_it_waits_for_and_broken_files_too() {
    let finished = project().ftl(["status", "--format", "json"]).ends(0);
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
    let finished = project.ftl(["status"]).ends(0);
    let lines: Vec<&str> = finished.stdout.lines().collect();
    assert_eq!(lines[0], "ID     STATE        BUDGET  AGE    WAITS FOR", "{finished:#?}");
    assert_eq!(lines[1], "001_a  complete     5", "{finished:#?}");
    assert!(lines[3].starts_with("003_c  unreachable  5"), "{finished:#?}");
    assert!(lines[3].ends_with("  002 (blocked), 004"), "{finished:#?}");
    assert!(lines[5].starts_with("  problem: line 2"), "{finished:#?}");
    assert_eq!(lines[6], "2 active (1 unreachable), 1 complete, 1 blocked; 1 with a problem");
}

#[test]
fn a_task_that_is_done_is_waited_for_no_longer() {
    let second = task().attributes("depends=\"001\"");
    let project = super::project(&[]).task("001_a", task()).task("002_b", second);
    let waits = || {
        let listed = project.ftl(["status", "--format", "json"]).json();
        listed["workspaces"][1]["waits_for"].clone()
    };
    assert_eq!(waits(), json!(["001"]));
    project.ftl(["build", "001", "--agent", "echo y >>notes.txt"]).ends(0);
    assert_eq!(waits(), json!([]));
}

#[test]
fn how_the_last_run_ended_is_shown_with_its_kind_and_what_it_used() {
    let grep = task().verify("grep y notes.txt");
    let project = super::project(&[]).task("001_a", grep.clone()).task("002_b", grep);
    project.ftl(["build", "001", "--agent", "echo z >>notes.txt"]).ends(3);
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
    let finished = Project::empty().ftl(["status", "--format", "json"]).ends(0);
    assert_eq!(finished.json(), json!({"workspaces": []}));
}

#[test]
fn who_is_under_way_and_what_keeps_the_others_from_it_is_shown() {
    if !super::isolation::possible() {
        return;
    }
    let (project, outside) = super::isolation::with_pipes();
    project.write(".ftl/workspace/004_d_blocked.xml", task().text("blocked"));
    for (number, slug, attributes, delta) in [
        (1, 'a', "", "a.txt"),
        (2, 'b', "", "a.txt"),
        (3, 'c', "depends='001'", "c.txt"),
        (5, 'e', "depends='004'", "e.txt"),
        (6, 'f', "depends='005 001'", "f.txt"),
        (7, 'g', "", "g.txt"),
    ] {
        add(&project, number, slug, &of(&[delta], "true").attributes(attributes));
    }
    project.commit();
    let dir = outside.path().display();
    let finished = project.script(&format!(
            "\"$FTL\" build 1 2 3 --jobs 2 --format json --agent 'echo agent >> $1; \
             [ $1 != a.txt ] || [ -e {dir}/again ] || \
             {{ echo > {dir}/again; echo > {dir}/started; read go < {dir}/go; }}' > {dir}/built & \
             read line < {dir}/started; \"$FTL\" status > {dir}/table; \"$FTL\" status --format json; \
             echo > {dir}/go; wait $!"
        ));
    assert_eq!(finished.code, Some(0), "{finished:#?}");
    let listed = finished.json();
    let (way, pid) = (&listed["under_way"][0], &listed["under_way"][0]["pid"]);
    assert_eq!(
        (&way["id"], &way["state"], &way["slot"], &way["waits_to_land"]),
        (&json!("001_a"), &json!("IMPLEMENT"), &json!(0), &json!(false)),
        "{listed:#}"
    );
    assert_eq!(
        listed["waiting"],
        json!([
            {"id": "002_b", "depends": [], "files_of": ["001_a"]},
            {"id": "003_c", "depends": ["001"], "files_of": []},
        ])
    );
    assert_eq!(
        listed["unreachable"],
        json!([{"id": "005_e", "because": ["004_d"]}, {"id": "006_f", "because": ["004_d"]}])
    );
    let table = std::fs::read_to_string(outside.path().join("table")).unwrap();
    for (row, end) in [
        (format!("001_a  under way: IMPLEMENT, process {pid}"), ""),
        ("002_b  active ".to_owned(), "a file of 001"),
        ("005_e  unreachable".to_owned(), "004 (blocked)"),
        ("006_f  unreachable".to_owned(), "005 (unreachable), 001"),
    ] {
        let found = table.lines().any(|line| line.starts_with(&row) && line.ends_with(end));
        assert!(found, "{row}: {table}");
    }
    let tally = "6 active (1 under way, 2 waiting, 2 unreachable), 0 complete, 1 blocked";
    assert!(table.ends_with(&format!("{tally}\n")), "{table}");
}
