//! `ftl reopen`: what it changes, what it keeps, and what it refuses.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::cli::{assert_refused, project};
use crate::support::{Finished, Project, task};

const BLOCKED: &str = ".ftl/workspace/001_a_blocked.xml";
const ACTIVE: &str = ".ftl/workspace/001_a_active.xml";

/// A project whose task was blocked by what `agent` did, in an earlier run.
fn blocked_by(agent: &str, verify: &str) -> Project {
    let project = project(&[]).task("001_a", task().attributes("id=\"001-a\"").verify(verify));
    project.ftl(["build", "001", "--isolate", "copy", "--agent", agent]).ends(3);
    project
}

fn parsed(project: &Project, path: &str) -> serde_json::Value {
    project.ftl(["workspace", "parse", "--full", path]).json()
}

fn is_done(finished: &Finished) {
    assert_eq!(finished.code, Some(0), "{finished:#?}");
}

#[test]
fn a_reopened_task_keeps_its_id_and_its_run_and_nothing_says_that_it_is_finished() {
    let project = blocked_by("echo x > notes.txt; exit 7", "true");
    let before = parsed(&project, BLOCKED);
    let finished = project.ftl(["reopen", "1", "--budget", "9"]);
    is_done(&finished);
    assert_eq!(finished.stdout, format!("Reopened: {ACTIVE}\n"));
    assert_eq!(project.workspaces(), ["001_a_active.xml"]);
    let now = parsed(&project, ACTIVE);
    assert_eq!(now["status"], "active");
    assert_eq!(now["blocked_at"], serde_json::Value::Null);
    assert_eq!(now["delivered"], "");
    assert_eq!(now["budget"], 9);
    assert_eq!(now["run"], before["run"], "what a run wrote stays");
    let handoff = &now["run"][0]["children"][2];
    assert_eq!(handoff["text"], before["delivered"]);

    // The next run has the next number, and both are recorded.
    project.ftl(["build", "001", "--agent", "exit 8"]).ends(3);
    let runs = parsed(&project, BLOCKED)["run"].clone();
    let numbers: Vec<&str> = runs
        .as_array()
        .unwrap()
        .iter()
        .map(|run| run["attributes"]["number"].as_str().unwrap())
        .collect();
    assert_eq!(numbers, ["1", "2"]);
    assert!(project.path().join(".ftl/runs/001_a/2").is_dir());
}

#[test]
fn an_unfinished_task_is_not_reopened() {
    let project = project(&["001_a_active.xml"]);
    let refused = project.ftl(["reopen", "001", "--build", "--format", "json"]);
    assert_refused(&refused, 2, "usage::workspace_not_blocked", "active");
    let refused = project.ftl(["reopen", "003", "--build", "--format", "json"]);
    assert_refused(&refused, 2, "usage::workspace_missing", "no task `003`");
    assert_eq!(project.workspaces(), ["001_a_active.xml"]);
}

#[test]
fn a_task_that_a_build_would_refuse_is_not_reopened() {
    let project = blocked_by("exit 1", "true");
    let record = project.read(BLOCKED);
    for (words, code) in [
        (&["--delta", "../x"][..], "workspace::delta"),
        (&["--delta", ".git/x"], "workspace::delta"),
        (&["--verify", "  "], "workspace::verify"),
        (&["--take", "src/a.py"], "usage::not_apart"),
        (&["--fix", " "], "usage::reopen"),
        (&["--fix", "x", "--match", "("], "usage::pattern"),
        (&["--match", "x"], "usage::arguments"),
        (&["--build", "--no-such-option"], "usage::arguments"),
    ] {
        let finished = project.ftl(["reopen", "001"].iter().chain(words)).ends(2);
        assert!(finished.stderr.contains(code), "{words:?}: {finished:#?}");
        assert_eq!(project.read(BLOCKED), record, "{words:?}");
        assert_eq!(project.workspaces(), ["001_a_blocked.xml"]);
    }
}

#[test]
fn paths_are_as_typed_in_the_current_directory() {
    let project = blocked_by("exit 1", "true");
    project.write("sub/there.txt", "x");
    let program =
        ftl_testkit::program::Program::new(crate::support::FTL, &project.path().join("sub"));
    let words = ["reopen", "001", "--delta", "there.txt", "../up.txt"];
    is_done(&Finished::of(program.without_cargo().args(words)));
    assert_eq!(
        parsed(&project, ACTIVE)["delta"],
        serde_json::json!(["notes.txt", "sub/there.txt", "up.txt"])
    );
}

