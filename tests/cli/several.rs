//! `ftl build` with several tasks: what becomes of the delta of one that is blocked.

use std::os::unix::fs::PermissionsExt;

use serde_json::Value;

use crate::support::{Project, Task, task};

/// What it does depends on the file, so that it serves both tasks.
const AGENT: &str = "for path; do case $path in gone.txt) rm -f $path;; *) mkdir -p $(dirname $path); \
                     echo agent >>$path;; esac; done";

fn of(attributes: &str, delta: &[&str], verify: &str) -> Task {
    task().attributes(attributes).delta(delta).verify(verify).budget(20)
}

/// Two tasks; the first one never passes, and the second one sees what is left of it.
fn project(depends: &str) -> Project {
    let project = super::project(&[]);
    project.write("gone.txt", "before\n");
    project.write("other.txt", "before\n");
    let script = std::fs::Permissions::from_mode(0o750);
    std::fs::set_permissions(project.path().join("notes.txt"), script).unwrap();
    let delta = ["notes.txt", "gone.txt", "new/it.txt"];
    let sees = "cat notes.txt gone.txt new/it.txt >seen 2>missing; true";
    project
        .task("001_a", of("", &delta, "echo error: never; false"))
        .task("002_b", of(depends, &["other.txt"], sees))
}

fn build(project: &Project, options: &[&str]) -> Value {
    let words = ["build", "--all", "--format", "json"];
    project.ftl([&words, options].concat()).json()
}

fn outcomes(said: &Value) -> Vec<&str> {
    let results = said["results"].as_array().unwrap().iter();
    results.map(|result| result["outcome"].as_str().unwrap()).collect()
}

/// Three tasks without a relation, the first two of which never pass.
fn three() -> Project {
    let project = Project::empty();
    for (number, delta, verify) in
        [(1, "a.txt", "false"), (2, "b.txt", "false"), (3, "c.txt", "true")]
    {
        project.add(&format!("00{number}_t"), of("", &[delta], verify));
    }
    project
}

#[test]
fn limits_start_no_more_tasks_and_leave_them_active() {
    let project = three();
    let built = project.build(&["--all", "--max-blocks", "2", "--agent", AGENT]).ends(4);
    let said = built.json();
    assert_eq!(outcomes(&said), ["blocked", "blocked", "waiting"], "{said:#}");
    assert_eq!((&said["outcome"], &said["limit"]), (&"limit".into(), &"max_blocks".into()));
    assert_eq!(said["counts"]["waiting"], 1);
    assert!(project.workspaces().contains(&"003_t_active.xml".to_owned()));
    // A limit that keeps nothing from starting is none.
    let last = project.build(&["--all", "--max-blocks", "1", "--agent", AGENT]).ends(0);
    assert_eq!(last.json().get("limit"), None);
}

#[test]
fn a_limit_ends_the_tries_of_a_task_and_its_dependants_are_skipped() {
    let project = Project::empty();
    project.add("001_a", of("", &["a.txt"], "sleep 1; false"));
    project.add("002_b", of("depends=\"001\"", &["b.txt"], "true"));
    let words = ["build", "--all", "--deadline", "1s", "--attempts", "9", "--agent", AGENT];
    let built = project.ftl([&words[..], &["--format", "json"]].concat());
    let said = built.json();
    assert_eq!(built.code, Some(3), "{said:#}");
    assert_eq!(outcomes(&said), ["blocked", "skipped"], "{said:#}");
    assert_eq!(said["results"][0]["attempt"], 1);
    assert_eq!(said["limit"], "deadline");
}

#[test]
fn limits_of_usage_need_an_agent_that_reports_it() {
    let project = three();
    for (words, who) in [
        (
            &["--max-cost", "1", "--agent", "true"][..],
            "its cost: an agent given as a command does not",
        ),
        (&["--max-tokens", "9", "--tree"], "its tokens: no agent is named"),
    ] {
        let refused = project.ftl([&["build", "--all", "--format", "json"], words].concat());
        super::assert_refused(&refused, 2, "usage::limit", who);
    }
    for words in [["--deadline", "0"], ["--max-blocks", "0"], ["--max-cost", "free"]] {
        project.ftl([&["build", "--all"], &words[..]].concat()).ends(2);
    }
}

