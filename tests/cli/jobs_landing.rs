//! `ftl build --jobs N`: what becomes of the root where a landing does not go through.

use std::os::unix::fs::MetadataExt;

use ftl_testkit::scratch::Scratch;

use super::isolation::{possible, with_pipes};
use super::jobs::{add, of, outcomes, result};
use crate::support::{Project, has_tool};

/// The second task lands while the agent of the first one works, so that only the root has its version.
#[test]
fn changes_of_a_failed_verify_are_put_back_and_kept() {
    if !possible() {
        return;
    }
    let (project, outside) = with_pipes();
    for file in ["a.txt", "b.txt", "beside.txt", "gone.txt"] {
        project.write(file, "before\n");
    }
    let verify = "echo scribble | tee -a b.txt >> beside.txt; rm gone.txt; echo > new.log; \
                  echo error: never; false";
    add(&project, 1, 'a', &of(&["a.txt"], &verify.replace('>', "&gt;")));
    add(&project, 2, 'b', &of(&["b.txt"], "grep -q agent b.txt"));
    project.commit();
    let dir = outside.path().display();
    let finished = project.script(&format!(
        "\"$FTL\" build 1 2 --jobs 2 --format json --agent 'echo agent >> $1; \
             [ $1 = b.txt ] || read go < {dir}/go' & \
             until grep -q agent b.txt; do sleep 0.05; done; echo > {dir}/go; wait $!"
    ));
    let said = finished.json();
    assert_eq!(outcomes(&said), ["discovery_needed", "complete"], "{said:#}");
    for (file, text) in [
        ("a.txt", "before\n"),
        ("b.txt", "before\nagent\n"),
        ("beside.txt", "before\n"),
        ("gone.txt", "before\n"),
    ] {
        assert_eq!(String::from_utf8(project.read(file)).unwrap(), text, "{file}");
    }
    let kept = String::from_utf8(project.read(".ftl/runs/001_a/1/written/b.txt")).unwrap();
    assert_eq!(kept, "before\nagent\nscribble\n");
    let warnings = result(&said, "001_a")["warnings"].to_string();
    let expected =
        "changed while the verify ran, and put back as it was: b.txt, beside.txt, gone.txt";
    assert!(warnings.contains(expected), "{warnings}");
    // A build tool must look at what is back.
    let modified = |file: &str| project.path().join(file).metadata().unwrap().mtime();
    assert!(modified("gone.txt") >= modified("other.txt"));
    assert!(project.path().join("new.log").exists(), "what git ignores is left");
}

#[test]
fn where_there_is_no_room_fewer_tasks_are_built_at_once() {
    let mount = ["--mount", "mount", "-t", "tmpfs", "none", "/tmp"];
    if !possible() || !has_tool("root that may mount", "unshare", &mount) {
        return;
    }
    let (project, outside) = with_pipes();
    project.write("large.bin", "x".repeat(5_000_000));
    // Git's index is to be of a later second: a landing keeps a copy of a file that may have changed after it.
    project.script("while [ $(stat -c %Z large.bin) = $(date +%s) ]; do :; done").ends(0);
    for (number, letter) in [(1, 'a'), (2, 'b'), (3, 'c')] {
        let file = format!("{letter}.txt");
        add(&project, number, letter, &of(&[&file], &format!("grep -q agent {file}")));
    }
    project.commit();
    let dir = outside.path().display();
    let build = format!(
        "mount -t tmpfs -o size=9m none {dir} && XDG_STATE_HOME={dir} exec \"$FTL\" build --all \
         --jobs 3 --format json --agent \"echo agent >> \\$1\""
    );
    let finished = project.script(&format!("unshare --mount sh -c '{build}'"));
    assert_eq!(outcomes(&finished.json()), ["complete"; 3], "{finished:#?}");
    let expected = "there is no room for another copy of the tree";
    assert!(finished.stderr.contains(expected), "{finished:#?}");
}

#[test]
fn new_ignored_files_and_build_outputs_stay_in_the_workplace() {
    if !possible() {
        return;
    }
    let (project, _) = with_pipes();
    for (number, letter) in [(1, 'a'), (2, 'b')] {
        let file = format!("{letter}.txt");
        add(&project, number, letter, &of(&[&file], &format!("grep -q agent {file}")));
    }
    project.commit();
    let agent = "echo agent >> $1; echo new > $1.log; mkdir -p target logs.log; echo > target/$1; \
                 echo new > logs.log/$1";
    let built = "\"$FTL\" build --all --jobs 2 --format json --agent";
    let finished = project.script(&format!("{built} '{agent}'"));
    assert_eq!(outcomes(&finished.json()), ["complete"; 2], "{finished:#?}");
    for path in ["a.txt.log", "logs.log", "target"] {
        assert!(!project.path().join(path).exists(), "{path}");
    }
}