#[test]
fn a_crash_between_the_two_steps_is_finished_by_the_next_command() {
    for next in ["build", "reopen"] {
        let project = blocked_by("exit 1", "grep after notes.txt");
        is_done(&project.ftl(["reopen", "001", "--budget", "8"]));
        // The content was renamed over the record, the name not yet.
        let file = |path: &str| project.path().join(path);
        fs::rename(file(ACTIVE), file(BLOCKED)).unwrap();
        project.write("notes.txt", "after\n");
        let words: &[&str] = match next {
            "build" => &["build", "001"],
            _ => &["reopen", "001", "--budget", "8", "--build"],
        };
        is_done(&project.ftl(words));
        assert_eq!(project.workspaces(), ["001_a_complete.xml"]);
        let now = parsed(&project, ".ftl/workspace/001_a_complete.xml");
        assert_eq!(now["budget"], 8);
    }
}

#[test]
fn a_crash_in_a_later_seal_is_no_reopened_task() {
    let project = blocked_by("exit 1", "true");
    is_done(&project.ftl(["reopen", "001", "--build", "--agent", "echo 2 > notes.txt"]));
    let file = |path: &str| project.path().join(path);
    fs::rename(file(".ftl/workspace/001_a_complete.xml"), file(ACTIVE)).unwrap();
    project.build(&["001"]).ends(2);
    assert_eq!(project.workspaces(), ["001_a_complete.xml"]);
}

#[test]
fn an_implementer_can_not_reopen_a_task() {
    let project = blocked_by("exit 1", "true");
    project.add("002_b", task());
    let agent = format!("{} reopen 001; echo $? > notes.txt", crate::support::FTL);
    is_done(&project.ftl(["build", "002", "--isolate", "copy", "--agent", &agent]));
    assert_eq!(project.read("notes.txt"), b"2\n");
    assert_eq!(project.workspaces(), ["001_a_blocked.xml", "002_b_complete.xml"]);
}

#[test]
fn exports_that_are_right_already_count_as_work_after_the_captures_are_gone() {
    for isolate in ["copy", "bind"] {
        let project = project(&[]);
        project.add("001_a", task().verify("grep -q new notes.txt &amp;&amp; test -e ready"));
        let agent = "echo new > notes.txt";
        let words = ["build", "001", "--isolate", isolate, "--agent", agent];
        project.ftl(words).ends(3);
        project.write("ready", "");
        // The agent does nothing this time, and says nothing.
        let finished =
            project.ftl(["reopen", "001", "--build", "--agent", "true", "--format", "json"]);
        is_done(&finished);
        let result = finished.json();
        assert_eq!(result["files"][0]["change"], "modified", "{result:#}");
        assert_eq!(result["budget"]["used"], 3, "{result:#}");
        let kept = project.path().join(".ftl/runs/001_a/1/before");
        assert!(!kept.exists(), "a complete task keeps no copies");
    }
}

#[test]
fn with_the_tree_the_base_is_that_of_the_first_run() {
    let project = project(&[]);
    project.add("001_a", task().verify("test -e ready"));
    project.commit();
    project.write("notes.txt", "after\n");
    project.ftl(["build", "001", "--tree"]).ends(3);
    let git = |words: &[&str]| {
        ftl_testkit::program::Program::git(project.path()).args(words).run().unwrap()
    };
    git(&["commit", "--quiet", "--all", "--message", "work in progress"]);
    project.write("ready", "");
    let finished = project.ftl(["reopen", "001", "--build", "--tree", "--format", "json"]);
    is_done(&finished);
    let files = finished.json()["files"].clone();
    assert_eq!(files[0]["path"], "notes.txt", "{files:#}");
    assert_eq!(files[0]["change"], "modified", "{files:#}");
}

#[test]
fn strays_are_taken_in_with_their_modes_and_links() {
    let agent = "mkdir -p sub; echo tool > sub/t.sh; chmod 750 sub/t.sh; ln -s t.sh sub/link; \
                 printf more >> other.txt; rm gone.txt; echo 2 > notes.txt";
    let project = project(&[]);
    project.write("other.txt", "mine ");
    project.write("gone.txt", "x");
    project.add("001_a", task().verify("sh sub/link || test -x sub/t.sh"));
    project.ftl(["build", "001", "--agent", agent]).ends(3);
    assert!(!project.path().join("sub/t.sh").exists());
    assert_eq!(project.read("other.txt"), b"mine ");

    let refused = project.ftl(["reopen", "001", "--take", "gone.txt"]).ends(2);
    assert!(refused.stderr.contains("deleted by the implementer"), "{refused:#?}");
    let refused = project.ftl(["reopen", "001", "--take", "other.txt", "none.txt"]).ends(2);
    assert!(refused.stderr.contains("sub/t.sh"), "it says what there is: {refused:#?}");

    let finished = project.ftl(["reopen", "001", "--take", "sub/", "other.txt", "--budget", "6"]);
    is_done(&finished);
    assert!(finished.stderr.contains("took `sub/t.sh` from"), "{finished:#?}");
    let mode = project.path().join("sub/t.sh").metadata().unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o750);
    assert_eq!(fs::read_link(project.path().join("sub/link")).unwrap().to_str(), Some("t.sh"));
    assert_eq!(project.read("other.txt"), b"mine more");
    assert_eq!(
        parsed(&project, ACTIVE)["delta"],
        serde_json::json!(["notes.txt", "other.txt", "sub/t.sh"])
    );
    // What was taken in is measured by what was there before.
    let finished = project.build(&["001", "--agent", "true"]);
    is_done(&finished);
    let files = finished.json()["files"].clone();
    let changes: Vec<&str> =
        files.as_array().unwrap().iter().map(|file| file["change"].as_str().unwrap()).collect();
    assert_eq!(changes, ["modified", "modified", "created"], "{files:#}");
}

