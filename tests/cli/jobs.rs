//! `ftl build --jobs N`: tasks side by side, each in a slot, and what becomes of them in the root.

use serde_json::Value;

use super::isolation::{possible, with_pipes};
use crate::support::{Finished, Project, Task, task};

/// Adds a line to each delta file.
const AGENT: &str = "for path; do mkdir -p $(dirname $path); echo agent >>$path; done";

pub(super) fn of(delta: &[&str], verify: &str) -> Task {
    task().delta(delta).verify(verify).budget(20)
}

/// A repository with one committed file for each letter, and a task for each.
fn project(letters: &str) -> Project {
    let project = Project::empty();
    for letter in letters.chars() {
        project.write(format!("{letter}.txt"), "before\n");
    }
    for (number, letter) in (1..).zip(letters.chars()) {
        let file = format!("{letter}.txt");
        let verify = format!("grep -q agent {file}");
        add(&project, number, letter, &of(&[&file], &verify));
    }
    project.commit();
    project
}

pub(super) fn add(project: &Project, number: u32, slug: char, task: &Task) {
    project.add(&format!("{number:03}_{slug}"), task.clone());
}

fn build(project: &Project, agent: &str, options: &[&str]) -> Finished {
    let words = ["build", "--all", "--jobs", "4", "--format", "json", "--agent", agent];
    project.ftl([&words, options].concat())
}

/// How each task ended, in the order of their numbers.
pub(super) fn outcomes(said: &Value) -> Vec<String> {
    let results = said["results"].as_array().unwrap().iter();
    let word = |at: &Value| match at["block"]["kind"].as_str() {
        Some(kind) => kind.to_owned(),
        None => at["outcome"].as_str().unwrap().to_owned(),
    };
    let mut all: Vec<(String, String)> =
        results.map(|at| (at["id"].as_str().unwrap().to_owned(), word(at))).collect();
    all.sort();
    all.into_iter().map(|(_, word)| word).collect()
}

pub(super) fn result<'s>(said: &'s Value, id: &str) -> &'s Value {
    said["results"].as_array().unwrap().iter().find(|at| at["id"] == id).unwrap()
}

#[test]
fn tasks_without_a_common_file_are_under_way_at_once_and_all_land() {
    if !possible() {
        return;
    }
    let project = project("abcd");
    // No agent goes on before all four have begun.
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path().display();
    let agent = format!(
        "touch {dir}/$FTL_SLOT; until [ $(ls {dir} | wc -l) = 4 ]; do sleep 0.05; done; \
         ls >{dir}.$FTL_SLOT; {AGENT}"
    );
    let finished = build(&project, &agent, &["--agent-timeout", "60s"]);
    let said = finished.json();
    assert_eq!((finished.code, outcomes(&said)), (Some(0), vec!["complete".into(); 4]), "{said:#}");
    for letter in "abcd".chars() {
        assert_eq!(project.read(format!("{letter}.txt")), b"before\nagent\n");
    }
    assert_eq!(said["counts"]["complete"], 4);
    assert!(said["results"].as_array().unwrap().iter().all(|at| at["isolation"] == "bind"));
}

#[test]
fn tasks_that_share_a_file_follow_each_other_and_dependants_see_what_landed() {
    if !possible() {
        return;
    }
    let project = project("a");
    add(&project, 2, 'b', &of(&["a.txt", "b.txt"], "grep -c agent a.txt | grep -q 2"));
    let third = of(&["c.txt"], "grep -q seen c.txt").attributes("depends=\"002\"");
    add(&project, 3, 'c', &third);
    let agent = format!(
        "{AGENT}; [ \"$1\" != c.txt ] || cat b.txt a.txt | grep -q agent && echo seen >>$1"
    );
    let finished = build(&project, &agent, &[]);
    let said = finished.json();
    assert_eq!((finished.code, outcomes(&said)), (Some(0), vec!["complete".into(); 3]), "{said:#}");
    let text = project.text("a.txt");
    assert_eq!(text.matches("agent").count(), 2, "{text}");
}

