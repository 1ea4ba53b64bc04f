//! What a person edits between an interrupt and going on: it is checked again, and not blamed on any command.

use std::fs;

use super::project;
use crate::support::{Finished, Project, Task, task};

const RECORD: &str = ".ftl/workspace/001_a_complete.xml";
const RUN: &str = ".ftl/runs/001_a/1";

fn of(verify: &str, budget: i64) -> Task {
    let source = "<verify_source>t.py</verify_source>";
    task().delta(&["a.py"]).verify(verify).elements(source).budget(budget)
}

fn states(finished: &Finished) -> String {
    let states = finished.json()["states"].clone();
    let states = states.as_array().unwrap().iter();
    let names: Vec<&str> = states.map(|state| state.as_str().unwrap()).collect();
    names.join(" ")
}

/// A build that came to its end, taken back to the line of its journal that `upto` is in.
fn stopped_after(upto: &str, budget: i64) -> Project {
    let task = of("echo run >>runs", budget);
    let project = project(&[]).task("001_a", task.clone());
    project.write("a.py", "a = 1\n");
    project.write("t.py", "assert True\n");
    project.ftl(["build", "001"]).ends(0);
    fs::remove_file(project.path().join(RECORD)).unwrap();
    fs::remove_dir(project.path().join(RUN).join("ended")).unwrap();
    project.add("001_a", task);
    let journal = format!("{RUN}/journal.jsonl");
    let lines = project.text(&journal);
    let last = format!("\"type\":\"{upto}\"");
    let mut kept = String::new();
    for line in lines.split_inclusive('\n') {
        kept.push_str(line);
        if line.contains(&last) {
            break;
        }
    }
    assert!(kept.len() < lines.len(), "{lines}");
    project.write(journal, kept);
    project
}

#[test]
fn a_file_edited_during_an_interrupted_verify_is_checked_and_verified_again() {
    let project = project(&[]);
    project.write("a.py", "a = 1\n");
    project.add("001_a", of("echo &gt; $OUT/started; read go &lt; $OUT/go", 5));
    let project = project.outside_pipes(&["started", "go"]);
    let sh = |script: &str| project.script(script);
    sh("\"$FTL\" build 001 & read l < $OUT/started; kill -INT $!; wait $!").ends(130);
    project.write("a.py", "a = 2\n");
    let on =
        sh("(read l < $OUT/started; echo > $OUT/go) & \"$FTL\" build 001 --format json").ends(0);
    assert_eq!(
        states(&on),
        "READ PLAN IMPLEMENT PREFLIGHT VERIFY PREFLIGHT VERIFY QUALITY COMPLETE"
    );
    // READ, the file, and one verify: the one that was cut short came to nothing.
    assert_eq!(on.json()["budget"]["used"], 3, "{on:#?}");
    assert!(on.stderr.contains("`a.py` changed while"), "{on:#?}");
}

#[test]
fn a_file_that_no_longer_parses_is_found_before_the_verify_goes_on() {
    let project = stopped_after("implemented", 5);
    project.write("a.py", "a = (\n");
    let on = project.build(&["001"]).ends(3);
    assert_eq!(on.json()["block"]["kind"], "preflight_exhausted", "{on:#?}");
}

#[test]
fn a_passed_verify_does_not_vouch_for_what_was_edited_after_it() {
    for upto in ["verified", "judged"] {
        for (path, text) in [("a.py", "a = 2\n"), ("t.py", "assert 1\n")] {
            let project = stopped_after(upto, 5);
            project.write(path, text);
            let on = project.build(&["001"]).ends(0);
            let states = states(&on);
            assert!(
                states.ends_with("QUALITY PREFLIGHT VERIFY QUALITY COMPLETE"),
                "{upto} {path} {states}"
            );
            assert_eq!(project.read("runs"), b"run\nrun\n", "{upto} {path}");
            assert!(on.stderr.contains(path), "{upto} {path} {on:#?}");
        }
    }
}

#[test]
fn a_second_verify_is_paid_for() {
    let project = stopped_after("judged", 3);
    project.write("a.py", "a = 2\n");
    let on = project.build(&["001"]).ends(3);
    assert_eq!(on.json()["block"]["kind"], "budget_exhausted", "{on:#?}");
    assert_eq!(project.read("runs"), b"run\n");
}

#[test]
fn files_without_edits_are_neither_checked_nor_verified_again() {
    for upto in ["implemented", "verified", "judged"] {
        let project = stopped_after(upto, 5);
        let on = project.build(&["001"]).ends(0);
        assert_eq!(states(&on).matches("PREFLIGHT").count(), 1, "{upto}");
    }
}
