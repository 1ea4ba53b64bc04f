//! `ftl clean`: what old runs hold in the state directory.

use std::fs;
use std::path::Path;

use ftl_testkit::program::Program;
use ftl_testkit::scratch::Scratch;

use super::isolation::{possible, with_git};
use super::jobs::{add, of};
use crate::support::{FTL, Finished, Project};

const JSON: [&str; 2] = ["--format", "json"];

/// A project whose build was killed during a request, and a state directory for it alone.
fn killed(isolate: &str) -> (Project, Scratch) {
    let project = with_git();
    let state = Scratch::new("state").unwrap();
    project.write("target/killed", "");
    // The pipe is in a directory that passes through a view.
    let script = "mkfifo target/started && { \"$FTL\" build 001 --isolate $0 --agent \
                  'head -c 2000000 /dev/urandom > big; echo > target/started; sleep 60' & } && \
                  read line < target/started; kill -KILL $!; wait $!";
    let shell = Program::new("sh", project.path()).without_cargo().env("FTL", FTL);
    Finished::of_in(shell.args(["-c", script, isolate]), state.path()).ends(137);
    (project, state)
}

fn ftl<const N: usize>(project: &Project, state: &Scratch, words: [&str; N]) -> Finished {
    let program = Program::new(FTL, project.path()).without_cargo().args(words);
    Finished::of_in(program, state.path()).ends(0)
}

/// The directories of runs that are in the state directory.
fn runs(state: &Scratch) -> usize {
    let below = |dir: &Path| fs::read_dir(dir).into_iter().flatten().flatten().map(|it| it.path());
    let projects = below(&state.path().join("ftl"));
    let all = projects.flat_map(|project| below(&project).collect::<Vec<_>>());
    all.filter(|it| it.is_dir() && it.extension().is_some()).count()
}

#[test]
fn the_state_of_a_dropped_tasks_run_is_listed_and_removed() {
    if !possible() {
        return;
    }
    let (project, state) = killed("bind");
    let kept = ftl(&project, &state, ["clean"]).stdout;
    assert!(kept.contains("001_a/1  (kept: its task is active)"), "{kept}");
    assert!(kept.ends_with("Removed: 0.0 KiB of 0 runs\n"), "{kept}");
    assert_eq!(runs(&state), 1);

    ftl(&project, &state, ["drop", "001"]);
    let doctor = ftl(&project, &state, ["doctor", JSON[0], JSON[1]]).json().to_string();
    assert!(doctor.contains("`ftl clean` lists and removes it"), "{doctor}");
    let listed = ftl(&project, &state, ["clean", "--dry-run"]).stdout;
    assert!(listed.contains("MiB  001_a/1\nWould remove: "), "{listed}");
    assert_eq!(runs(&state), 1);
    let removed = ftl(&project, &state, ["clean"]).stdout;
    assert_eq!(removed, listed.replace("Would remove", "Removed"));
    assert_eq!(runs(&state), 0);
    assert_eq!(ftl(&project, &state, ["clean"]).stdout, "Removed: 0.0 KiB of 0 runs\n");
    ftl(&project, &state, ["reopen", "001", "--build", "--agent", "echo work >> notes.txt"]);
}

#[test]
fn state_that_restores_a_deleted_task_is_kept() {
    let (project, state) = killed("copy");
    fs::remove_dir_all(project.path().join(".ftl")).unwrap();
    let kept = ftl(&project, &state, ["clean", "--root", "."]).stdout;
    assert!(kept.contains("001_a/1  (kept: its request was cut off"), "{kept}");
    let agent = "echo work >> notes.txt";
    let build = ["build", "--restart", "--put-back", "--isolate", "copy", "--agent", agent];
    ftl(&project, &state, build);
    let removed = ftl(&project, &state, ["clean"]).stdout;
    assert!(removed.ends_with(" of 2 runs\n"), "{removed}");
}

