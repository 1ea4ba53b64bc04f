//! Trying again: by one command, and by several.

use super::{build, is_complete, new, paste, widgets};
use crate::support::task;

#[test]
fn an_agent_that_succeeds_the_second_time_needs_one_command() {
    let project = widgets();
    new(&project, &["Raise", "--delta", "widget.txt", "--verify", "grep -q 4 widget.txt"]);
    let agent = "if grep -q 'What the last run left' \"$FTL_PROMPT\"; then echo 4 > widget.txt; \
                 else echo 3 > widget.txt; fi";
    let finished = build(&project, &["--attempts", "3", "--agent", agent]).ends(0);
    let result = finished.json();
    assert_eq!(result["attempt"], 2, "{result:#}");
    assert_eq!(result["run"], "001_raise/2");
    assert_eq!(result["budget"]["used"], 3, "a separate budget: {result:#}");
    let earlier = &result["earlier"];
    assert_eq!(earlier.as_array().map(Vec::len), Some(1), "{result:#}");
    assert_eq!(earlier[0]["run"], "001_raise/1", "{result:#}");
    assert_eq!(earlier[0]["kind"], "discovery_needed", "{result:#}");
    assert_eq!(earlier[0]["budget"]["used"], 3, "{result:#}");
    assert!(
        finished.stderr.contains("attempt 1 of 3: blocked (discovery_needed)"),
        "{finished:#?}"
    );
    let record =
        project.ftl(["workspace", "parse", "--full", ".ftl/workspace/001_raise_complete.xml"]);
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
        ("echo 'def (' > widget.py; echo 3 > widget.txt", "preflight_exhausted", 3),
        ("echo 4 > widget.txt; echo 4 > stray", "delta_insufficient", 1),
    ] {
        let project = widgets();
        project.write("ftl.toml", "[scope]\nstrays = \"block\"\n");
        new(
            &project,
            &["Raise", "--delta", "widget.txt", "widget.py", "--verify", "grep -q 4 widget.txt"],
        );
        let blocked = build(&project, &["--attempts", "3", "--agent", agent]);
        let result = blocked.json();
        assert_eq!(result["block"]["kind"], kind, "{result:#}");
        assert_eq!(result["attempt"], attempt, "{result:#}");
        assert_eq!(blocked.code, Some(3));
        assert_eq!(project.read("widget.txt"), b"LIMIT = 3\n");
        let runs = project.path().join(".ftl/runs/001_raise");
        assert_eq!(std::fs::read_dir(runs).unwrap().count(), attempt as usize);
    }
    let project = widgets();
    new(&project, &["Raise", "--delta", "widget.txt", "--verify", "true"]);
    for words in [&["--tree"][..], &[]] {
        let refused = build(&project, &[&["--attempts", "2"], words].concat()).ends(2);
        assert_eq!(refused.json()["error"]["code"], "usage::attempts");
    }
}

#[test]
fn the_configured_number_applies_to_agents_alone_and_an_option_wins_over_it() {
    let project = widgets();
    project.write("ftl.toml", "[build]\nattempts = 2\n");
    new(&project, &["Raise", "--delta", "widget.txt", "--verify", "grep -q 4 widget.txt"]);
    let agent = "echo x >> count; test $(wc -l < count) = 2 && echo 4 > widget.txt; true";
    let config = "[build]\nattempts = 2\n[scope]\nallow = [\"count\"]\n";
    project.write("ftl.toml", config);
    let finished = project.ftl(["build", "-v", "--agent", agent]).ends(0);
    let lines: Vec<&str> = finished
        .stdout
        .lines()
        .map(str::trim)
        .filter(|line| line.starts_with("attempt "))
        .collect();
    assert_eq!(lines.len(), 2, "{finished:#?}");
    assert!(lines[0].contains("1: blocked (implement_failed), budget 1/6: "), "{lines:?}");

    new(&project, &["Lower", "--delta", "widget.txt", "--verify", "grep -q 9 widget.txt"]);
    let words = ["--attempts", "1", "--agent", "echo 3 > widget.txt", "--format", "json"];
    let once = project.ftl([&["build", "2"][..], &words].concat()).json();
    assert_eq!(once["attempt"], 1, "{once:#}");
    let next = once["next"].as_array().unwrap().last().unwrap().as_str().unwrap();
    assert!(next.ends_with("--attempts 2"), "{once:#}");
    // Nothing else could try again: neither the tree nor a single patch.
    let tree = paste(&project, "ftl reopen 2 --build --tree --no-change --format json");
    assert_eq!(tree.json()["block"]["kind"], "discovery_needed", "{tree:#?}");
    assert_eq!(tree.json()["attempt"], 1, "{tree:#?}");
    let again = paste(&project, &format!("{next} --format json"));
    assert_eq!(again.json()["attempt"], 2, "{again:#?}");
}