#[test]
fn remains_of_a_killed_command_beside_a_file_that_it_took_in_are_removed() {
    for (left, expected) in [("mine\n", "theirs\n"), ("mine, and later\n", "mine, and later\n")] {
        let project = project(&[]);
        project.write("other.txt", "mine\n");
        project.add("001_a", task());
        project.ftl(["build", "001", "--agent", "echo theirs > other.txt"]).ends(3);
        // The two files were exchanged, and what came out was not looked at yet.
        project.write("other.txt", "theirs\n");
        project.write(".other.txt.ftl-old", left);
        let taken = project.ftl(["reopen", "001", "--take", "other.txt"]);
        assert_eq!(taken.code, Some(i32::from(left == expected)), "{taken:#?}");
        assert_eq!(project.read("other.txt"), expected.as_bytes());
        assert!(!project.path().join(".other.txt.ftl-old").exists(), "{left}");
    }
}

#[test]
fn files_that_a_person_has_changed_since_are_not_overwritten() {
    for isolate in ["copy", "bind"] {
        let project = project(&[]);
        project.write("other.txt", "mine\n");
        project.add("001_a", task());
        let agent = "echo theirs > other.txt; echo new > fresh.txt";
        let words = ["build", "001", "--isolate", isolate, "--agent", agent];
        project.ftl(words).ends(3);
        project.write("other.txt", "mine, and later\n");
        project.write("fresh.txt", "mine too\n");
        for path in ["other.txt", "fresh.txt"] {
            let refused = project.ftl(["reopen", "001", "--take", path]).ends(1);
            assert!(refused.stderr.contains("reopen::changed_since"), "{refused:#?}");
        }
        assert_eq!(project.read("other.txt"), b"mine, and later\n");
        assert_eq!(project.read("fresh.txt"), b"mine too\n");
        assert_eq!(project.workspaces(), ["001_a_blocked.xml"]);
    }
}

#[test]
fn a_quarantine_that_leads_elsewhere_is_not_followed() {
    let project = blocked_by("echo x > stray.txt", "true");
    let quarantine = project.path().join(".ftl/runs/001_a/1/quarantine");
    let elsewhere = project.path().join("elsewhere");
    fs::create_dir_all(elsewhere.join("1")).unwrap();
    fs::write(elsewhere.join("1/stray.txt"), "secret").unwrap();
    fs::remove_dir_all(&quarantine).unwrap();
    std::os::unix::fs::symlink(&elsewhere, &quarantine).unwrap();
    project.ftl(["reopen", "001", "--take", "stray.txt"]).ends(2);
    assert!(!project.path().join("stray.txt").exists());
}

#[test]
fn a_delta_file_that_became_something_else_is_put_back_by_reopening() {
    let agents = [
        "rm notes.txt; mkdir notes.txt; echo x > notes.txt/x",
        "ln -sf other notes.txt",
        "rm notes.txt; mkfifo notes.txt",
    ];
    for level in ["copy", "bind"] {
        for agent in agents {
            let project = super::project(&["001_a_active.xml"]);
            let build = ["build", "001", "--isolate", level, "--agent", agent];
            project.ftl(build).ends(3);
            let reopen =
                ["reopen", "001", "--build", "--isolate", level, "--agent", "echo w >> notes.txt"];
            project.ftl(reopen).ends(0);
            assert_eq!(project.read("notes.txt"), b"before\nw\n", "{agent}");
            let kept = project.path().join(".ftl/runs/001_a/1/blocked/notes.txt");
            assert!(agent.contains("mkdir") || kept.symlink_metadata().is_ok(), "{agent}");
        }
    }
}
