//! Whose work it is that is in the tree after a build without isolation was interrupted or killed.
//!
//! An interrupt is compared at once, so whatever differs later is the user's. After a kill there was no
//! comparison, and ftl asks instead of guessing.

use std::path::PathBuf;

use ftl_testkit::program::Program;

use super::assert_refused;
use super::during_requests::with_pipes;
use crate::support::{FTL, Finished, Project};

const A: &str = "001_a_active.xml";

/// Writes the delta and a stray, says so, and waits. Once it finds a mark of the test, it only works.
const AGENT: &str = "echo work >> notes.txt; [ -e target/again ] || { echo stray > stray.txt; \
                     echo > target/started; read go < target/go; }";

fn script(project: &Project, script: &str) -> Finished {
    let shell = Program::new("sh", project.path()).without_cargo();
    Finished::of(shell.env("FTL", FTL).env("AGENT", AGENT).args(["-c", script]))
}

/// Builds until the agent has written, then sends `signal` to ftl.
fn stopped_by(project: &Project, signal: &str) -> Finished {
    let build = format!(
        "\"$FTL\" build 001 --isolate off --agent \"$AGENT\" --format json & read line < target/started; \
         kill -{signal} $!; wait $!"
    );
    let finished = script(project, &build);
    project.write("target/again", "");
    finished
}

fn goes_on(project: &Project, option: &str) -> Finished {
    script(
        project,
        &format!("\"$FTL\" build 001 {option} --isolate off --agent \"$AGENT\" --format json"),
    )
}

fn kept_copy(project: &Project, name: &str) -> PathBuf {
    let dir = ".ftl/runs/001_a/1/interrupted/1";
    project.path().join(dir).join(name)
}

#[test]
fn an_interrupt_puts_back_at_once_and_says_where_the_partial_work_is() {
    for (signal, exit) in [("INT", 130), ("TERM", 143), ("HUP", 129)] {
        let project = with_pipes(&[A]);
        let finished = stopped_by(&project, signal).ends(exit);
        assert_eq!(project.read("notes.txt"), b"before\n");
        assert!(!project.path().join("stray.txt").exists());
        assert_eq!(project.read(kept_copy(&project, "notes.txt")), b"before\nwork\n");
        assert_eq!(project.read(kept_copy(&project, "stray.txt")), b"stray\n");
        let dir = ".ftl/runs/001_a/1/interrupted/1";
        assert!(finished.stderr.contains(dir), "{finished:#?}");
        let help = finished.json()["error"]["help"].to_string();
        assert!(help.contains("ftl build 001 --isolate off --agent"), "{help}");
    }
}

#[test]
fn the_command_that_is_printed_brings_the_partial_work_back() {
    let project = with_pipes(&[A]);
    let finished = stopped_by(&project, "INT");
    let command = finished.stderr.split('`').find(|part| part.starts_with("cp -a"));
    script(&project, command.unwrap()).ends(0);
    assert_eq!(project.read("notes.txt"), b"before\nwork\n");
    assert_eq!(project.read("stray.txt"), b"stray\n");
}

#[test]
fn changes_by_a_person_after_an_interrupt_stay() {
    let project = with_pipes(&[A]);
    stopped_by(&project, "INT");
    project.write("notes.txt", "mine\n");
    project.write("mine.txt", "mine too\n");
    goes_on(&project, "").ends(0);
    assert_eq!(project.read("notes.txt"), b"mine\nwork\n");
    assert_eq!(project.read("mine.txt"), b"mine too\n");
}

