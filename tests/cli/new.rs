//! `ftl new`.

use ftl_testkit::program::Program;

use crate::support::Project;

#[test]
fn the_next_task_gets_the_next_number_and_the_contexts_of_what_exists() {
    let project = Project::empty();
    project.write(".ftl/workspace/007_old_complete.xml", "<workspace/>");
    project.write("src/a.py", "import os\n\nLIMIT = 3\n\ndef get(x):\n    return x\n");
    project.write("b.bin", [0xff, 0xfe]);
    let words = [
        "new",
        "Keep <limits> & more",
        "--delta",
        "./src/a.py",
        "b.bin",
        "new.py",
        "--verify",
        "python3 -c 'import a' && true",
        "--verify-source",
        "tests/a.py",
        "--budget",
        "9",
    ];
    let finished = project.ftl(words).ends(0);
    let path = ".ftl/workspace/008_keep-limits-more_active.xml";
    assert_eq!(finished.stdout, format!("Created: {path}\n"));
    assert!(finished.stderr.contains("`b.bin` is not UTF-8"), "{finished:#?}");

    let parsed = project.ftl(["workspace", "parse", path]).json();
    assert_eq!(parsed["id"], "008-keep-limits-more");
    assert_eq!(parsed["status"], "active");
    assert_eq!(parsed["objective"], "Keep <limits> & more");
    assert_eq!(parsed["delta"], serde_json::json!(["src/a.py", "b.bin", "new.py"]));
    assert_eq!(parsed["verify"], "python3 -c 'import a' && true");
    assert_eq!(parsed["verify_source"], "tests/a.py");
    assert_eq!(parsed["budget"], 9);
    assert_eq!(parsed["code_context"]["exports"], "LIMIT, get()");
    assert_eq!(parsed["code_context"]["imports"], "import os");
    assert!(parsed.get("code_contexts").is_none(), "{parsed:#}");
}

#[test]
fn numbers_are_not_given_twice_however_many_ask() {
    const ASKING: usize = 8;
    let project = Project::empty();
    std::thread::scope(|scope| {
        for word in 0..ASKING {
            let objective = format!("task {word}");
            let project = &project;
            scope.spawn(move || {
                project.ftl(["new", &objective, "--delta", "a", "--verify", "true"]).ends(0);
            });
        }
    });
    let names = project.workspaces();
    let numbers: Vec<&str> = names.iter().map(|name| &name[..3]).collect();
    assert_eq!(numbers, ["001", "002", "003", "004", "005", "006", "007", "008"]);
}

#[test]
fn a_new_task_can_be_built_in_the_same_breath() {
    let project = Project::empty();
    let words = ["new", "say hi", "--delta", "a", "--verify", "grep hi a", "--build"];
    let agent = ["--agent", "echo hi > a", "--format", "json"];
    let finished = project.ftl(words.iter().chain(&agent)).ends(0);
    assert_eq!(finished.json()["outcome"], "complete");
    assert!(finished.stderr.contains("Created: .ftl/workspace/001_say-hi_active.xml"));
    assert_eq!(project.workspaces(), ["001_say-hi_complete.xml"]);
}