#[test]
fn the_work_of_a_blocked_task_is_not_in_the_project_and_can_be_taken() {
    if !possible() {
        return;
    }
    let project = project("ab");
    let text = of(&["a.txt", "new/it.txt"], "cat a.txt new/it.txt; echo error: never; false");
    add(&project, 1, 'a', &text);
    project.commit();
    project.script("chmod 751 .").ends(0);
    let finished = build(&project, AGENT, &[]);
    let said = finished.json();
    assert_eq!(finished.code, Some(3), "{said:#}");
    assert_eq!(outcomes(&said), ["discovery_needed", "complete"], "{said:#}");
    assert_eq!(project.read("a.txt"), b"before\n");
    assert!(!project.path().join("new/it.txt").exists());
    let diff = project.text(".ftl/runs/001_a/1/diffs/run.diff");
    assert!(diff.contains("+agent"), "{diff}");
    let brought = project.script("\"$FTL\" take 001 >&2 && stat -c %a .");
    assert_eq!(brought.stdout, "751\n", "the root keeps its mode");
    assert_eq!(project.read("a.txt"), b"before\nagent\n");
    assert_eq!(project.read("new/it.txt"), b"agent\n");
}

/// Two tasks, of which the agent of the first waits until a script let it go on.
fn while_a_works(files: &str, agent: &str, user: &str, options: &str) -> (Project, Finished) {
    let (project, outside) = with_pipes();
    project.write("a.txt", "1\n2\n3\n4\n5\n6\n7\n8\n9\n");
    project.write("allowed.lock", "before\n");
    project.write("ftl.toml", "[scope]\nallow = [\"*.lock\"]\n");
    let files: Vec<&str> = files.split(' ').collect();
    add(&project, 1, 'a', &of(&files, "grep -q agent a.txt"));
    add(&project, 2, 'b', &of(&["b.txt"], "grep -q agent b.txt"));
    project.commit();
    let dir = outside.path().display();
    let finished = project.script(&format!(
        "\"$FTL\" build 1 2 --jobs 2 {options} --format json --agent '{agent}; \
             [ $1 = b.txt ] || [ -e {dir}/again ] || \
             {{ echo > {dir}/again; echo > {dir}/started; read go < {dir}/go; }}' & \
             read line < {dir}/started; {user}; echo > {dir}/go; wait $!"
    ));
    (project, finished)
}

/// A conflict with a person's edit is the person's to decide.
#[test]
fn changes_of_a_user_stay_and_the_task_blocks_with_both_versions_kept() {
    if !possible() {
        return;
    }
    let agent = "for path; do echo agent >> $path; done";
    let (project, finished) = while_a_works("a.txt", agent, "echo user >> a.txt", "");
    let said = finished.json();
    assert_eq!(finished.code, Some(3), "{said:#}");
    let text = project.text("a.txt");
    assert!(text.ends_with("9\nuser\n"), "{text}");
    let last = result(&said, "001_a");
    assert_eq!((&last["block"]["kind"], &last["attempt"]), (&"land_conflict".into(), &1.into()));
    assert!(project.text(".ftl/runs/001_a/1/conflicts/a.txt").ends_with("9\nagent\n"));
    // What changed underneath is in the prompt of the next run.
    let again = project.ftl(["reopen", "001", "--build", "--agent", agent]).ends(0);
    let prompt = project.text(".ftl/runs/001_a/2/requests/1/prompt.md");
    for part in ["What changed in the tree while it was done", "+user\n", "+agent\n"] {
        assert!(prompt.contains(part), "{part}: {prompt} {again:#?}");
    }
    assert!(project.text("a.txt").ends_with("9\nuser\nagent\n"));
}

