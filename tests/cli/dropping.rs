//! `ftl drop`, and making finished tasks active again.

use std::fs;

use serde_json::{Value, json};

use super::schemas::assert_fits;
use super::{assert_refused, project};
use crate::support::Project;
use crate::support::task;

const AGENT: &str = "echo work >> notes.txt";

fn parsed(project: &Project, name: &str) -> Value {
    let path = format!(".ftl/workspace/{name}");
    let parsed = project.ftl(["workspace", "parse", "--full", &path]).ends(0);
    parsed.json()
}

#[test]
fn a_dropped_task_keeps_its_file_and_its_number() {
    let project = project(&["001_a_active.xml"]);
    project.add("002_b", task().verify("false"));
    project.ftl(["build", "002", "--agent", AGENT]).ends(3);
    for (number, name) in [("1", "001_a_dropped.xml"), ("2", "002_b_dropped.xml")] {
        let dropped = project.ftl(["drop", number]).ends(0);
        assert_eq!(dropped.stdout, format!("Dropped: .ftl/workspace/{name}\n"));
        let text = project.text(format!(".ftl/workspace/{name}"));
        assert!(text.contains(" status=\"dropped\"") && text.contains(" dropped_at=\""), "{text}");
        assert!(text.contains("outcome=\"dropped\""), "{text}");
        let valid = project.ftl(["workspace", "validate", &format!(".ftl/workspace/{name}")]);
        assert!(valid.stdout.ends_with(": 1 warning\n"), "{valid:#?}");
    }
    assert_eq!(project.workspaces(), ["001_a_dropped.xml", "002_b_dropped.xml"]);
    assert_eq!(parsed(&project, "002_b_dropped.xml")["run"].as_array().map(Vec::len), Some(2));

    let refused = project.build(&["001"]);
    assert_refused(&refused, 2, "usage::workspace_finished", "ftl reopen");
    project.ftl(["drop", "001", "--root", "."]).ends(2);
    let made = project.ftl(["new", "Next", "--delta", "notes.txt", "--verify", "true"]);
    assert!(made.stdout.contains("003_next_active.xml"), "{made:#?}");
}

#[test]
fn every_listing_knows_a_dropped_task() {
    let project = project(&["001_a_active.xml"]);
    project.ftl(["drop", "001_a"]).ends(0);
    let status = project.ftl(["status", "--format", "json"]).json();
    assert_fits("status", &status);
    assert_eq!(status["workspaces"][0]["status"], "dropped", "{status:#}");
    let table = project.ftl(["status"]).stdout;
    assert!(table.ends_with("0 active, 0 complete, 0 blocked, 1 dropped\n"), "{table}");
    let shown = project.ftl(["show", "1", "--format", "json"]).json();
    assert_fits("show", &shown);
    assert_eq!(shown["run"]["result"]["outcome"], "dropped", "{shown:#}");
    assert!(project.ftl(["show", "1"]).stdout.starts_with("dropped  001_a"));
    project.ftl(["report", "-o", "report.html"]).ends(0);
    let page = project.text("report.html");
    assert!(page.contains("1 dropped"), "{page}");
    let doctor = project.ftl(["doctor", "--format", "json"]).stdout;
    assert!(doctor.contains("0 active, 0 complete, 0 blocked, 1 dropped"), "{doctor}");
}

#[test]
fn tasks_that_depend_on_a_dropped_one_are_unreachable() {
    let project = project(&["001_a_active.xml"]);
    project.add("002_b", task().attributes("depends=\"001\""));
    let dropped = project.ftl(["drop", "1"]);
    assert!(dropped.stderr.contains("`002_b` depends on `001_a`"), "{dropped:#?}");
    let refused = project.build(&["2"]);
    assert_refused(&refused, 2, "usage::depends", "`002_b` is unreachable");
    let listed = project.ftl(["status"]).stdout;
    assert!(listed.contains("unreachable") && listed.contains("001 (dropped)"), "{listed}");
    project.ftl(["reopen", "1"]).ends(0);
    project.ftl(["build", "1", "2", "--agent", AGENT]).ends(0);
}

#[test]
fn finished_tasks_become_active_again_with_their_runs() {
    let project = project(&["001_a_active.xml"]);
    for run in 1..3 {
        project.ftl(["build", "001", "--agent", AGENT]).ends(0);
        let record = parsed(&project, "001_a_complete.xml");
        assert_eq!(record["run"].as_array().map(Vec::len), Some(run), "{record:#}");
        assert!(record["completed_at"].is_string(), "{record:#}");
        if run == 1 {
            project.ftl(["reopen", "1", "--tests-change", "--allow-removed", "f", "g()"]).ends(0);
            let active = parsed(&project, "001_a_active.xml");
            assert_eq!((&active["completed_at"], &active["delivered"]), (&Value::Null, &json!("")));
            assert_eq!(active["tests_change"], true, "{active:#}");
            assert_eq!(active["allow_removed"], json!(["f", "g()"]), "{active:#}");
        }
    }
    project.ftl(["reopen", "1"]).ends(0);
    project.ftl(["drop", "1"]).ends(0);
    let reopened =
        project.ftl(["reopen", "1", "--build", "--agent", AGENT, "--format", "json"]).ends(0);
    assert_eq!(reopened.json()["run"], "001_a/3");
    let text = project.text(".ftl/workspace/001_a_complete.xml");
    assert!(!text.contains("dropped_at"), "{text}");
}

#[test]
fn a_crash_between_the_two_steps_of_a_drop_is_finished_by_the_next_command() {
    let project = project(&["001_a_active.xml"]);
    project.add("001_a", task().verify("false"));
    project.ftl(["build", "001", "--agent", AGENT]);
    project.ftl(["drop", "1"]).ends(0);
    let file = |name: &str| project.path().join(".ftl/workspace").join(name);
    fs::rename(file("001_a_dropped.xml"), file("001_a_blocked.xml")).unwrap();
    project.ftl(["build", "001", "--agent", AGENT]).ends(2);
    assert_eq!(project.workspaces(), ["001_a_dropped.xml"]);
}

#[test]
fn names_that_a_task_may_remove_are_in_its_file() {
    let project = Project::empty();
    project.write("shop.py", "def price():\n    return 1\n\n\ndef cost():\n    return 2\n");
    let words = ["new", "Remove", "--delta", "shop.py", "--verify", "true"];
    project.ftl([&words[..], &["--allow-removed", "price", "--tests-change"]].concat()).ends(0);
    let task = parsed(&project, "001_remove_active.xml");
    assert_eq!((&task["allow_removed"], &task["tests_change"]), (&json!(["price"]), &json!(true)));
    let agent = "printf 'def cost():\\n    return 2\\n' > shop.py";
    let built = project.build(&["--agent", agent]);
    assert_eq!(built.json()["outcome"], "complete", "{built:#?}");
    let words = ["new", "Remove more", "--delta", "shop.py", "--verify", "true", "--build"];
    let blocked =
        project.ftl([&words[..], &["--agent", "echo > shop.py", "--format", "json"]].concat());
    assert_eq!(blocked.json()["block"]["kind"], "exports_lost", "{blocked:#?}");
}