#[test]
fn patches_go_on_counting_over_attempts() {
    let project = widgets();
    new(&project, &["Raise", "--delta", "widget.txt", "--verify", "grep -q LIMIT.=.5 widget.txt"]);
    // Each one is a patch for the project as it is.
    let patch = |to: u8| {
        format!("--- a/widget.txt\n+++ b/widget.txt\n@@ -1 +1 @@\n-LIMIT = 3\n+LIMIT = {to}\n")
    };
    project.write("1.patch", patch(4));
    project.write("2.patch", patch(5));
    let finished =
        build(&project, &["--attempts", "2", "--patch", "1.patch", "--patch", "2.patch"]).ends(0);
    assert_eq!(finished.json()["attempt"], 2);
    assert_eq!(project.read("widget.txt"), b"LIMIT = 5\n");
}

#[test]
fn a_dependant_that_waited_is_built_after_the_reopened_task() {
    let project = widgets();
    let of = |delta: &str| task().delta(&[delta]).verify("grep -q 4 widget.txt");
    project.add("001_first", of("widget.txt"));
    project.add("002_second", of("util.txt").attributes("depends=\"001\""));
    let both = project.ftl(["build", "001", "002", "--agent", "echo 3 >> \"$1\""]).ends(3);
    assert!(both.stdout.contains("skipped"), "{both:#?}");
    is_complete(&project.ftl(["reopen", "1", "--build", "--agent", "echo 4 >> \"$1\""]));
    let waiting = project.ftl(["status", "--format", "json"]).json();
    assert_eq!(waiting["workspaces"][1]["waits_for"], serde_json::json!([]));
    is_complete(&project.ftl(["build", "002", "--agent", "echo 5 >> \"$1\""]));
}

#[test]
fn a_finished_record_says_how_to_go_on() {
    let project = widgets();
    new(&project, &["Raise", "--delta", "widget.txt", "--verify", "grep -q 4 widget.txt"]);
    build(&project, &["--agent", "echo 3 > widget.txt"]);
    let again = build(&project, &["--agent", "echo 4 > widget.txt"]).ends(2);
    let error = again.json()["error"].clone();
    let next = error["next"][0].as_str().unwrap();
    assert!(next.starts_with("ftl reopen "), "{error:#}");
    let help = error["help"].as_str().unwrap();
    assert!(help.contains("it was blocked by: the verify failed"), "{help}");
    is_complete(&paste(&project, &format!("{next} --agent 'echo 4 > widget.txt'")));
}

#[test]
fn an_attempt_that_was_killed_is_gone_on_with_and_counts_no_patch_twice() {
    let project = widgets();
    // The second verify says that it runs, and goes on until the kill; the third does not wait.
    let verify = "grep -q 4 widget.txt && exit 1; \
                  test -e $OUT/killed || { echo > $OUT/started; exec sleep 100; }; \
                  grep -q 5 widget.txt";
    let words = ["Raise", "--delta", "widget.txt", "--verify", verify];
    new(&project, &words);
    let project = project.outside_pipes(&["started"]);
    for (name, to) in [("1.patch", 4), ("2.patch", 5)] {
        let patch =
            format!("--- a/widget.txt\n+++ b/widget.txt\n@@ -1 +1 @@\n-LIMIT = 3\n+LIMIT = {to}\n");
        project.write(name, patch);
    }
    let build = "\"$FTL\" build 001 --attempts 3 --patch 1.patch --patch 2.patch --format json";
    project
        .script(&format!("{build} > out & read line < $OUT/started; kill -KILL $!; wait $!"))
        .ends(137);
    assert_eq!(project.workspaces(), ["001_raise_active.xml"]);
    project.mark("killed");
    let again = project.script(build).ends(0);
    let result = again.json();
    assert_eq!(result["attempt"], 2, "{result:#}");
    assert_eq!(result["run"], "001_raise/2", "{result:#}");
    assert!(!result["warnings"].to_string().contains("not used"), "{result:#}");
    assert_eq!(project.read("widget.txt"), b"LIMIT = 5\n");
}

#[test]
fn an_interrupt_says_which_build_goes_on_and_not_what_made_the_task() {
    let project = widgets();
    let project = project.outside_pipes(&["started"]);
    let interrupt = "\"$FTL\" new 'Raise it' --delta widget.txt \
                     --verify 'echo > $OUT/started; sleep 100' \
                     --build --agent 'echo 4 > widget.txt' --format json & \
                     read line < $OUT/started; kill -INT $!; wait $!";
    let finished = project.script(interrupt).ends(130);
    let error = finished.json()["error"].clone();
    let next = error["next"][0].as_str().unwrap();
    assert_eq!(
        next,
        "ftl build .ftl/workspace/001_raise-it_active.xml --agent 'echo 4 > widget.txt'"
    );
    assert!(error["help"].as_str().unwrap().contains(next), "{error:#}");
}
