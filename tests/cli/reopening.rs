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
        (&["--fix", "WHAT FIXES IT"], "usage::arguments"),
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
        assert_eq!(project.read("notes.txt"), b"before\n");
        project.write("ready", "");
        // The agent does nothing this time, and says nothing.
        let finished =
            project.ftl(["reopen", "001", "--build", "--agent", "true", "--format", "json"]);
        is_done(&finished);
        let result = finished.json();
        assert_eq!(result["files"][0]["change"], "modified", "{result:#}");
        assert_eq!(result["budget"]["used"], 3, "{result:#}");
        assert_eq!(project.read("notes.txt"), b"new\n");
        let kept = project.path().join(".ftl/runs/001_a/1/work");
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
fn strays_are_taken_in_with_their_modes() {
    let agent = "mkdir -p sub; echo tool > sub/t.sh; chmod 750 sub/t.sh; ln -s t.sh sub/link; \
                 printf more >> other.txt; rm gone.txt; echo 2 > notes.txt";
    let project = project(&[]);
    project.write("ftl.toml", "[scope]\nstrays = \"block\"\n");
    project.write("other.txt", "mine ");
    project.write("gone.txt", "x");
    project.add("001_a", task().verify("test -x sub/t.sh"));
    let blocked = project.build(&["001", "--agent", agent]).ends(3).json();
    assert_eq!(blocked["block"]["kind"], "delta_insufficient", "{blocked:#}");
    let is_untouched = || {
        assert!(!project.path().join("sub").exists());
        assert_eq!(project.read("other.txt"), b"mine ");
        assert_eq!(project.read("gone.txt"), b"x");
        assert_eq!(project.read("notes.txt"), b"before\n");
    };
    is_untouched();

    for (words, code) in [
        (&["gone.txt"][..], "usage::not_apart"),
        (&["other.txt", "none.txt"], "usage::not_apart"),
        (&["sub/link"], "usage::untakable"),
    ] {
        let refused = project.ftl([&["reopen", "001", "--take"], words].concat()).ends(2);
        assert!(refused.stderr.contains(code), "{words:?}: {refused:#?}");
        let is_listed = refused.stderr.contains("sub/t.sh");
        assert!(is_listed || code == "usage::untakable", "it says what there is: {refused:#?}");
        assert_eq!(project.workspaces(), ["001_a_blocked.xml"]);
    }

    let finished =
        project.ftl(["reopen", "001", "--take", "sub/t.sh", "other.txt", "--budget", "6"]);
    is_done(&finished);
    assert!(finished.stderr.contains("added `sub/t.sh` to the delta"), "{finished:#?}");
    is_untouched();
    assert_eq!(
        parsed(&project, ACTIVE)["delta"],
        serde_json::json!(["notes.txt", "sub/t.sh", "other.txt"])
    );
    // What was taken in is measured by what was there before.
    let finished = project.build(&["001", "--agent", "true"]);
    is_done(&finished);
    let files = finished.json()["files"].clone();
    let changes: Vec<&str> =
        files.as_array().unwrap().iter().map(|file| file["change"].as_str().unwrap()).collect();
    assert_eq!(changes, ["modified", "created", "modified"], "{files:#}");
    let mode = project.path().join("sub/t.sh").metadata().unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o750);
    assert_eq!(project.read("sub/t.sh"), b"tool\n");
    assert_eq!(project.read("other.txt"), b"mine more");
    assert_eq!(project.read("notes.txt"), b"2\n");
    // Of the strays, only what was taken in came.
    assert_eq!(project.read("gone.txt"), b"x");
    assert!(project.path().join("sub/link").symlink_metadata().is_err());
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
        let is_mine = || {
            assert_eq!(project.read("other.txt"), b"mine, and later\n");
            assert_eq!(project.read("fresh.txt"), b"mine too\n");
        };
        for (path, theirs) in [("other.txt", "theirs\n"), ("fresh.txt", "new\n")] {
            let left = project.ftl(["take", "001", path]).ends(1);
            for named in [path, ".ftl/runs/001_a/1/conflicts"] {
                assert!(left.stderr.contains(named), "{named}: {left:#?}");
            }
            is_mine();
            assert_eq!(project.text(format!(".ftl/runs/001_a/1/conflicts/{path}")), theirs);
            assert_eq!(project.workspaces(), ["001_a_blocked.xml"]);
        }

        // As parts of the task they are as the person left them, and the implementer goes on from there.
        is_done(&project.ftl(["reopen", "001", "--take", "other.txt", "fresh.txt"]));
        is_mine();
        let agent = "cat other.txt fresh.txt > $OUT/seen; echo 2 > notes.txt";
        let words = ["001", "--isolate", isolate, "--agent", agent];
        let finished = project.build(&words);
        is_done(&finished);
        is_mine();
        let seen = project.text(project.outside("seen"));
        assert_eq!(seen, "mine, and later\nmine too\n");
        assert!(finished.stderr.contains("fresh.txt, other.txt"), "{finished:#?}");
    }
}

#[test]
fn a_quarantine_that_leads_elsewhere_is_not_followed() {
    for (replaced, secret) in
        [("", "1/sub/stray.txt"), ("1", "sub/stray.txt"), ("1/sub", "stray.txt")]
    {
        let project = blocked_by("mkdir sub; echo x > sub/stray.txt", "true");
        let elsewhere = Project::empty();
        elsewhere.write(secret, "secret");
        let replaced = project.path().join(".ftl/runs/001_a/1/quarantine").join(replaced);
        fs::remove_dir_all(&replaced).unwrap();
        // Without a `/` at its end.
        let replaced = replaced.components().collect::<std::path::PathBuf>();
        std::os::unix::fs::symlink(elsewhere.path(), &replaced).unwrap();
        let record = project.read(BLOCKED);
        for words in
            [&["reopen", "001", "--take", "sub/stray.txt"][..], &["take", "001", "sub/stray.txt"]]
        {
            let refused = project.ftl(words).ends(2);
            assert!(refused.stderr.contains("usage::not_apart"), "{words:?}: {refused:#?}");
            assert!(!project.path().join("sub").exists(), "{words:?}");
            assert_eq!(project.read(BLOCKED), record, "{words:?}");
        }
    }
}

#[test]
fn a_delta_file_that_became_something_else_does_not_come_into_the_project() {
    let agents = [
        "rm notes.txt; mkdir notes.txt; echo x > notes.txt/x",
        "ln -sf other notes.txt",
        "rm notes.txt; mkfifo notes.txt",
    ];
    for level in ["copy", "bind"] {
        for agent in agents {
            let project = super::project(&["001_a_active.xml"]);
            let build = ["001", "--isolate", level, "--agent", agent];
            let blocked = project.build(&build).ends(3).json();
            let error = blocked["block"]["error"].as_str().unwrap();
            assert_eq!(error, "`notes.txt` is no longer a regular file", "{agent}");
            assert_eq!(project.read("notes.txt"), b"before\n", "{agent}");
            let is_file = project.path().join("notes.txt").symlink_metadata().unwrap().is_file();
            assert!(is_file, "{agent}");
            if agent.contains("mkdir") {
                let kept = project.read(".ftl/runs/001_a/1/quarantine/1/notes.txt/x");
                assert_eq!(kept, b"x\n");
            }
            // The next one begins with the project's.
            let reopen =
                ["reopen", "001", "--build", "--isolate", level, "--agent", "echo w >> notes.txt"];
            project.ftl(reopen).ends(0);
            assert_eq!(project.read("notes.txt"), b"before\nw\n", "{agent}");
        }
    }
}