#[test]
fn changes_at_different_places_of_a_file_are_merged_and_checked() {
    if !possible() {
        return;
    }
    let agent = "for path; do echo agent >> $path; done";
    let user = "sed -i 1s/1/user/ a.txt";
    let (project, finished) = while_a_works("a.txt", agent, user, "");
    let said = finished.json();
    assert_eq!(finished.code, Some(0), "{said:#}");
    let first = result(&said, "001_a");
    assert_eq!(first["attempt"], 1, "{said:#}");
    assert!(first["warnings"].to_string().contains("merged"), "{first:#}");
    let text = project.text("a.txt");
    assert_eq!(text, "user\n2\n3\n4\n5\n6\n7\n8\n9\nagent\n");
}

#[test]
fn an_allowed_file_that_two_tasks_change_is_lost_by_neither() {
    if !possible() {
        return;
    }
    let agent = "for path; do echo agent >> $path; done; echo $1 >> allowed.lock";
    let user = "until grep -q b.txt allowed.lock; do sleep 0.05; done";
    let (project, finished) = while_a_works("a.txt", agent, user, "");
    let said = finished.json();
    assert_eq!(finished.code, Some(0), "{said:#}");
    let first = result(&said, "001_a");
    assert_eq!(first["attempt"], 1, "{said:#}");
    assert!(first["warnings"].to_string().contains("merged"), "{first:#}");
    assert_eq!(project.read("allowed.lock"), b"before\nb.txt\na.txt\n");
}

/// Two tasks that pass each alone; with both in the root, only what knows of the other does. The agent of the second
/// waits for that of the first, whose slot so never has the second's work at first. The agent of the first begins with
/// `first`, and its task has `known`.
fn broken_by_another(first: &str, known: &str) -> (Project, Finished) {
    let (project, outside) = with_pipes();
    project.write("a.txt", "");
    project.write("b.txt", "");
    let verify = "! grep -q agent b.txt || ! grep -q agent a.txt || grep -q knows a.txt || \
                  { echo error: E1 in a; false; }";
    let text = of(&["a.txt"], verify).rest(known);
    add(&project, 1, 'a', &text);
    add(&project, 2, 'b', &of(&["b.txt"], "true"));
    project.commit();
    let dir = outside.path().display();
    let finished = project.script(&format!(
            "\"$FTL\" build 1 2 --jobs 2 --format json --agent '{first}; [ $1 = a.txt ] || read line < {dir}/started; \
             echo agent >> $1; [ $1 = b.txt ] || {{ grep -q agent b.txt && echo knows >> a.txt; [ -e {dir}/again ] || \
             {{ echo > {dir}/again; echo > {dir}/started; read go < {dir}/go; }}; }}' & \
             until grep -q agent b.txt; do sleep 0.05; done; echo > {dir}/go; wait $!"
    ));
    (project, finished)
}

fn is_tried_again(first: &str, known: &str) {
    if !possible() {
        return;
    }
    let (project, finished) = broken_by_another(first, known);
    let said = finished.json();
    assert_eq!(finished.code, Some(0), "{said:#}");
    let first = result(&said, "001_a");
    assert_eq!(first["earlier"][0]["kind"], "land_broken", "{said:#}");
    assert!(project.text("a.txt").ends_with("agent\nknows\n"));
}

#[test]
fn a_delta_that_passes_in_its_slot_and_fails_in_the_root_is_tried_again() {
    is_tried_again("true", "");
}

#[test]
fn a_delta_whose_known_fix_fails_is_verified_in_its_slot_before_it_blocks() {
    let known = "<prior_knowledge><failure name=\"known\"><trigger>error: E1 in a</trigger>\
                 <fix>write fixed</fix></failure></prior_knowledge>";
    is_tried_again("[ $FTL_PHASE = implement ] || exit 1", known);
}

#[test]
fn a_fix_is_made_in_the_slot_and_lands_again() {
    if !possible() {
        return;
    }
    let project = project("b");
    let failure = "<prior_knowledge><failure name=\"known\"><trigger>error: E1 in a</trigger>\
                   <fix>write fixed</fix></failure></prior_knowledge>";
    let fails = of(&["a.txt"], "grep -q fixed a.txt || { echo error: E1 in a; false; }");
    add(&project, 2, 'a', &fails.rest(failure));
    project.commit();
    let agent = "case $FTL_PHASE in apply-fix) echo fixed >> $1;; *) echo agent >> $1;; esac";
    let finished = build(&project, agent, &[]);
    let said = finished.json();
    assert_eq!(finished.code, Some(0), "{said:#}");
    let fixed = result(&said, "002_a");
    assert_eq!(fixed["retry"]["count"], 1, "{fixed:#}");
    assert_eq!(project.read("a.txt"), b"agent\nfixed\n");
}

