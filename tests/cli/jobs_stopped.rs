//! `ftl build --jobs N`, stopped in the middle: the same command goes on.

use std::path::Path;

use serde_json::Value;

use super::isolation::{possible, with_pipes};
use super::jobs::{add, of, outcomes};
use crate::support::{Finished, Project};

/// The agents of two tasks wait for good the first time; each says on a pipe that it has begun. The pipe is opened once: what
/// the second says would be lost if it came before the pipe is closed after the first.
fn stopped(project: &Project, dir: &str, how: &str) -> Finished {
    project.script(&format!(
            "\"$FTL\" build 1 2 --jobs 2 --format json --agent 'echo partial >> $1; \
             [ -e {dir}/again ] || {{ echo > {dir}/started; sleep 100; }}; \
             grep -q agent $1 || echo agent >> $1' > {dir}/first & build=$!; \
             exec 3<>{dir}/started; read line <&3; read line <&3; touch {dir}/again; {how}; wait $build; \
             echo $? > {dir}/code; "
        ),
    )
}

/// What an interrupted command says is a command that the user can type. One that was killed says nothing.
fn goes_on(printed: &Path) {
    let Ok(said) = serde_json::from_slice::<Value>(&std::fs::read(printed).unwrap()) else {
        return;
    };
    assert_eq!((&said["counts"]["failed"], &said["counts"]["skipped"]), (&0.into(), &2.into()));
    for result in said["results"].as_array().unwrap().iter().chain([&said]) {
        let error = if result["error"].is_null() { result } else { &result["error"] };
        let command = error["next"][0].as_str().unwrap();
        assert!(command.starts_with("ftl build 1 2 --jobs 2 --format json --agent "), "{command}");
        assert!(!command.contains("--slot"), "{command}");
    }
}

fn after_a_stop(how: &str) {
    if !possible() {
        return;
    }
    let (project, outside) = with_pipes();
    for (number, letter) in [(1, 'a'), (2, 'b')] {
        let file = format!("{letter}.txt");
        project.write(&file, "before\n");
        add(&project, number, letter, &of(&[&file], &format!("grep -q agent {file}")));
    }
    project.commit();
    let dir = outside.path().display().to_string();
    stopped(&project, &dir, how);
    goes_on(&outside.path().join("first"));
    let workspaces = project.workspaces();
    assert!(workspaces.iter().all(|name| name.ends_with("_active.xml")), "{workspaces:?}");
    assert_eq!(project.read("a.txt"), b"before\n");
    assert_eq!(project.read("b.txt"), b"before\n");
    let agent = "echo agent >> $1";
    let words = format!(
        "build 1 2 --jobs 2 --format json --agent 'echo partial >> $1; \
         [ -e {dir}/again ] || {{ echo > {dir}/started; sleep 100; }}; \
         grep -q agent $1 || {agent}'"
    );
    let finished = project.script(&format!("\"$FTL\" {words}"));
    let said = finished.json();
    assert_eq!(finished.code, Some(0), "{finished:#?}");
    assert_eq!(outcomes(&said), ["complete", "complete"]);
    for file in ["a.txt", "b.txt"] {
        assert_eq!(project.read(file), b"before\npartial\nagent\n", "{file}");
    }
}

#[test]
fn an_interrupt_ends_all_agents_and_the_same_command_goes_on() {
    after_a_stop("kill -INT $build");
}

#[test]
fn the_death_of_the_command_ends_all_agents_and_the_same_command_goes_on() {
    // The children have ended when no process holds a task's lock any more.
    after_a_stop("kill -KILL $build; for lock in .ftl/locks/*.lock; do flock $lock true; done");
}

#[test]
fn an_interrupt_is_no_failure_and_ends_with_the_command_that_goes_on() {
    if !possible() {
        return;
    }
    let (project, outside) = with_pipes();
    for (number, letter) in [(1, 'a'), (2, 'b'), (3, 'c')] {
        add(&project, number, letter, &of(&[&format!("{letter}.txt")], "sleep 2"));
    }
    project.commit();
    let dir = outside.path().display();
    let stopped = project.script(&format!(
        "\"$FTL\" build --all --jobs 3 --agent 'echo x >$1; echo >{dir}/started' & build=$!; \
         exec 3<>{dir}/started; read line <&3; read line <&3; sleep 1; kill -INT $build; wait $build"
    ));
    assert_eq!(stopped.code, Some(130), "{stopped:#?}");
    let last = stopped.stdout.lines().last().unwrap();
    let goes_on =
        "interrupted: the tasks stay active; to continue: ftl build --all --jobs 3 --agent ";
    assert!(last.starts_with(goes_on), "{stopped:#?}");
    for word in ["lock_held", "process", "failed", "help:"] {
        assert!(!stopped.stdout.contains(word) && !stopped.stderr.contains(word), "{stopped:#?}");
    }
}