/// One made `ID/N` for a run, and kept its task in `tasks/KEY`.
#[test]
fn a_run_that_an_earlier_ftl_began_is_put_back() {
    let script = r#"cd "$0/ftl/"????????????????; key=${PWD##*/}; mkdir -p 001_a ../tasks/$key &&
                    mv 001_a.1 001_a/1 && mv 001_a.json ../tasks/$key"#;
    for is_lost in [false, true] {
        let (project, state) = killed("copy");
        let shell = Program::new("sh", project.path()).args(["-c", script]);
        shell.args([state.path()]).run().unwrap();
        if is_lost {
            fs::remove_dir_all(project.path().join(".ftl")).unwrap();
        }
        let agent = "test ! -e big && echo work >> notes.txt";
        let build = ["build", "--restart", "--put-back", "--isolate", "copy", "--agent", agent];
        ftl(&project, &state, build);
        let removed = ftl(&project, &state, ["clean"]).stdout;
        assert!(removed.contains("  001_a/1\n") && removed.contains("  001_a/2\n"), "{removed}");
    }
}

#[test]
fn runs_of_a_project_that_is_gone_are_removed_with_all_others() {
    if !possible() {
        return;
    }
    let (gone, state) = killed("bind");
    let root = gone.path().canonicalize().unwrap();
    let other = with_git();
    let kept = ftl(&other, &state, ["clean", "--all"]).stdout;
    assert!(kept.contains("its task is active"), "{kept}");
    drop(gone);
    assert_eq!(ftl(&other, &state, ["clean"]).stdout, "Removed: 0.0 KiB of 0 runs\n");
    let removed = ftl(&other, &state, ["clean", "--all"]).stdout;
    // Layers of other tests' runs, whose state is elsewhere, may be listed beside it.
    let line = format!("001_a/1  {}\n", root.display());
    assert!(removed.contains(&line) && removed.ends_with(" of 1 run\n"), "{removed}");
    assert_eq!(runs(&state), 0);
}

#[test]
fn slots_are_kept_for_the_runs_that_go_on_and_else_removed() {
    if !possible() {
        return;
    }
    let project = with_git();
    for (number, letter) in [(1, 'a'), (2, 'b')] {
        add(&project, number, letter, &of(&[&format!("{letter}.txt")], "true"));
    }
    project.commit();
    let state = Scratch::new("state").unwrap();
    // Without a reader that stays, the second agent's line could be lost with the first one's.
    let script = "mkfifo \"$0/started\"; exec 3<>\"$0/started\"; \
                  \"$FTL\" build 1 2 --jobs 2 --agent \"echo > '$0/started'; sleep 60\" & \
                  read line <&3; read line <&3; kill -KILL $!; wait $!; code=$?; \
                  for lock in $(find \"$0\" -path '*/slots/*' -name lock); do flock \"$lock\" true; done; \
                  exit $code";
    let shell = Program::new("sh", project.path()).without_cargo().env("FTL", FTL);
    Finished::of_in(shell.args(["-c", script]).args([state.path()]), state.path()).ends(137);

    let kept = ftl(&project, &state, ["clean"]).stdout;
    for slot in ["slot 0", "slot 1"] {
        assert!(kept.contains(&format!("{slot}  (kept: its task is active)\n")), "{kept}");
    }
    ftl(&project, &state, ["drop", "001"]);
    let half = ftl(&project, &state, ["clean", "--dry-run"]).stdout;
    assert!(half.ends_with(" of 1 run and 1 slot\n"), "{half}");
    ftl(&project, &state, ["drop", "002"]);
    let removed = ftl(&project, &state, ["clean"]).stdout;
    assert!(removed.ends_with(" of 2 runs and 2 slots\n"), "{removed}");
    assert_eq!(ftl(&project, &state, ["clean"]).stdout, "Removed: 0.0 KiB of 0 runs\n");
    ftl(&project, &state, ["reopen", "001", "--build", "--agent", "echo work >> a.txt"]);
}