#[test]
fn preflight_runs_in_the_slot_and_a_repair_lands() {
    if !possible() {
        return;
    }
    let project = project("b");
    let check = "<preflight>test -e a.py &amp;&amp; echo left &gt; stray.txt</preflight>";
    add(&project, 2, 'a', &of(&["a.py"], "grep -q x a.py").elements(check));
    project.commit();
    let agent = "case $1$FTL_PHASE in a.pyfix-syntax) echo 'x = 1' > $1;; a.py*) echo 'x = (' > $1;; \
                 *) echo agent >> $1;; esac";
    let finished = build(&project, agent, &[]);
    let said = finished.json();
    assert_eq!(finished.code, Some(0), "{said:#}");
    assert_eq!(project.read("a.py"), b"x = 1\n");
    let fixed = result(&said, "002_a");
    assert_eq!(fixed["preflight"][0]["attempts"], 1, "{fixed:#}");
    // What the command left outside the delta was in the workplace alone.
    assert!(!project.path().join("stray.txt").exists());
}

#[test]
fn strays_never_reach_the_root_and_deleted_files_do() {
    if !possible() {
        return;
    }
    let project = project("ab");
    let agent = "case $1 in a.txt) rm a.txt;; *) echo agent >> $1; echo stray > stray.txt;; esac";
    let text = of(&["a.txt"], "! test -e a.txt");
    add(&project, 1, 'a', &text);
    project.commit();
    let finished = build(&project, agent, &[]);
    let said = finished.json();
    assert_eq!(outcomes(&said), ["complete", "complete"], "{said:#}");
    assert!(!project.path().join("a.txt").exists());
    assert!(!project.path().join("stray.txt").exists());
    assert_eq!(project.read("b.txt"), b"before\nagent\n");
    assert_eq!(result(&said, "002_b")["strays"][0], "stray.txt");
}

#[test]
fn the_current_tree_cannot_be_built_side_by_side() {
    let project = project("ab");
    project.ftl(["build", "--all", "--tree", "--jobs", "2"]).ends(2);
    let finished = project.build(&["--all", "--jobs", "2"]).ends(2);
    assert_eq!(finished.json()["error"]["code"], "usage::jobs");
}

#[test]
fn tasks_are_built_side_by_side_in_copies_too() {
    let project = project("ab");
    let finished = build(&project, AGENT, &["--isolate", "copy"]);
    assert_eq!(outcomes(&finished.json()), ["complete", "complete"]);
    for letter in ["a", "b"] {
        assert_eq!(project.read(format!("{letter}.txt")), b"before\nagent\n");
    }
}

#[test]
fn events_name_their_task() {
    if !possible() {
        return;
    }
    let project = project("ab");
    build(&project, AGENT, &["--events", "events.jsonl"]).ends(0);
    let text = project.text("events.jsonl");
    for id in ["001_a", "002_b"] {
        let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let types: Vec<String> = lines
            .filter(|line| line["task"] == id)
            .map(|line| line["type"].as_str().unwrap().to_owned())
            .collect();
        assert_eq!(types.first().map(String::as_str), Some("opened"), "{types:?}");
        assert_eq!(types.last().map(String::as_str), Some("outcome"), "{types:?}");
    }
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let numbers = lines.map(|line| format!("{} {}", line["run"], line["seq"]));
    let mut numbers: Vec<String> = numbers.collect();
    let count = numbers.len();
    numbers.sort();
    numbers.dedup();
    assert_eq!(
        numbers.len(),
        count,
        "a run's numbers are given once, and a check has others: {text}"
    );
}
