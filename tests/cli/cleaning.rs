//! `ftl clean`: what workplaces hold in the state directory.

use ftl_testkit::scratch::Scratch;

use super::isolation::with_git;
use super::jobs::{add, of};
use crate::support::{Finished, Project};

const JSON: [&str; 2] = ["--format", "json"];

const NOTHING: &str = "Removed: 0.0 KiB of 0 workplaces\n";

/// A project whose build was killed during a request, and a state directory for it alone.
fn killed() -> (Project, Scratch) {
    let project = with_git().outside_pipes(&["started"]);
    let state = Scratch::new("state").unwrap();
    let script = "\"$FTL\" build 001 --agent \
                  'head -c 2000000 /dev/urandom > big; echo > $OUT/started; sleep 60' & \
                  read line < $OUT/started; kill -KILL $!; wait $!";
    Finished::of_in(project.program("sh").args(["-c", script]), state.path()).ends(137);
    (project, state)
}

fn ftl<const N: usize>(project: &Project, state: &Scratch, words: [&str; N]) -> Finished {
    Finished::of_in(project.program(crate::support::FTL).args(words), state.path()).ends(0)
}

#[test]
fn the_workplace_of_a_dropped_tasks_run_is_listed_and_removed() {
    let (project, state) = killed();
    let kept = ftl(&project, &state, ["clean"]).stdout;
    assert!(kept.contains("workplace 0  (kept: its task is active"), "{kept}");
    assert!(kept.ends_with(NOTHING), "{kept}");

    ftl(&project, &state, ["drop", "001"]);
    let doctor = ftl(&project, &state, ["doctor", JSON[0], JSON[1]]).json().to_string();
    assert!(doctor.contains("`ftl clean` lists and removes it"), "{doctor}");
    let listed = ftl(&project, &state, ["clean", "--dry-run"]).stdout;
    assert!(listed.contains("MiB  workplace 0\nWould remove: "), "{listed}");
    let removed = ftl(&project, &state, ["clean"]).stdout;
    assert_eq!(removed, listed.replace("Would remove", "Removed"));
    assert_eq!(ftl(&project, &state, ["clean"]).stdout, NOTHING);
    ftl(&project, &state, ["reopen", "001", "--build", "--agent", "echo work >> notes.txt"]);
}

#[test]
fn workplaces_of_a_project_that_is_gone_are_removed_with_all_others() {
    let (gone, state) = killed();
    let root = gone.path().canonicalize().unwrap();
    let other = with_git();
    let kept = ftl(&other, &state, ["clean", "--all"]).stdout;
    assert!(kept.contains("its task is active"), "{kept}");
    drop(gone);
    assert_eq!(ftl(&other, &state, ["clean"]).stdout, NOTHING);
    let removed = ftl(&other, &state, ["clean", "--all"]).stdout;
    let line = format!("workplace 0  {}\n", root.display());
    assert!(removed.contains(&line) && removed.ends_with(" of 1 workplace\n"), "{removed}");
}

/// Those that build several tasks notice that their command died, and end as after an interrupt: what their requests
/// wrote is with the runs.
#[test]
fn workplaces_of_a_killed_command_with_several_tasks_are_removed() {
    let project = with_git();
    for (number, letter) in [(1, 'a'), (2, 'b')] {
        add(&project, number, letter, &of(&[&format!("{letter}.txt")], "true"));
    }
    project.commit();
    let project = project.outside_pipes(&["started"]);
    let state = Scratch::new("state").unwrap();
    // Without a reader that stays, the second agent's line could be lost with the first one's.
    let script = "exec 3<>$OUT/started; \
                  \"$FTL\" build 1 2 --jobs 2 --agent \"echo work > \\$1; echo > $OUT/started; sleep 60\" & \
                  read line <&3; read line <&3; kill -KILL $!; wait $!; code=$?; \
                  for lock in $(find \"$0\" -path '*/workplaces/*' -name lock); do flock \"$lock\" true; done; \
                  exit $code";
    let shell = project.program("sh").args(["-c", script]).args([state.path()]);
    Finished::of_in(shell, state.path()).ends(137);

    for (run, path) in [("001_a", "a.txt"), ("002_b", "b.txt")] {
        let kept = project.read(format!(".ftl/runs/{run}/1/interrupted/1/{path}"));
        assert_eq!(kept, b"work\n", "{run}");
    }
    let removed = ftl(&project, &state, ["clean"]).stdout;
    assert!(removed.ends_with(" of 2 workplaces\n"), "{removed}");
    assert_eq!(ftl(&project, &state, ["clean"]).stdout, NOTHING);
    ftl(&project, &state, ["build", "001", "--restart", "--agent", "echo work >> a.txt"]);
}
