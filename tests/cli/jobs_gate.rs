//! `ftl build --jobs N`: landings that wait with the same verify command are verified together, and counted are its runs.

use serde_json::Value;

use super::jobs::{add, of, outcomes, result};
use crate::support::{Finished, Project};

/// Adds a line to each file. All but the first task's wait until that has landed.
const AGENT: &str = "for path; do mkdir -p $(dirname $path); echo agent >>$path; done; \
                     case $1 in *bad*) echo bad >>$1;; esac; \
                     case $FTL_WORKSPACE in *001_*) ;; *) until [ -s $OUT/runs ]; do sleep 0.05; done;; esac";

/// A verify command that notes that it runs, and waits until the test goes on.
fn verify(check: &str) -> String {
    format!("echo run | tee -a $OUT/runs; until [ -e $OUT/go ]; do sleep 0.05; done; {check}")
}

/// A project with a task for each file, all with this verify command.
fn project(files: &[&str], check: &str) -> Project {
    let project = Project::empty();
    project.write("old.txt", "before\n");
    for (number, (file, letter)) in (1..).zip(files.iter().zip('a'..)) {
        add(&project, number, letter, &of(&[file], &verify(check)));
    }
    project.commit();
    project
}

/// Builds all tasks at once. The first one waits in its verify until so many others wait for the tree.
fn build(project: &Project, others: usize, agent: &str, options: &str) -> Finished {
    project.script(&format!(
        "\"$FTL\" build --all --jobs 9 --check never --format json {options} --agent '{agent}' & \
         until [ $(grep -ls \"$PWD/\" $XDG_STATE_HOME/ftl/gate/*/*/about | wc -l) = {others} ]; \
         do sleep 0.05; done; echo >$OUT/go; wait $!"
    ))
}

fn runs(project: &Project) -> usize {
    std::fs::read_to_string(project.outside("runs")).unwrap().lines().count()
}

/// How many other tasks the last verify of each was shared with, in ascending order.
fn shared(said: &Value) -> Vec<usize> {
    let last = |result: &Value| result["verify"].as_array().unwrap().last().cloned().unwrap();
    let with = |result| last(result)["with"].as_array().map_or(0, Vec::len);
    let mut all: Vec<usize> = said["results"].as_array().unwrap().iter().map(with).collect();
    all.sort_unstable();
    all
}

#[test]
fn tasks_that_wait_with_the_same_command_are_verified_by_one_run_and_committed_by_themselves() {
    let files: Vec<String> = (1..=8).map(|number| format!("new/{number}.txt")).collect();
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let project = project(&files, "! grep -q bad -r new");
    for (name, value) in [("user.name", "a"), ("user.email", "a@example.com")] {
        project.git(&["config", name, value]);
    }
    let finished = build(&project, 7, AGENT, "--commit").ends(0);
    let said = finished.json();
    assert_eq!((runs(&project), shared(&said)), (2, vec![0, 6, 6, 6, 6, 6, 6, 6]), "{said:#}");
    assert_eq!(outcomes(&said), ["complete"; 8]);
    for result in said["results"].as_array().unwrap() {
        assert_eq!(result["budget"]["used"], 3, "{result:#}");
        let (id, verify) = (result["id"].as_str().unwrap(), &result["verify"][0]);
        let log = verify["log"].as_str().unwrap();
        assert!(log.starts_with(&format!(".ftl/runs/{id}/")), "{log}");
        assert_eq!(project.text(log), "run\n");
        let with: Vec<&str> = verify["with"]
            .as_array()
            .map(|with| with.iter().map(|id| id.as_str().unwrap()).collect())
            .unwrap_or_default();
        let record = project.text(format!(".ftl/workspace/{id}_complete.xml"));
        assert_eq!(record.contains(&format!("with=\"{}\"", with.join(" "))), !with.is_empty());
        let journal = project.text(format!(".ftl/runs/{id}/1/journal.jsonl"));
        assert_eq!(journal.contains("\"with\":["), !with.is_empty(), "{journal}");
    }
    for file in &files {
        assert_eq!(project.git(&["log", "--format=%s", "--", file]).lines().count(), 1, "{file}");
    }
    assert_eq!(project.git(&["status", "--short", "new"]), "");
    project.ftl(["check"]).ends(0);
}

