//! A world that does not play along: no room to write, no program to start.

use ftl_testkit::program::Program;

use crate::support::{FTL, Finished, Project};

const ACTIVE: &str = ".ftl/workspace/001_task_active.xml";

const TASK: &str = "<workspace id=\"001-task\" status=\"active\"><implementation>\
    <delta>notes.txt</delta><verify>true</verify><budget>5</budget></implementation>\
    <delivered/></workspace>\n";

fn project() -> Project {
    let project = Project::empty();
    project.write(ACTIVE, TASK);
    project.write("notes.txt", "before\n");
    project
}

fn shell(project: &Project, script: &str) -> Finished {
    let shell = Program::new("sh", project.path()).without_cargo();
    Finished::of(shell.args(["-c", script]))
}

/// A limit of nothing on the size of files simulates a full disk: every write to one fails.
#[test]
fn a_full_disk_leaves_the_task_as_it_was_and_it_can_be_built_later() {
    let project = project();
    let build = format!("'{FTL}' build 001 --tree --format json");
    let finished = shell(&project, &format!("trap '' XFSZ; ulimit -f 0; exec {build}")).ends(1);
    assert_eq!(finished.json()["outcome"], "failed", "{finished:#?}");
    assert!(!finished.stderr.is_empty(), "{finished:#?}");
    assert_eq!(project.read(ACTIVE), TASK.as_bytes());
    assert_eq!(project.workspaces(), ["001_task_active.xml"]);
    assert_eq!(project.read("notes.txt"), b"before\n");

    let again = shell(&project, &build);
    assert_eq!(again.json()["outcome"], "complete", "{again:#?}");
}

#[test]
fn output_that_cannot_be_written_is_not_a_success() {
    let project = project();
    let script = format!("'{FTL}' workspace parse {ACTIVE} >/dev/full");
    let finished = shell(&project, &script).ends(1);
    assert!(finished.stderr.contains("No space left"), "{finished:#?}");
}

#[test]
fn an_agent_that_the_shell_cannot_find_is_a_block() {
    let project = project();
    let words = ["build", "001", "--agent", "no-such-program-anywhere"];
    let finished = project.ftl(words.into_iter().chain(["--format", "json"])).ends(3);
    let said = finished.json();
    assert_eq!(said["block"]["kind"], "implement_failed", "{finished:#?}");
    assert_eq!(said["budget"]["used"], 1, "{finished:#?}");
}
