//! Builds that are interrupted, and builds that meet each other.

use ftl_testkit::program::Program;

use super::{project, task};
use crate::support::{FTL, Finished, Project};

const A: &str = "001_a_active.xml";

/// A project whose verify says on the pipe `started` that it runs, then waits for the pipe `go`.
fn waiting() -> Project {
    let project = project(&[]);
    let verify = "echo > started; read go &lt; go";
    project.write(format!(".ftl/workspace/{A}"), task("", verify));
    let pipes = Program::new("mkfifo", project.path());
    pipes.args(["started", "go"]).run().unwrap();
    project
}

/// Runs a shell script in which `$FTL` is the program.
fn script(project: &Project, script: &str) -> Finished {
    let shell = Program::new("sh", project.path()).without_cargo();
    Finished::of(shell.env("FTL", FTL).args(["-c", script]))
}

#[test]
fn an_interrupted_build_ends_with_the_signal_and_goes_on_later() {
    for (signal, exit) in [("INT", 130), ("TERM", 143)] {
        let project = waiting();
        let interrupt = format!(
            "\"$FTL\" build 001 --format json & \
             read line < started; kill -{signal} $!; wait $!"
        );
        let finished = script(&project, &interrupt);
        assert_eq!(finished.code, Some(exit), "{finished:#?}");
        let said = finished.json();
        assert_eq!(said["outcome"], "failed", "{finished:#?}");
        assert_eq!(said["error"]["code"], "build::interrupted", "{finished:#?}");
        assert_eq!(project.workspaces(), [A]);

        let resume = "(read line < started; echo > go) & \"$FTL\" build 001 --format json";
        let finished = script(&project, resume);
        assert_eq!(finished.code, Some(0), "{finished:#?}");
        assert_eq!(finished.json()["budget"]["used"], 3, "{finished:#?}");
        assert_eq!(project.workspaces(), ["001_a_complete.xml"]);
    }
}

/// A project whose agent says on a pipe that it runs. The pipes lie in a directory that is
/// scratch.
fn with_pipes() -> Project {
    let project = project(&[A]);
    std::fs::create_dir(project.path().join("target")).unwrap();
    let pipes = Program::new("mkfifo", project.path());
    pipes.args(["target/started", "target/go"]).run().unwrap();
    project
}

#[test]
fn an_interrupted_agent_gets_the_signal_and_is_asked_once_more_later() {
    for (signal, exit) in [("INT", 130), ("TERM", 143)] {
        let project = with_pipes();
        let agent = format!(
            "trap \"echo {signal} > target/signal; exit 1\" {signal}; echo work >> notes.txt; \
             echo > target/started; read go < target/go"
        );
        let build = format!("\"$FTL\" build 001 --isolate off --agent '{agent}' --format json");
        let interrupt = format!("{build} & read line < target/started; kill -{signal} $!; wait $!");
        let finished = script(&project, &interrupt);
        assert_eq!(finished.code, Some(exit), "{finished:#?}");
        assert_eq!(finished.json()["error"]["code"], "build::interrupted");
        assert_eq!(project.read("target/signal"), format!("{signal}\n").as_bytes());
        assert_eq!(project.workspaces(), [A]);

        let resume = format!("(read line < target/started; echo > target/go) & {build}");
        let finished = script(&project, &resume);
        assert_eq!(finished.code, Some(0), "{finished:#?}");
        assert_eq!(project.read("notes.txt"), b"before\nwork\n");
    }
}

/// Without the second interrupt, the agent would have the grace to say that it survived.
#[test]
fn a_second_interrupt_gives_no_grace() {
    let project = with_pipes();
    let agent = "trap \"echo > target/started; sleep 4; echo > .ftl/survived\" INT; \
                 echo > target/started; while :; do sleep 0.1; done";
    let twice = format!(
        "\"$FTL\" build 001 --isolate off --agent '{agent}' --format json & read line < target/started; \
         kill -INT $!; read line < target/started; kill -INT $!; wait $!"
    );
    let finished = script(&project, &twice);
    assert_eq!(finished.code, Some(130), "{finished:#?}");
    assert!(!project.path().join(".ftl/survived").exists());
    assert_eq!(project.workspaces(), [A]);
}

#[test]
fn a_second_builder_is_refused_with_the_first_ones_process() {
    let project = waiting();
    let both = "\"$FTL\" build 001 > first & read line < started; echo $! >&2; \
                \"$FTL\" build 001 --format json; code=$?; echo > go; wait $!; exit $code";
    let finished = script(&project, both);
    let pid = finished.stderr.lines().find(|line| line.parse::<u32>().is_ok());
    super::assert_refused(&finished, 1, "store::lock_held", pid.unwrap());
    assert!(project.read("first").starts_with(b"complete"));
}

#[test]
fn a_builder_that_waits_builds_when_the_tree_is_free() {
    let project = waiting();
    project.write(".ftl/workspace/002_b_active.xml", task("", "true"));
    let both = "\"$FTL\" build 001 > first & read line < started; \
                \"$FTL\" build 002 --wait 2> said & \
                until grep -q '^waiting for process' said; do :; done; echo > go; wait";
    let finished = script(&project, both);
    assert_eq!(finished.code, Some(0), "{finished:#?}");
    assert!(finished.stdout.starts_with("complete  002_b"), "{finished:#?}");
    let expected = ["001_a_complete.xml", "002_b_complete.xml"];
    assert_eq!(project.workspaces(), expected);
}