/// Runs would make each copy larger with every task that was ever built.
#[test]
fn a_workplace_has_no_runs_and_no_locks_but_the_way_to_its_reply() {
    if !possible() {
        return;
    }
    let (project, outside) = with_pipes();
    for (number, letter) in [(1, 'a'), (2, 'b')] {
        add(&project, number, letter, &of(&[&format!("{letter}.txt")], "true"));
    }
    project.commit();
    let dir = outside.path().display();
    let built = "\"$FTL\" build --all --jobs 2 --format json --agent";
    project.script(&format!("{built} 'echo agent >> $1'")).ends(0);
    let journal = ".ftl/runs/001_a/1/journal.jsonl";
    let before = project.read(journal);
    let agent = format!(
        "find .ftl/runs .ftl/locks -type f 2>/dev/null | grep -v '/002_b/' > {dir}/seen; \
         mkdir -p .ftl/runs/001_a/1; echo forged > {journal}; echo agent >> $1"
    );
    let second = project.script(&format!("\"$FTL\" reopen 2; {built} '{agent}'"));
    let seen = std::fs::read_to_string(outside.path().join("seen")).unwrap();
    assert_eq!(seen, "", "{second:#?}");
    assert_eq!(project.read(journal), before);
    assert!(project.path().join(".ftl/workspace/002_b_complete.xml").exists(), "{second:#?}");
}

#[test]
fn paths_are_those_of_the_current_directory() {
    if !possible() {
        return;
    }
    let (project, _) = with_pipes();
    for (number, letter) in [(1, 'a'), (2, 'b')] {
        add(&project, number, letter, &of(&[&format!("sub/{letter}.txt")], "true"));
    }
    project.write("sub/c.txt", "");
    project.commit();
    let agent = "echo agent >> $1";
    let built = "cd sub; \"$FTL\" build --all -v --jobs 2 --agent";
    let finished = project.script(&format!("{built} '{agent}'"));
    assert_eq!(finished.code, Some(0), "{finished:#?}");
    assert!(finished.stdout.contains("002   file       created b.txt  +1 -0\n"), "{finished:#?}");
    let record = "001   record     ../.ftl/workspace/001_a_complete.xml\n";
    assert!(finished.stdout.contains(record), "{finished:#?}");
    assert!(!finished.stdout.contains(project.path().to_str().unwrap()), "{finished:#?}");
}

#[test]
fn checks_that_pass_are_counted() {
    if !possible() {
        return;
    }
    let (project, _) = with_pipes();
    for (number, letter) in [(1, 'a'), (2, 'b'), (3, 'c')] {
        let file = format!("{letter}.txt");
        add(&project, number, letter, &of(&[&file], &format!("grep -q agent {file}")));
    }
    project.commit();
    let agent = "echo agent >> $1";
    let finished = project.script(&format!("\"$FTL\" build --all --jobs 3 --agent '{agent}'"));
    assert_eq!(finished.code, Some(0), "{finished:#?}");
    let lines: Vec<&str> = finished.stdout.lines().collect();
    assert_eq!(lines.len(), 4, "{finished:#?}");
    assert!(lines[3].starts_with("3 complete, 2 checks passed in "), "{finished:#?}");
}

/// A task whose verify waits until a script let it go on, the first time; and another one.
fn with_slow_verify(verify: &str, known: &str) -> (Project, Scratch) {
    let (project, outside) = with_pipes();
    project.write("a.txt", "before\n");
    let dir = outside.path().display();
    let verify = format!(
        "[ -e {dir}/again ] || {{ echo > {dir}/again; echo > {dir}/started; read go < {dir}/go; }}; {verify}"
    );
    let verify = verify.replace('<', "&lt;").replace('>', "&gt;");
    let text = of(&["a.txt"], &verify).rest(known);
    add(&project, 1, 'a', &text);
    add(&project, 2, 'b', &of(&["b.txt"], "true"));
    project.commit();
    (project, outside)
}

const LEFT: &str = "changed since the work landed, and left as they are: a.txt";

