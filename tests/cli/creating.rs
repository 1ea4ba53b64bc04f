//! `ftl workspace create`: plans become task files, all of them or none.

use std::fs::OpenOptions;

use serde_json::json;

use super::bytes;
use super::terminal::Terminal;
use crate::support::{Finished, Project};

const PLAN: &str = "plan.json";

fn project() -> Project {
    let project = super::project(&[]);
    project.write("src/a.py", "import os\n\n\ndef f():\n    pass\n\n\nclass C:\n    pass\n");
    project.write(".ftl/exploration.json", r#"{"pattern": {"confidence": 0.125}}"#);
    project.write(
        ".ftl/workspace/000_base_complete.xml",
        "<workspace status=\"complete\"><delivered>the base</delivered></workspace>",
    );
    project
}

fn plan(project: &Project, tasks: &serde_json::Value) {
    let plan = json!({"objective": "Serve & protect", "tasks": tasks});
    project.write(PLAN, plan.to_string());
}

fn create(project: &Project) -> Finished {
    project.ftl(["workspace", "create", "--plan", PLAN])
}

#[test]
fn every_task_of_a_plan_becomes_a_file_that_can_be_built() {
    let project = project();
    plan(
        &project,
        &json!([
            {"seq": "001", "slug": "first", "delta": ["src/a.py"], "verify": "true", "depends": "000"},
            {"seq": "002", "slug": "second", "delta": ["new.py"], "verify": "true", "depends": ["001"]},
        ]),
    );
    let finished = create(&project).ends(0);
    let (first, second) =
        (".ftl/workspace/001_first_active.xml", ".ftl/workspace/002_second_active.xml");
    assert_eq!(finished.stdout, format!("Created: {first}\nCreated: {second}\n"));
    let parsed = project.ftl(["workspace", "parse", "--full", first]).json();
    assert_eq!(parsed["id"], "001-first");
    assert_eq!(parsed["objective"], "Serve & protect");
    assert_eq!(parsed["code_context"]["exports"], "f(), C");
    assert_eq!(parsed["framework_confidence"], 0.12);
    assert_eq!(parsed["lineage"]["prior_delivery"], "the base");
    assert_eq!(parsed["depends"], json!(["000"]));
    project.ftl(["workspace", "validate", first, second]).ends(0);
    let built = project.build(&["001", "--agent", "echo x >>src/a.py"]);
    assert_eq!(built.json()["states"][0], "READ", "{built:#?}");
}

#[test]
fn all_problems_are_named_and_then_nothing_is_written() {
    let project = project();
    plan(
        &project,
        &json!([{"seq": "001", "slug": "a"}, {"seq": "../2", "slug": 7}, {"slug": ".b", "budget": "x"}]),
    );
    let before = project.workspaces();
    let finished = create(&project).ends(1);
    assert_eq!(finished.stdout, "");
    for part in
        ["tasks[1].seq", "tasks[1].slug", "tasks[2].seq", "tasks[2].slug", "tasks[2].budget"]
    {
        assert!(finished.stderr.contains(part), "{part}: {finished:#?}");
    }
    assert_eq!(project.workspaces(), before);
}

#[test]
fn one_task_is_chosen_by_its_number_as_text() {
    let project = project();
    let tasks = json!([{"seq": "1", "slug": "a"}, {"seq": "001", "slug": "b"}]);
    plan(&project, &tasks);
    let finished = project.ftl(["workspace", "create", "--plan", PLAN, "--task", "001"]);
    assert_eq!(finished.stdout, "Created: .ftl/workspace/001_b_active.xml\n", "{finished:#?}");
    project.ftl(["workspace", "create", "--plan", PLAN, "--task", "01"]).ends(1);
}

#[test]
fn a_plan_comes_from_standard_input_as_well() {
    let project = project();
    plan(&project, &json!([{"seq": "001", "slug": "a"}]));
    let words = ["-c", "\"$0\" workspace create --plan - <plan.json", crate::support::FTL];
    let piped = Finished::of(ftl_testkit::program::Program::new("sh", project.path()).args(words));
    assert_eq!(piped.stdout, "Created: .ftl/workspace/001_a_active.xml\n", "{piped:#?}");
    project.ftl(["workspace", "create", "--plan", "nowhere.json"]).ends(2);
}

#[test]
fn an_older_active_file_is_replaced_and_a_record_stays() {
    let project = project();
    project.write(".ftl/workspace/001_a_active.xml", "<workspace/>");
    project.write(".ftl/workspace/001_a_blocked.xml", "<workspace status=\"blocked\"/>");
    plan(&project, &json!([{"seq": "001", "slug": "a", "verify": "true"}]));
    create(&project).ends(0);
    let parsed = project.ftl(["workspace", "parse", ".ftl/workspace/001_a_active.xml"]);
    assert_eq!(parsed.json()["verify"], "true");
    assert_eq!(
        project.workspaces(),
        ["000_base_complete.xml", "001_a_active.xml", "001_a_blocked.xml"]
    );
}

/// The journal of a run that has read nothing yet.
const BEGUN: &str = concat!(
    r#"{"seq":0,"crc":"f88a49bc","batch":0,"at":"2026-01-18T01:30:56Z","kind":"open","data":[1,2]}"#,
    "\n",
);

#[test]
fn tasks_that_are_locked_or_begun_are_left_alone_and_so_is_everything_else() {
    for begun in [false, true] {
        let project = project();
        project.write(".ftl/workspace/001_a_active.xml", "<workspace/>");
        let locks = project.path().join(".ftl/locks");
        std::fs::create_dir_all(&locks).unwrap();
        let lock =
            OpenOptions::new().create(true).append(true).open(locks.join("001_a.lock")).unwrap();
        if begun {
            project.write(".ftl/runs/001_a/1/journal.jsonl", BEGUN);
        } else {
            lock.lock().unwrap();
        }
        plan(&project, &json!([{"seq": "000", "slug": "x"}, {"seq": "001", "slug": "a"}]));
        let before = bytes(&project);
        let finished = create(&project).ends(1);
        let word = if begun { "unfinished run" } else { "is held by" };
        assert!(finished.stderr.contains(word), "{finished:#?}");
        assert_eq!(bytes(&project), before);
    }
}

#[test]
fn a_known_framework_has_its_own_idioms_and_the_plan_fills_what_it_lacks() {
    let project = project();
    let plan = json!({
        "framework": "flask",
        "idioms": {"required": ["of the plan"], "forbidden": ["global state"]},
        "tasks": [{"seq": "001", "slug": "routes", "delta": ["app.py"], "verify": "true"}],
    });
    project.write(PLAN, plan.to_string());
    create(&project).ends(0);
    let path = ".ftl/workspace/001_routes_active.xml";
    let parsed = project.ftl(["workspace", "parse", path]).json();
    assert_eq!(parsed["framework"], "flask");
    assert_eq!(
        parsed["idioms"],
        json!({"required": ["@app.route decorator"], "forbidden": ["global state"]})
    );
}

#[test]
fn a_name_that_turns_text_around_is_escaped_on_a_terminal_alone() {
    let project = project();
    plan(&project, &json!([{"seq": "001", "slug": "a\u{202e}b", "delta": ["x"]}]));
    let piped = create(&project);
    assert!(piped.stdout.contains('\u{202e}'), "{piped:#?}");
    let words = ["workspace", "create", "--plan", PLAN];
    let (code, screen, all) = Terminal::start(&project, &words, 120, &[]).end();
    assert_eq!(code, Some(0), "{screen}");
    assert!(screen.contains("Created: "), "{screen}");
    assert!(!String::from_utf8(all).unwrap().contains('\u{202e}'), "{screen}");
}