#[test]
fn a_dry_run_says_in_what_order_tasks_start_and_which_exclude_each_other() {
    let project = Project::empty();
    for (number, attributes, delta) in
        [(1, "depends=\"002\"", "a.txt"), (2, "", "src/b.txt"), (3, "", "SRC"), (4, "", "d.txt")]
    {
        project.add(&format!("00{number}_t"), of(attributes, &[delta], "true"));
    }
    let words = ["build", "--all", "--dry-run", "--agent", AGENT];
    let said = project.ftl([&words[..], &["--format", "json"]].concat()).json();
    assert_eq!(said["outcome"], "planned", "{said:#}");
    let schedule = serde_json::json!({
        "order": ["002_t", "001_t", "003_t", "004_t"],
        "overlaps": [["002_t", "003_t"]],
        "most_at_once": 3,
    });
    assert_eq!(said["schedule"], schedule);
    let counts = serde_json::json!({
        "complete": 0, "planned": 4, "blocked": 0, "skipped": 0, "waiting": 0, "failed": 0,
    });
    assert_eq!(said["counts"], counts);
    // Alone, one that depends on others would be refused.
    assert!(said["results"].as_array().unwrap().iter().all(|planned| planned["next"][0].is_null()));
    let printed = project.ftl(words).stdout;
    let expected =
        "order: 002_t, 001_t, 003_t, 004_t\noverlap: 002_t and 003_t\nat once: 3 at most\n";
    assert!(printed.contains(expected), "{printed}");
    let last = printed.lines().last().unwrap();
    assert!(last.starts_with("4 planned in "), "{printed}");
    assert!(printed.starts_with("· 002 t  planned\n"), "{printed}");
}

#[test]
fn of_all_active_tasks_those_that_depend_on_a_block_are_left_out() {
    let project = Project::empty();
    project.write(".ftl/workspace/001_t_blocked.xml", task().text("blocked"));
    for (number, attributes) in [(2, "depends=\"001\""), (3, "depends=\"002\"")] {
        project.add(&format!("00{number}_t"), of(attributes, &[&format!("{number}.txt")], "true"));
    }
    let alone = project.ftl(["build", "--all", "--agent", AGENT, "--format", "json"]).ends(3);
    assert_eq!(alone.outcomes(), ["skipped", "skipped"], "{alone:#?}");
    project.add("004_t", of("", &["4.txt"], "true"));
    let finished = project.build(&["--all", "--agent", AGENT]).ends(3);
    let said = finished.json();
    assert_eq!(finished.outcomes(), ["skipped", "skipped", "complete"], "{said:#}");
    let cause = said["results"][0]["cause"].as_str().unwrap();
    assert!(cause.contains("depends on the task `001`, which is not complete"), "{cause}");
}

#[test]
fn the_same_command_ends_alike_once_a_task_is_unreachable() {
    let project = Project::empty();
    project.add("001_a", of("", &["a.txt"], "false"));
    project.add("002_b", of("depends=\"001\"", &["b.txt"], "true"));
    for expected in [&["blocked", "skipped"][..], &["skipped"]] {
        let built = project.build(&["--all", "--agent", AGENT]).ends(3);
        assert_eq!(built.outcomes(), expected);
        assert_eq!(built.json()["outcome"], "blocked");
    }
}

fn read(project: &Project, path: &str) -> Option<String> {
    std::fs::read_to_string(project.path().join(path)).ok()
}

#[test]
fn the_work_of_a_block_is_in_no_other_task_and_can_be_taken() {
    for isolate in ["copy", "bind"] {
        let project = project("");
        let said = build(&project, &["--isolate", isolate, "--agent", AGENT]);
        assert_eq!(outcomes(&said), ["blocked", "complete"], "{said:#}");
        let seen = read(&project, "seen").unwrap();
        assert!(seen.starts_with("before\nbefore\n"), "{isolate}: {seen}");
        assert_eq!(read(&project, "notes.txt").unwrap(), "before\n");
        assert_eq!(read(&project, "gone.txt").unwrap(), "before\n");
        assert_eq!(read(&project, "new/it.txt"), None);
        let notes = project.path().join("notes.txt").metadata().unwrap();
        assert_eq!(notes.permissions().mode() & 0o777, 0o750);
        assert_eq!(read(&project, "other.txt").unwrap(), "before\nagent\n");
        project.ftl(["take", "001"]).ends(0);
        assert_eq!(read(&project, "notes.txt").unwrap(), "before\nagent\n");
        assert_eq!(read(&project, "new/it.txt").unwrap(), "agent\n");
        assert_eq!(read(&project, "gone.txt"), None);
        let notes = project.path().join("notes.txt").metadata().unwrap();
        assert_eq!(notes.permissions().mode() & 0o777, 0o750);
    }
}

#[test]
fn the_tries_of_one_command_go_on_from_each_other() {
    let project = project("");
    let said = build(&project, &["--attempts", "2", "--agent", AGENT]);
    assert_eq!(said["results"][0]["attempt"], 2, "{said:#}");
    assert_eq!(read(&project, "notes.txt").unwrap(), "before\n");
    assert_eq!(read(&project, "gone.txt").unwrap(), "before\n");
    project.ftl(["take", "001"]).ends(0);
    assert_eq!(read(&project, "notes.txt").unwrap(), "before\nagent\nagent\n");
}

#[test]
fn the_current_tree_is_never_put_back() {
    let project = project("");
    project.commit();
    project.write("notes.txt", "mine\n");
    project.write("other.txt", "mine\n");
    let said = build(&project, &["--tree"]);
    assert_eq!(outcomes(&said), ["blocked", "complete"], "{said:#}");
    assert_eq!(read(&project, "notes.txt").unwrap(), "mine\n");
}
