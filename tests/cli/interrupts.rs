//! Builds that are interrupted, and builds that meet each other.

use super::during_requests::with_pipes;
use super::project;
use crate::support::Project;
use crate::support::task;

const A: &str = "001_a_active.xml";

/// A project whose verify says on the pipe `started` that it runs, then waits for the pipe `go`.
fn waiting() -> Project {
    let verify = "echo > started; read go &lt; go";
    project(&[]).task("001_a", task().verify(verify)).pipes(&["started", "go"])
}

#[test]
fn an_interrupted_build_ends_with_the_signal_and_goes_on_later() {
    for (signal, exit) in [("INT", 130), ("TERM", 143)] {
        let project = waiting();
        let interrupt = format!(
            "\"$FTL\" build 001 --format json & \
             read line < started; kill -{signal} $!; wait $!"
        );
        let finished = project.script(&interrupt).ends(exit);
        let said = finished.json();
        assert_eq!(said["outcome"], "failed", "{finished:#?}");
        assert_eq!(said["error"]["code"], "build::interrupted", "{finished:#?}");
        assert_eq!(project.workspaces(), [A]);

        let resume = "(read line < started; echo > go) & \"$FTL\" build 001 --format json";
        let finished = project.script(resume).ends(0);
        assert_eq!(finished.json()["budget"]["used"], 3, "{finished:#?}");
        assert_eq!(project.workspaces(), ["001_a_complete.xml"]);
    }
}

#[test]
fn an_interrupted_agent_gets_the_signal_and_is_asked_once_more_later() {
    for (signal, exit) in [("INT", 130), ("TERM", 143)] {
        let project = with_pipes(&[A]);
        let agent = format!(
            "trap \"echo {signal} > $OUT/signal; exit 1\" {signal}; echo work >> notes.txt; \
             echo > $OUT/started; read go < $OUT/go"
        );
        let build = format!("\"$FTL\" build 001 --isolate copy --agent '{agent}' --format json");
        let interrupt = format!("{build} & read line < $OUT/started; kill -{signal} $!; wait $!");
        let finished = project.script(&interrupt).ends(exit);
        assert_eq!(finished.json()["error"]["code"], "build::interrupted");
        assert_eq!(project.read(project.outside("signal")), format!("{signal}\n").as_bytes());
        assert_eq!(project.workspaces(), [A]);

        let resume = format!("(read line < $OUT/started; echo > $OUT/go) & {build}");
        project.script(&resume).ends(0);
        assert_eq!(project.read("notes.txt"), b"before\nwork\n");
    }
}

#[test]
fn the_work_of_each_interrupted_request_is_kept_for_itself() {
    let project = with_pipes(&[A]);
    let interrupt = "\"$FTL\" build 001 --agent 'cat word >> notes.txt; echo > $OUT/started; read go < $OUT/go' & \
                     read line < $OUT/started; kill -INT $!; wait $!";
    for work in ["first", "second"] {
        project.write("word", work);
        let finished = project.script(interrupt);
        assert_eq!(finished.code, Some(130), "{finished:#?}");
        let dir = if work == "first" { "1" } else { "1-2" };
        let expected = format!(".ftl/runs/001_a/1/interrupted/{dir}/.");
        assert!(finished.stderr.contains(&expected), "{finished:#?}");
    }
    for (dir, work) in [("1", "first"), ("1-2", "second")] {
        let kept = project.read(format!(".ftl/runs/001_a/1/interrupted/{dir}/notes.txt"));
        assert!(kept.ends_with(work.as_bytes()), "{dir}: {kept:?}");
    }
}

/// Without the second interrupt, the agent would have the grace to say that it survived.
#[test]
fn a_second_interrupt_gives_no_grace() {
    let project = with_pipes(&[A]);
    let agent = "trap \"echo > $OUT/started; sleep 4; echo > $OUT/survived\" INT; \
                 echo > $OUT/started; while :; do sleep 0.1; done";
    let twice = format!(
        "\"$FTL\" build 001 --isolate copy --agent '{agent}' --format json & read line < $OUT/started; \
         kill -INT $!; read line < $OUT/started; kill -INT $!; wait $!"
    );
    project.script(&twice).ends(130);
    assert!(!project.outside("survived").exists());
    assert_eq!(project.workspaces(), [A]);
}

#[test]
fn a_second_builder_is_refused_with_the_first_ones_process() {
    let project = waiting();
    let both = "\"$FTL\" build 001 > first & read line < started; echo $! >&2; \
                \"$FTL\" build 001 --format json; code=$?; echo > go; wait $!; exit $code";
    let finished = project.script(both);
    let pid = finished.stderr.lines().find(|line| line.parse::<u32>().is_ok());
    super::assert_refused(&finished, 1, "store::lock_held", pid.unwrap());
    assert!(project.text("first").starts_with("✓ 001 a"));
}

#[test]
fn a_builder_that_waits_builds_when_the_tree_is_free() {
    let project = waiting();
    project.add("002_b", task());
    let both = "\"$FTL\" build 001 > first & read line < started; \
                \"$FTL\" build 002 --wait 2> said & \
                until grep -q '^waiting for process' said; do :; done; echo > go; wait";
    let finished = project.script(both).ends(0);
    assert!(finished.stdout.starts_with("✓ 002 b"), "{finished:#?}");
    let expected = ["001_a_complete.xml", "002_b_complete.xml"];
    assert_eq!(project.workspaces(), expected);
}

#[test]
fn builders_of_two_roots_in_one_repository_work_at_once_on_binds() {
    if !super::isolation::possible() {
        return;
    }
    let (project, outside) = super::isolation::with_pipes();
    for root in ["one", "two"] {
        project.write(format!("{root}/notes.txt"), "before\n");
        project.write(format!("{root}/.ftl/workspace/001_a_active.xml"), task().active());
    }
    project.commit();
    let dir = outside.path().display();
    let agent = "echo after >> notes.txt";
    let both = format!(
        "cd one; \"$FTL\" build --isolate bind --agent '{agent}; echo > {dir}/started; read go < {dir}/go' & \
         read line < {dir}/started; \
         cd ../two; \"$FTL\" build --isolate bind --agent '{agent}'; code=$?; \
         echo > {dir}/go; wait $!; exit $code"
    );
    let finished = project.script(&both);
    assert_eq!(finished.code, Some(0), "{finished:#?}");
    for root in ["one", "two"] {
        assert_eq!(project.read(format!("{root}/notes.txt")), b"before\nafter\n", "{root}");
    }
}