#[test]
fn where_the_shared_run_fails_each_lands_by_itself() {
    let project = project(&["a.txt", "b.txt", "bad.txt", "d.txt"], "! grep -q ^bad *.txt");
    let said = build(&project, 3, AGENT, "").ends(3).json();
    let expected = ["complete", "complete", "discovery_needed", "complete"];
    assert_eq!((outcomes(&said), shared(&said)), (expected.map(str::to_owned).into(), vec![0; 4]));
    // The first, all others, and each of them.
    assert_eq!(runs(&project), 5, "{said:#}");
    assert!(!project.path().join("bad.txt").exists());
    assert_eq!(project.text("d.txt"), "agent\n");
    for id in ["001_a", "002_b", "004_d"] {
        assert_eq!(result(&said, id)["budget"]["used"], 3, "{said:#}");
    }
}

#[test]
fn a_task_that_quality_blocks_harms_no_other_that_was_verified_with_it() {
    let files = ["a.txt", "b.txt", "bad.txt", "d.txt"];
    let project = project(&files, "true");
    let rule =
        "<idioms framework=\"none\"><forbidden regex=\"^bad\">Nothing bad</forbidden></idioms>";
    let task = of(&["bad.txt"], &verify("true")).rest(rule);
    add(&project, 3, 'c', &task);
    let said = build(&project, 3, AGENT, "").ends(3).json();
    let expected = ["complete", "complete", "idiom_violation", "complete"];
    assert_eq!((outcomes(&said), shared(&said)), (expected.map(str::to_owned).into(), vec![0; 4]));
    assert_eq!(runs(&project), 5, "{said:#}");
    assert!(!project.path().join("bad.txt").exists());
    // The shared run stays in the record beside the one that counts.
    let verifies = result(&said, "002_b")["verify"].as_array().unwrap();
    assert_eq!((verifies.len(), verifies[0]["with"].as_array().unwrap().len()), (2, 2));
    assert_eq!(result(&said, "002_b")["budget"]["used"], 3);
}

#[test]
fn tasks_with_a_common_file_or_another_command_are_not_verified_together() {
    let project = project(&["a.txt", "b.txt", "c.txt"], "true");
    add(&project, 4, 'd', &of(&["d.txt"], &verify("test -e d.txt")));
    let agent = format!("{AGENT}; case $1 in [bc].txt) echo same >Allowed.txt;; esac");
    project.write("ftl.toml", "[scope]\nallow = [\"Allowed.txt\"]\n");
    project.git(&["add", "."]);
    let said = build(&project, 3, &agent, "").ends(0).json();
    assert_eq!((runs(&project), shared(&said)), (4, vec![0; 4]), "{said:#}");
}

#[test]
fn a_leader_that_is_killed_leaves_the_others_to_land_by_themselves() {
    let kill = "[ $(wc -l &lt;$OUT/runs) != 2 ] || { kill -9 $(head -n1 .ftl/locks/root) &amp;&amp; sleep 60; }";
    let project = project(&["a.txt", "b.txt", "c.txt", "d.txt"], kill);
    let said = build(&project, 3, AGENT, "").ends(1).json();
    let complete = outcomes(&said).iter().filter(|outcome| *outcome == "complete").count();
    assert_eq!((complete, runs(&project)), (3, 4), "{said:#}");
    let landed =
        ["a.txt", "b.txt", "c.txt", "d.txt"].map(|file| project.path().join(file).exists());
    assert_eq!(landed.iter().filter(|landed| **landed).count(), 3, "its work is not there");
    project.ftl(["build", "--all", "--jobs", "9", "--check", "never", "--agent", AGENT]).ends(0);
    assert_eq!(runs(&project), 5);
    assert_eq!(["a.txt", "b.txt", "c.txt", "d.txt"].map(|file| project.text(file)), ["agent\n"; 4]);
}