#[test]
fn edits_of_a_user_during_a_verify_stay_and_a_fix_that_meets_them_blocks() {
    if !possible() {
        return;
    }
    let known = "<prior_knowledge><failure name=\"known\"><trigger>error: E1 in a</trigger>\
                 <fix>write fixed</fix></failure></prior_knowledge>";
    let verify = "grep -q fixed a.txt || { echo error: E1 in a; false; }";
    let (project, outside) = with_slow_verify(verify, known);
    let dir = outside.path().display();
    let agent = "case $FTL_PHASE in apply-fix) echo fixed >> $1;; *) echo agent >> $1;; esac";
    let finished = project.script(&format!(
        "\"$FTL\" build 1 2 --jobs 2 --format json --agent '{agent}' & \
             read line < {dir}/started; echo user >> a.txt; echo > {dir}/go; wait $!"
    ));
    let said = finished.json();
    assert_eq!(outcomes(&said), ["land_conflict", "complete"], "{said:#}");
    assert_eq!(project.read("a.txt"), b"before\nagent\nuser\n");
    assert_eq!(project.read(".ftl/runs/001_a/1/conflicts/a.txt"), b"before\nagent\nfixed\n");
    assert!(finished.stderr.contains(LEFT), "{finished:#?}");
}

#[test]
fn edits_of_a_user_to_a_landed_file_stay_where_a_kill_cut_the_landing_off() {
    if !possible() {
        return;
    }
    let (project, outside) = with_slow_verify("grep -q agent a.txt", "");
    let dir = outside.path().display();
    let build = "\"$FTL\" build 1 2 --jobs 2 --format json --agent 'echo agent >> $1'";
    project.script(&format!(
        "{build} & read line < {dir}/started; kill -KILL $(head -n 1 .ftl/locks/root) $!; wait $!; \
             echo user >> a.txt"
    ));
    let finished = project.script(build);
    let text = project.text("a.txt");
    assert!(text.ends_with("user\n"), "{text} {finished:#?}");
}

#[test]
fn a_landing_stays_where_its_record_did_not_get_its_name() {
    if !possible() || !has_tool("strace", "strace", &["-V"]) {
        return;
    }
    let (project, outside) = with_pipes();
    for (number, letter) in [(1, 'a'), (2, 'b')] {
        let file = format!("{letter}.txt");
        add(&project, number, letter, &of(&[&file], &format!("grep -q agent {file}")));
    }
    project.commit();
    let trace = outside.path().join("trace").display().to_string();
    let build = "\"$FTL\" build 1 2 --jobs 2 --format json --agent 'echo agent >> $1'";
    let failing = format!(
        "strace -f -qq -o {trace} -P .ftl/workspace/001_a_complete.xml -e trace=renameat2 \
         -e inject=renameat2:error=EIO {build}"
    );
    let finished = project.script(&failing);
    let trace = std::fs::read_to_string(trace).unwrap();
    assert!(trace.contains("INJECTED"), "{trace} {finished:#?}");
    assert!(project.text(".ftl/workspace/001_a_active.xml").contains("status=\"complete\""));
    assert_eq!(project.read("a.txt"), b"agent\n", "{finished:#?}");
    project.script(build);
    assert!(project.path().join(".ftl/workspace/001_a_complete.xml").is_file());
    assert_eq!(project.read("a.txt"), b"agent\n");
}

/// No agent is asked twice for a file to which each task adds its line.
#[test]
fn tasks_that_add_to_the_same_place_of_an_allowed_file_are_merged() {
    let (project, outside) = with_pipes();
    project.write("ftl.toml", "[scope]\nallow = [\"CHANGES\", \"lock.json\"]\n");
    project.write("CHANGES", "first\n");
    project.write("lock.json", "{\n  \"zero\": 0\n}\n");
    for (number, letter) in [(1, 'a'), (2, 'b'), (3, 'c')] {
        add(&project, number, letter, &of(&[&format!("{letter}.txt")], "true"));
    }
    project.commit();
    let agent = format!(
        "echo run >> {}/runs; echo agent >> $1; echo $1 >> CHANGES; \
         sed -i \"s/  .zero/  \\\"$1\\\": 1,\\n&/\" lock.json; sleep 0.5",
        outside.path().display()
    );
    let words = ["build", "--all", "--jobs", "3", "--format", "json", "--agent", &agent];
    let said = project.ftl(words).json();
    assert_eq!(outcomes(&said), ["complete"; 3], "{said:#}");
    let mut changes: Vec<String> = project.text("CHANGES").lines().map(str::to_owned).collect();
    changes.sort();
    assert_eq!(changes, ["a.txt", "b.txt", "c.txt", "first"]);
    let lock: serde_json::Value = serde_json::from_str(&project.text("lock.json")).unwrap();
    assert_eq!(lock.as_object().unwrap().len(), 4, "{lock}");
    let runs = std::fs::read_to_string(outside.path().join("runs")).unwrap();
    assert_eq!(runs.lines().count(), 3);
}
