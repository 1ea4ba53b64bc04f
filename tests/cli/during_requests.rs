//! Other commands of ftl while an implementer works in the same tree: locks, and who may write into `.ftl`.

use std::path::Path;

use super::project;
use crate::support::task;
use crate::support::{FTL, Project};

const A: &str = "001_a_active.xml";
/// The agent says that it is at work, and waits.
const WAITS: &str = "echo >target/started; read go <target/go";

/// A project with tasks of these names, and two pipes in a scratch directory.
pub(super) fn with_pipes(names: &[&str]) -> Project {
    project(names).pipes(&["target/started", "target/go"])
}

/// A project of which each command below could change a task.
fn with_tasks() -> Project {
    let project = with_pipes(&[A, "002_o_active.xml", "003_p_active.xml", "005_r_active.xml"]);
    project.write(".ftl/workspace/004_q_active.xml", "<workspace status=\"active\"/>");
    project.ftl(["workspace", "block", ".ftl/workspace/005_r_active.xml", "--reason", "x"]).ends(0);
    project.write("target/plan.json", r#"{"tasks": [{"seq": "009", "slug": "planned"}]}"#);
    project
}

const WRITERS: [&str; 7] = [
    "new 'a new task' --delta other.txt --verify true",
    "workspace create --plan target/plan.json",
    "workspace complete .ftl/workspace/002_o_active.xml --delivered done",
    "drop 003",
    "reopen 005 --delta other.txt",
    "build 004",
    "build 002 --agent true",
];

#[test]
fn commands_that_write_are_refused_during_a_request_without_isolation() {
    let project = with_tasks();
    let refused: String = WRITERS
        .iter()
        .map(|words| format!("\"$FTL\" {words} >target/said 2>&1; echo $? $(cat target/said);"))
        .collect();
    let finished = project.script(&format!(
            "\"$FTL\" build 001 --isolate copy --format json --agent 'echo work >>notes.txt; {WAITS}' >target/first & \
             first=$!; read line <target/started; {refused} \"$FTL\" status >/dev/null; echo $?; \
             \"$FTL\" show 005 >/dev/null; echo $?; \"$FTL\" build 002 --agent true --dry-run >/dev/null; echo $?; \
             echo >target/go; wait $first"
        ),
    ).ends(0);
    let lines: Vec<&str> = finished.stdout.lines().collect();
    let (said, reading) = lines.split_at(WRITERS.len());
    for (said, words) in said.iter().zip(WRITERS) {
        let held =
            "`.ftl`, while task `001_a` is implemented without isolation, is held by process";
        assert!(said.starts_with("1 ") && said.contains("store::lock_held"), "{words}: {said}");
        assert!(said.contains(held) && said.contains("`--wait`"), "{words}: {said}");
    }
    assert_eq!(reading, ["0", "0", "0"], "{finished:#?}");
    let tasks = ["002_o_active", "003_p_active", "004_q_active", "005_r_blocked"];
    let expected: Vec<String> =
        ["001_a_complete"].iter().chain(&tasks).map(|name| format!("{name}.xml")).collect();
    assert_eq!(project.workspaces(), expected);
    assert!(!project.path().join(".ftl/runs/004_q").exists(), "{finished:#?}");
}

#[test]
fn commands_write_beside_an_isolated_request_and_after_one_without_isolation_if_they_wait() {
    for (isolate, wait) in [("auto", ""), ("copy", "--wait")] {
        let project = with_tasks();
        let writers: String = WRITERS[..5]
            .iter()
            .map(|words| {
                format!("\"$FTL\" {words} {wait} >&2 2>>target/said & writers=\"$writers $!\";")
            })
            .collect();
        let ready = match wait {
            "" => "for writer in $writers; do wait $writer || exit; done",
            _ => "until grep -q '^waiting for process' target/said; do :; done",
        };
        let finished = project.script(&format!(
                "\"$FTL\" build 001 --isolate {isolate} --format json --agent 'echo work >>notes.txt; {WAITS}' & \
                 first=$!; read line <target/started; {writers} {ready}; echo >target/go; \
                 for writer in $writers; do wait $writer || echo $? >&2; done; wait $first"
            ),
        );
        let result = finished.json();
        assert_eq!(result["outcome"], "complete", "{isolate}: {finished:#?}");
        assert_eq!(result["strays"], serde_json::json!([]), "{isolate}: {finished:#?}");
        let names = project.workspaces();
        for name in ["002_o_complete", "003_p_dropped", "005_r_active", "009_planned_active"] {
            assert!(names.contains(&format!("{name}.xml")), "{isolate}: {names:?} {finished:#?}");
        }
        assert!(names.iter().any(|name| name.ends_with("a-new-task_active.xml")), "{names:?}");
    }
}

/// Without the variables of its request, a command is not known to come from within.
#[test]
fn a_command_that_an_agent_hides_from_its_request_is_refused_as_any_other() {
    let project = with_tasks();
    let agent = format!(
        "env -u FTL_REQUEST -u FTL_ROOT '{FTL}' reopen 005 --delta other.txt; echo $? >notes.txt"
    );
    project.ftl(["build", "001", "--isolate", "copy", "--agent", &agent]).ends(0);
    assert_eq!(project.read("notes.txt"), b"1\n");
    assert!(project.workspaces().contains(&"005_r_blocked.xml".to_owned()));
}

/// The implementer wrote before it was killed, the user's commands after that.
#[test]
fn tasks_made_and_finished_after_a_killed_request_are_not_taken_for_its_work() {
    let project = with_tasks();
    let agent = "[ -e target/again ] || { echo >target/again; cp .ftl/workspace/002_o_active.xml \
                 .ftl/workspace/008_planted_active.xml; kill -9 $PPID; exit; }; echo work >>notes.txt";
    let build = ["build", "001", "--isolate", "copy", "--format", "json", "--agent", agent];
    assert_eq!(project.ftl(build).code, None);
    for words in &WRITERS[..5] {
        project.script(&format!("\"$FTL\" {words}")).ends(0);
    }
    project.ftl(["build", "004", "--agent", "true"]).ends(3);
    let before = project.workspaces();
    let asked = project.ftl(build);
    super::assert_refused(&asked, 1, "build::whose_work", "008_planted_active.xml");
    assert_eq!(
        asked.json()["error"]["paths"],
        serde_json::json!([".ftl/workspace/008_planted_active.xml"]),
        "{asked:#?}"
    );
    let mut expected = before;
    project.ftl(build.into_iter().chain(["--put-back"])).ends(0);
    expected.retain(|name| name != "008_planted_active.xml" && name != A);
    expected.insert(0, "001_a_complete.xml".to_owned());
    assert_eq!(project.workspaces(), expected);
}

/// `ftl new` is not a change that the verify made.
#[test]
fn a_task_that_is_made_and_one_that_is_dropped_during_a_verify_are_not_reported() {
    let project = with_tasks();
    let verify = "echo &gt;target/started; read go &lt;target/go";
    project.add("001_a", task().verify(verify));
    let finished = project.script("\"$FTL\" build 001 --format json --agent 'echo work >>notes.txt' & read line <target/started; \
         \"$FTL\" new 'a new task' --delta other.txt --verify true >&2; \"$FTL\" drop 003 >&2; \
         echo >target/go; wait $!",
    ).ends(0);
    let result = finished.json();
    assert_eq!(result["verify"][0]["findings"], serde_json::json!([]), "{finished:#?}");
    assert!(!finished.stdout.contains(".ftl/workspace/003"), "{finished:#?}");
}

#[test]
fn builders_in_projects_within_each_other_lock_each_other_out() {
    for (first, second) in [(".", "in"), ("in", ".")] {
        let project = with_pipes(&[A]);
        project.write("in/notes.txt", "inner\n");
        project.write(format!("in/.ftl/workspace/{A}"), task().active());
        let build = "\"$FTL\" build 001 --format json --agent";
        let finished = project
            .script(&format!(
                "P=$PWD; (cd {first}; {build} \"echo work >>notes.txt; echo >$P/target/started; \
                 read go <$P/target/go\" >/dev/null) & read line <target/started; \
                 (cd {second}; {build} 'echo >>notes.txt'); code=$?; \
                 (cd {second}; {build} 'echo waited >>notes.txt' --wait >&2) & waits=$!; \
                 echo >target/go; wait $waits; wait; exit $code"
            ))
            .ends(1);
        let error = &finished.json()["error"];
        assert_eq!(error["code"], "store::lock_held", "{finished:#?}");
        assert!(error["message"].as_str().unwrap().contains("is held by process"), "{finished:#?}");
        assert_eq!(project.workspaces(), ["001_a_complete.xml"]);
        let inner = project.path().join("in/.ftl/workspace/001_a_complete.xml");
        assert!(inner.exists(), "{first}: {finished:#?}");
        let waited = project.read(Path::new(second).join("notes.txt"));
        assert!(waited.ends_with(b"waited\n"), "{finished:#?}");
    }
}

#[test]
fn a_lock_that_the_agent_deletes_lets_no_second_builder_in() {
    let project = with_pipes(&[A, "002_o_active.xml"]);
    let finished = project.script("\"$FTL\" build 001 --isolate copy --format json --agent 'echo work >>notes.txt; rm -rf .ftl/locks; echo >target/started; \
         read go <target/go' >target/first & read line <target/started; \
         for task in 001 002; do \"$FTL\" build $task --agent 'echo second >>notes.txt'; echo $task $?; done; \
         echo >target/go; wait $!",
    );
    assert!(finished.stdout.contains("001 1\n002 1\n"), "{finished:#?}");
    // Locks are not the agent's to delete.
    assert_eq!(finished.code, Some(3), "{finished:#?}");
    assert_eq!(project.read("notes.txt"), b"before\nwork\n");
}
