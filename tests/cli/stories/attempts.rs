//! Trying again: by one command, and by several.

use super::{build, is_complete, new, paste, widgets};

#[test]
fn an_agent_that_succeeds_the_second_time_needs_one_command() {
    let project = widgets();
    new(
        &project,
        &[
            "Raise",
            "--delta",
            "widget.txt",
            "--verify",
            "grep -q 4 widget.txt",
        ],
    );
    let agent = "if grep -q 'What the last run left' \"$FTL_PROMPT\"; then echo 4 > widget.txt; \
                 else echo 3 > widget.txt; fi";
    let finished = build(&project, &["--attempts", "3", "--agent", agent]);
    assert_eq!(finished.code, Some(0), "{finished:#?}");
    let result = finished.json();
    assert_eq!(result["attempt"], 2, "{result:#}");
    assert_eq!(result["run"], "001_raise/2");
    assert_eq!(
        result["budget"]["used"], 3,
        "a budget of its own: {result:#}"
    );
    assert!(
        finished
            .stderr
            .contains("attempt 1 of 3: blocked (discovery_needed)"),
        "{finished:#?}"
    );
    let record = project.ftl([
        "workspace",
        "parse",
        "--full",
        ".ftl/workspace/001_raise_complete.xml",
    ]);
    let runs = record.json()["run"].clone();
    let attempts: Vec<&str> = runs
        .as_array()
        .unwrap()
        .iter()
        .map(|run| run["attributes"]["attempt"].as_str().unwrap())
        .collect();
    assert_eq!(attempts, ["1", "2"]);
}

#[test]
fn attempts_are_bounded_and_only_for_blocks_that_another_try_may_get_over() {
    for (agent, kind, attempt) in [
        ("echo 3 > widget.txt", "discovery_needed", 3),
        ("exit 1", "implement_failed", 3),
        (
            "echo 'def (' > widget.py; echo 3 > widget.txt",
            "preflight_exhausted",
            3,
        ),
        ("echo 4 > stray", "delta_insufficient", 1),
    ] {
        let project = widgets();
        new(
            &project,
            &[
                "Raise",
                "--delta",
                "widget.txt",
                "widget.py",
                "--verify",
                "grep -q 4 widget.txt",
            ],
        );
        let blocked = build(&project, &["--attempts", "3", "--agent", agent]);
        let result = blocked.json();
        assert_eq!(result["block"]["kind"], kind, "{result:#}");
        assert_eq!(result["attempt"], attempt, "{result:#}");
        assert_eq!(blocked.code, Some(3));
        let runs = project.path().join(".ftl/runs/001_raise");
        assert_eq!(std::fs::read_dir(runs).unwrap().count(), attempt as usize);
    }
    let project = widgets();
    new(
        &project,
        &["Raise", "--delta", "widget.txt", "--verify", "true"],
    );
    for words in [&["--tree"][..], &[]] {
        let refused = build(&project, &[&["--attempts", "2"], words].concat());
        assert_eq!(refused.code, Some(2), "{refused:#?}");
        assert_eq!(refused.json()["error"]["code"], "usage::attempts");
    }
}

#[test]
fn patches_go_on_counting_over_attempts() {
    let project = widgets();
    new(
        &project,
        &[
            "Raise",
            "--delta",
            "widget.txt",
            "--verify",
            "grep -q LIMIT.=.5 widget.txt",
        ],
    );
    let patch = |from: u8, to: u8| {
        format!("--- a/widget.txt\n+++ b/widget.txt\n@@ -1 +1 @@\n-LIMIT = {from}\n+LIMIT = {to}\n")
    };
    project.write("1.patch", patch(3, 4));
    project.write("2.patch", patch(4, 5));
    let finished = build(
        &project,
        &[
            "--attempts",
            "2",
            "--patch",
            "1.patch",
            "--patch",
            "2.patch",
        ],
    );
    assert_eq!(finished.code, Some(0), "{finished:#?}");
    assert_eq!(finished.json()["attempt"], 2);
}

#[test]
fn a_dependant_that_waited_is_built_after_the_reopened_task() {
    let project = widgets();
    let task = |depends: &str, delta: &str, verify: &str| {
        format!(
            "<workspace status=\"active\"{depends}><implementation><delta>{delta}</delta>\
             <verify>{verify}</verify></implementation><delivered/></workspace>"
        )
    };
    project.write(
        ".ftl/workspace/001_first_active.xml",
        task("", "widget.txt", "grep -q 4 widget.txt"),
    );
    project.write(
        ".ftl/workspace/002_second_active.xml",
        task(" depends=\"001\"", "util.txt", "grep -q 4 widget.txt"),
    );
    let both = project.ftl(["build", "001", "002", "--agent", "echo 3 >> \"$1\""]);
    assert_eq!(both.code, Some(3), "{both:#?}");
    assert!(both.stdout.contains("skipped"), "{both:#?}");
    is_complete(&project.ftl(["reopen", "1", "--build", "--agent", "echo 4 >> \"$1\""]));
    let waiting = project.ftl(["status", "--format", "json"]).json();
    assert_eq!(waiting["workspaces"][1]["waits_for"], serde_json::json!([]));
    is_complete(&project.ftl(["build", "002", "--agent", "echo 5 >> \"$1\""]));
}

#[test]
fn a_finished_record_says_how_to_go_on() {
    let project = widgets();
    new(
        &project,
        &[
            "Raise",
            "--delta",
            "widget.txt",
            "--verify",
            "grep -q 4 widget.txt",
        ],
    );
    build(&project, &["--agent", "echo 3 > widget.txt"]);
    let again = build(&project, &["--agent", "echo 4 > widget.txt"]);
    assert_eq!(again.code, Some(2), "{again:#?}");
    let error = again.json()["error"].clone();
    let next = error["next"][0].as_str().unwrap();
    assert!(next.starts_with("ftl reopen "), "{error:#}");
    is_complete(&paste(
        &project,
        &format!("{next} --agent 'echo 4 > widget.txt'"),
    ));
}
