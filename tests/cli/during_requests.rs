//! Other commands of ftl while an implementer works in the same tree: locks, and who may write into `.ftl`.

use std::path::Path;

use super::project;
use crate::support::task;
use crate::support::{FTL, Project};

const A: &str = "001_a_active.xml";
/// The agent says that it is at work, and waits.
const WAITS: &str = "echo >$OUT/started; read go <$OUT/go";

/// A project with tasks of these names, and two pipes in a scratch directory.
pub(super) fn with_pipes(names: &[&str]) -> Project {
    project(names).outside_pipes(&["started", "go"])
}

/// A project of which each command below could change a task.
fn with_tasks() -> Project {
    let project = with_pipes(&[A, "002_o_active.xml", "003_p_active.xml", "005_r_active.xml"]);
    project.write(".ftl/workspace/004_q_active.xml", "<workspace status=\"active\"/>");
    project.ftl(["workspace", "block", ".ftl/workspace/005_r_active.xml", "--reason", "x"]).ends(0);
    project.write("target/plan.json", r#"{"tasks": [{"seq": "009", "slug": "planned"}]}"#);
    project
}

const WRITERS: [&str; 5] = [
    "new 'a new task' --delta other.txt --verify true",
    "workspace create --plan target/plan.json",
    "workspace complete .ftl/workspace/002_o_active.xml --delivered done",
    "drop 003",
    "reopen 005 --delta other.txt",
];

#[test]
fn commands_write_beside_a_request() {
    for isolate in ["auto", "copy"] {
        let project = with_tasks();
        let writers: String =
            WRITERS.map(|words| format!("\"$FTL\" {words} >&2 || exit 9;")).concat();
        let finished = project.script(&format!(
            "\"$FTL\" build 001 --isolate {isolate} --format json --agent 'echo work >>notes.txt; {WAITS}' & \
             first=$!; read line <$OUT/started; {writers} echo >$OUT/go; wait $first"
        ));
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

/// Without the variables of its request, a command is not known to come from within. It changes the workplace's files.
#[test]
fn a_command_that_an_agent_hides_from_its_request_reaches_no_task_of_the_project() {
    let project = with_tasks();
    let agent = format!(
        "env -u FTL_REQUEST -u FTL_ROOT '{FTL}' reopen 005 --delta other.txt; echo work >>notes.txt"
    );
    project.build(&["001", "--agent", &agent]).ends(0);
    let names = project.workspaces();
    assert!(names.contains(&"005_r_blocked.xml".to_owned()), "{names:?}");
}

/// The implementer wrote before it was killed, the user's commands after that.
#[test]
fn tasks_made_and_finished_after_a_killed_request_are_the_users() {
    let project = with_tasks();
    let agent = "[ -e $OUT/again ] || { echo >$OUT/again; cp .ftl/workspace/002_o_active.xml \
                 .ftl/workspace/008_planted_active.xml; kill -9 $(cat $OUT/pid); sleep 9; exit; }; echo work >>notes.txt";
    let build =
        format!("echo $$ >$OUT/pid; exec \"$FTL\" build 001 --isolate copy --agent '{agent}'");
    let killed = project.script(&build);
    assert_eq!(killed.code, None, "{killed:#?}");
    for words in WRITERS {
        project.script(&format!("\"$FTL\" {words}")).ends(0);
    }
    let mut expected = project.workspaces();
    project.script(&build).ends(0);
    expected.retain(|name| name != A);
    expected.insert(0, "001_a_complete.xml".to_owned());
    assert_eq!(project.workspaces(), expected);
}

/// `ftl new` is not a change that the verify made.
#[test]
fn a_task_that_is_made_and_one_that_is_dropped_during_a_verify_are_not_reported() {
    let project = with_tasks();
    let verify = "echo &gt;$OUT/started; read go &lt;$OUT/go";
    project.add("001_a", task().verify(verify));
    let finished = project.script("\"$FTL\" build 001 --format json --agent 'echo work >>notes.txt' & read line <$OUT/started; \
         \"$FTL\" new 'a new task' --delta other.txt --verify true >&2; \"$FTL\" drop 003 >&2; \
         echo >$OUT/go; wait $!",
    ).ends(0);
    let result = finished.json();
    assert_eq!(result["verify"][0]["findings"], serde_json::json!([]), "{finished:#?}");
    assert!(!finished.stdout.contains(".ftl/workspace/003"), "{finished:#?}");
}

/// Each works in a separate workplace, and only landings wait for each other.
#[test]
fn builders_in_projects_within_each_other_work_side_by_side() {
    for (first, second) in [(".", "in"), ("in", ".")] {
        let project = with_pipes(&[A]);
        project.write("in/notes.txt", "inner\n");
        project.write(format!("in/.ftl/workspace/{A}"), task().active());
        let build = "\"$FTL\" build 001 --format json --agent";
        let finished = project.script(&format!(
            "(cd {first}; {build} 'echo first >>notes.txt; {WAITS}' >/dev/null) & first=$!; \
             read line <$OUT/started; (cd {second}; {build} 'echo second >>notes.txt'); code=$?; \
             echo >$OUT/go; wait $first && exit $code"
        ));
        finished.ends(0);
        for (dir, word) in [(first, "first"), (second, "second")] {
            let text = project.text(Path::new(dir).join("notes.txt"));
            assert!(text.ends_with(&format!("{word}\n")), "{text}");
        }
    }
}

#[test]
fn a_lock_that_the_agent_deletes_lets_no_second_builder_in() {
    let project = with_pipes(&[A, "002_o_active.xml"]);
    let finished = project.script(&format!(
        "\"$FTL\" build 001 --agent 'echo work >>notes.txt; rm -rf .ftl/locks; {WAITS}' >$OUT/first & \
         read line <$OUT/started; \
         for task in 001 002; do \"$FTL\" build $task --agent 'echo second >>notes.txt'; echo $task $?; done; \
         echo >$OUT/go; wait $!"
    ));
    assert!(finished.stdout.contains("001 1\n002 1\n"), "{finished:#?}");
    assert_eq!(finished.code, Some(0), "{finished:#?}");
    assert_eq!(project.read("notes.txt"), b"before\nwork\n");
}