#[test]
fn a_task_that_a_build_would_refuse_is_not_written() {
    for (words, code, about) in [
        (&["new", "x", "--delta", "../a", "--verify", "true"][..], "usage::delta", "holds `..`"),
        (&["new", "x", "--delta", "a", "./a", "--verify", "true"], "usage::delta", "named twice"),
        (&["new", "x", "--delta", ".", "--verify", "true"], "usage::delta", "directory"),
        (&["new", "x", "--delta", "a", "--verify", " "], "usage::verify", "empty"),
        (
            &["new", "x", "--delta", "a", "--verify", "true", "--budget", "0"],
            "usage::arguments",
            "--budget",
        ),
        (
            &["new", "x", "--delta", "a", "--verify", "true", "--build", "--agnet"],
            "usage::arguments",
            "--agent",
        ),
        (&["new", "x", "--verify", "true"], "usage::arguments", "--delta"),
        (
            &["new", "x", "--delta", "a", "--verify", "no-such-program -q"],
            "workspace::verify_program",
            "not on the PATH",
        ),
        (
            &["new", "x", "--delta", "a", "--verify", "test 'open"],
            "workspace::shell_syntax",
            "the shell cannot read",
        ),
    ] {
        let project = Project::empty();
        let finished = project.ftl(words).ends(2);
        assert_eq!(finished.stdout, "", "{finished:#?}");
        for said in [code, about] {
            assert!(finished.stderr.contains(said), "{said}: {finished:#?}");
        }
        assert!(!project.path().join(".ftl").exists(), "{words:?}");
    }
}

#[test]
fn without_a_verify_the_command_is_printed_with_the_projects_own_test_command() {
    let project = Project::empty();
    project.write("Makefile", "test:\n\ttrue\n");
    let typed = ["new", "Say hi", "--delta", "a", "--build", "--agent", "echo hi > a"];
    let refused = project.ftl(typed).ends(2);
    let said = refused.stderr.replace(['\n', '│'], " ");
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    let whole = "`ftl new 'Say hi' --delta a --verify 'make test' --build --agent 'echo hi > a'`";
    assert!(said.contains("usage::verify") && said.contains(whole), "{refused:#?}");
    assert!(!project.path().join(".ftl").exists());
}

#[test]
fn a_program_of_the_projects_own_is_what_is_suggested() {
    let project = Project::empty();
    project.write(".venv/bin/own-check", "#!/bin/sh\n");
    Program::new("chmod", project.path()).args(["+x", ".venv/bin/own-check"]).run().unwrap();
    let finished = project.ftl(["new", "x", "--delta", "a", "--verify", "own-check -q"]).ends(2);
    let meant = "did you mean `.venv/bin/own-check`?";
    assert!(finished.stderr.contains(meant), "{finished:#?}");
}

#[test]
fn an_objective_behind_the_delta_is_reported() {
    let project = Project::empty();
    let finished = project.ftl(["new", "--delta", "a", "Mend it", "--verify", "true"]).ends(2);
    let said = "put OBJECTIVE first";
    assert!(finished.stderr.contains(said), "{finished:#?}");
}

#[test]
fn a_delta_file_that_is_a_pipe_is_refused_and_not_waited_for() {
    let project = Project::empty();
    let project = project.pipes(&["pipe"]);
    let finished = project.ftl(["new", "x", "--delta", "pipe", "--verify", "true"]).ends(2);
    for said in ["usage::delta", "it is a device, pipe or socket"] {
        assert!(finished.stderr.contains(said), "{said}: {finished:#?}");
    }
    assert!(!project.path().join(".ftl").exists());
}

#[test]
fn paths_are_as_typed_in_the_current_directory_and_the_budget_carries_a_retry() {
    let project = Project::empty();
    project.write(".ftl/workspace/001_old_complete.xml", "<workspace/>");
    project.write("sub/a.py", "A = 1\n");
    let words =
        ["new", "x", "--delta", "a.py", "../b.py", "--verify", "true", "--verify-source", "t.py"];
    let below = Program::new(crate::support::FTL, &project.path().join("sub"));
    let finished = crate::support::Finished::of(below.without_cargo().args(words)).ends(0);
    assert_eq!(finished.stdout, "Created: ../.ftl/workspace/002_x_active.xml\n");
    let parsed = project.ftl(["workspace", "parse", ".ftl/workspace/002_x_active.xml"]).json();
    assert_eq!(parsed["delta"], serde_json::json!(["sub/a.py", "b.py"]));
    assert_eq!(parsed["verify_source"], "sub/t.py");
    assert_eq!(parsed["budget"], 7);
}