#[test]
fn after_a_kill_ftl_does_not_guess_and_touches_nothing() {
    let project = with_pipes(&[A]);
    stopped_by(&project, "KILL");
    project.write("mine.txt", "mine\n");
    for option in ["", "--restart"] {
        let asked = goes_on(&project, option);
        assert_refused(&asked, 1, "build::whose_work", "mine.txt");
        let paths = &asked.json()["error"]["paths"];
        assert!(paths.as_array().unwrap().contains(&"mine.txt".into()), "{asked:#?}");
        let help = asked.json()["error"]["help"].to_string();
        assert!(help.contains("--keep") && help.contains("--put-back"), "{help}");
        assert_eq!(project.read("notes.txt"), b"before\nwork\n");
        assert_eq!(project.read("stray.txt"), b"stray\n");
        assert_eq!(project.read("mine.txt"), b"mine\n");
    }
}

#[test]
fn after_a_kill_the_user_may_keep_everything() {
    let project = with_pipes(&[A]);
    stopped_by(&project, "KILL");
    project.write("mine.txt", "mine\n");
    let again = goes_on(&project, "--keep").ends(0);
    assert_eq!(project.read("notes.txt"), b"before\nwork\nwork\n");
    assert_eq!(project.read("mine.txt"), b"mine\n");
    assert_eq!(again.json()["files"][0]["change"], "modified", "{again:#?}");
}

#[test]
fn after_a_kill_the_tree_may_be_put_back() {
    let project = with_pipes(&[A]);
    stopped_by(&project, "KILL");
    project.write("mine.txt", "mine\n");
    let again = goes_on(&project, "--put-back").ends(0);
    assert_eq!(project.read("notes.txt"), b"before\nwork\n");
    assert!(!project.path().join("mine.txt").exists());
    assert_eq!(project.read(kept_copy(&project, "mine.txt")), b"mine\n");
    assert_eq!(project.read(kept_copy(&project, "stray.txt")), b"stray\n");
    assert!(again.stderr.contains("mine.txt"), "{again:#?}");
}

#[test]
fn after_a_kill_the_delta_alone_is_put_back_with_a_copy_that_is_named() {
    let project = with_pipes(&[A]);
    stopped_by(&project, "KILL");
    std::fs::remove_file(project.path().join("stray.txt")).unwrap();
    let again = goes_on(&project, "").ends(0);
    assert_eq!(project.read("notes.txt"), b"before\nwork\n");
    assert_eq!(project.read(kept_copy(&project, "notes.txt")), b"before\nwork\n");
    assert!(again.stderr.contains("interrupted/1"), "{again:#?}");
}

/// The second build put back and was stopped before its own request.
#[test]
fn changes_by_a_person_after_a_put_back_stay() {
    let project = with_pipes(&[A]);
    stopped_by(&project, "KILL");
    std::fs::remove_file(project.path().join("target/again")).unwrap();
    let stopped = "\"$FTL\" build 001 --put-back --isolate off --agent \"$AGENT\" --format json & \
                   read line < target/started; kill -INT $!; wait $!";
    script(&project, stopped).ends(130);
    project.write("target/again", "");
    project.write("notes.txt", "mine\n");
    goes_on(&project, "").ends(0);
    assert_eq!(project.read("notes.txt"), b"mine\nwork\n");
}

/// The process that put it back may have been killed before it named it.
#[test]
fn files_that_were_put_back_are_named_whenever_the_build_goes_on() {
    let project = with_pipes(&[A]);
    stopped_by(&project, "KILL");
    project.write("notes.txt", "mine\n");
    std::fs::remove_file(project.path().join("stray.txt")).unwrap();
    std::fs::remove_file(project.path().join("target/again")).unwrap();
    // The build that puts back is killed in its own request; what it said is lost.
    stopped_by(&project, "KILL");
    std::fs::remove_file(project.path().join("stray.txt")).unwrap();
    let again = goes_on(&project, "").ends(0);
    let earlier = again.stderr.lines().find(|line| line.contains("earlier"));
    let command = earlier.and_then(|line| line.split('`').find(|part| part.starts_with("cp -a")));
    script(&project, command.unwrap()).ends(0);
    assert_eq!(project.read("notes.txt"), b"mine\n");
}
