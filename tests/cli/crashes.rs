//! Builds that are killed, and what those that come after them find.

use super::project;
use crate::support::{Finished, Project};

const A: &str = ".ftl/workspace/001_a_active.xml";
const B: &str = ".ftl/workspace/002_b_active.xml";

/// Says on the pipe `started` that it runs and what its process is, then waits for the pipe `go`.
const WAITS: &str = "echo $$ > $OUT/started; read go < $OUT/go; echo late >> late.txt";

/// A project with two tasks, each with a separate file, and two pipes.
fn two_tasks() -> Project {
    let project = project(&[]);
    for (path, delta) in [(A, "a.txt"), (B, "b.txt")] {
        project.write(path, task_of(delta));
    }
    project.outside_pipes(&["started", "go"])
}

fn task_of(delta: &str) -> String {
    format!(
        "<workspace status=\"active\"><implementation><delta>{delta}</delta>\
         <verify>true</verify></implementation><delivered/></workspace>"
    )
}

/// Builds task 001 with an agent that is not mounted, kills ftl once the agent says that it runs, and returns the
/// agent's process, which is left.
fn killed(project: &Project, agent: &str) -> String {
    let build = format!(
        "\"$FTL\" build 001 --isolate copy --agent '{agent}' >/dev/null 2>&1 & read pid < $OUT/started; \
         kill -KILL $!; wait $!; echo $pid"
    );
    project.script(&build).stdout.trim().to_owned()
}

/// Builds task 001 from the beginning, with an agent that comes to its end.
fn built_again(project: &Project) -> Finished {
    project
        .script("\"$FTL\" build 001 --restart --isolate copy --agent 'echo once >> a.txt'")
        .ends(0)
}

/// Whether the process lives. A zombie does not.
fn runs(process: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let state = stat.rsplit_once(") ").map(|(_, fields)| fields.chars().next());
    state.is_some_and(|state| state != Some('Z'))
}

#[test]
fn an_agent_that_a_killed_build_left_is_ended_and_its_work_is_not_in_the_tree() {
    let project = two_tasks();
    let agent = format!("echo once >> a.txt; {WAITS}");
    let left = killed(&project, &agent);
    assert!(runs(&left), "{left}");
    let again = built_again(&project);
    assert!(!runs(&left), "{left}");
    assert!(again.stderr.contains("had left running"), "{again:#?}");
    assert!(again.stderr.contains(&left), "{again:#?}");
    assert_eq!(project.read("a.txt"), b"once\n");
    assert!(!project.path().join("late.txt").exists());
}

#[test]
fn a_daemon_outside_of_the_group_is_found_by_the_output_that_it_holds() {
    if !crate::support::has_tool("setsid", "setsid", &["true"]) {
        return;
    }
    let project = two_tasks();
    let agent = "setsid sh -c \"echo \\$\\$ > $OUT/started; exec sleep 1000\" & wait";
    let left = killed(&project, agent);
    assert!(runs(&left), "{left}");
    built_again(&project);
    assert!(!runs(&left), "{left}");
}

#[test]
fn a_tree_whose_builder_died_is_quiet_before_the_next_one_looks_at_it() {
    let project = two_tasks();
    let left = killed(&project, WAITS);
    assert!(runs(&left), "{left}");
    let other = project.script("\"$FTL\" build 002 --agent 'echo b >> b.txt'").ends(0);
    assert!(other.stderr.contains("001_a/1, which had died"), "{other:#?}");
    assert!(!runs(&left), "{left}");
}

#[test]
fn going_on_does_not_undo_what_others_built_since() {
    let project = two_tasks();
    let agent = format!("echo once >> a.txt; [ -e $OUT/again ] || {{ {WAITS}; }}");
    killed(&project, &agent);
    project.script("\"$FTL\" build 002 --agent 'echo b >> b.txt'").ends(0);
    project.mark("again");
    project.script(&format!("\"$FTL\" build 001 --agent '{agent}'")).ends(0);
    assert_eq!(project.read("a.txt"), b"once\n");
    assert_eq!(project.read("b.txt"), b"b\n");
}

#[test]
fn a_journal_whose_first_line_is_damaged_is_refused_until_a_restart() {
    let project = two_tasks();
    let kills = "echo $$ >$OUT/pid; exec \"$FTL\" build 001 --isolate copy --agent 'kill -KILL $(cat $OUT/pid); sleep 9'";
    assert_eq!(project.script(kills).code, None);
    let journal = ".ftl/runs/001_a/1/journal.jsonl";
    project.write(journal, project.text(journal).replacen("workspace", "x", 1));
    let refused = project.build(&["001", "--isolate", "copy", "--agent", "true"]);
    super::assert_refused(&refused, 1, "store::journal_damaged", "line 1");
    built_again(&project);
}

#[test]
fn a_record_that_only_lacks_its_name_is_finished_and_said_to_be() {
    let project = two_tasks();
    let finished =
        "<workspace status=\"complete\"><delivered>manually</delivered><run/></workspace>";
    project.write(A, finished);
    let said = project.build(&["001"]);
    super::assert_refused(&said, 2, "usage::workspace_finished", "already complete");
    assert_eq!(project.workspaces(), ["001_a_complete.xml", "002_b_active.xml"]);
    assert_eq!(project.read(".ftl/workspace/001_a_complete.xml"), finished.as_bytes());
}

/// A `git` that does not come to its end while it does `what`.
fn with_dying_git(project: &Project, what: &str, build: &str) -> Finished {
    // Outside the project, where ftl looks for programs.
    let bin = Project::empty();
    bin.write(
        "git",
        format!(
            "#!/bin/sh\ncase \" $* \" in *\" {what} \"*) kill -KILL $$;; esac\n\
             PATH=${{PATH#*:}}; exec git \"$@\"\n"
        ),
    );
    project.script(&format!(
        "chmod +x {bin}/git; PATH={bin}:$PATH {build}",
        bin = bin.path().display()
    ))
}

#[test]
fn a_git_that_is_killed_is_no_verdict() {
    let project = two_tasks();
    project.write("a.patch", "--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1 @@\n+a\n");
    let build = "\"$FTL\" build 001 --patch a.patch --format json";
    let killed = with_dying_git(&project, "apply", build);
    super::assert_refused(&killed, 1, "build::applying", "signal 9");
    project.script(build).ends(0);

    project.commit();
    let build = "\"$FTL\" build 002 --agent 'echo b > b.txt' --format json";
    let killed = with_dying_git(&project, "rev-parse", build);
    super::assert_refused(&killed, 1, "build::scope", "signal 9");
    project.script(build).ends(0);
}

#[test]
fn a_file_that_no_thread_can_check_is_not_passed_over() {
    let project = two_tasks();
    let build = "\"$FTL\" build 001 --agent 'echo a >> a.txt' --format json";
    // Less address space than a parser's stack takes.
    let cramped = project.script(&format!("ulimit -v 400000; {build}"));
    super::assert_refused(&cramped, 1, "build::checking", "cannot start a thread");
    project.script(build).ends(0);
    assert_eq!(project.read("a.txt"), b"a\n");
}
