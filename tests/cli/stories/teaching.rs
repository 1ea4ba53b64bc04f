//! A block on an error that a person then knows a fix for.

use super::{build, new, next, paste, widgets};

#[test]
fn an_unknown_error_is_taught_and_completed_by_a_retry() {
    let project = widgets();
    let verify = "grep -q 4 widget.txt || { echo 'RuntimeError: no widget in gadget 17'; exit 1; }";
    new(&project, &["Raise", "--budget", "9", "--delta", "widget.txt", "--verify", verify]);
    let blocked = build(&project, &["--agent", "echo 3 > widget.txt"]);
    let result = blocked.json();
    assert_eq!(result["block"]["kind"], "discovery_needed");
    let known = &result["block"]["failure"];
    assert_eq!(known["trigger"], "RuntimeError: no widget in gadget 17");
    assert!(known["match"].as_str().unwrap().contains("gadget"), "{known:#}");
    assert!(known["xml"].as_str().unwrap().starts_with("<failure"), "{known:#}");
    // Nothing that is printed has to be filled in.
    assert!(next(&blocked).iter().all(|command| !command.contains("--fix")), "{blocked:#?}");
    let agent = "case $FTL_PHASE in apply-fix) grep -q 'write a four' \"$FTL_PROMPT\" && echo 4 > widget.txt;; \
                 *) echo 5 > widget.txt;; esac";
    let command = format!(
        "ftl reopen 1 --fix 'write a four' --build --agent {} --format json",
        shell_word(agent)
    );
    let finished = paste(&project, &command).ends(0);
    let result = finished.json();
    assert_eq!(result["retry"]["count"], 1, "{result:#}");
    assert_eq!(result["retry"]["failure"], "learned-1", "{result:#}");
    assert!(result["retry"]["rationale"].as_str().unwrap().contains("by pattern"), "{result:#}");
    assert_eq!(result["utilized"][0]["name"], "learned-1");
}

fn shell_word(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[test]
fn a_fix_that_needs_no_agent_is_taught_as_a_command_or_a_patch() {
    let verify = "grep -q four widget.txt || { echo 'LookupError: widget has no four'; exit 1; }";
    for fix in [&["--fix-command", "echo four > \"$1\""][..], &["--fix-patch", "four.patch"]] {
        let project = widgets();
        project.write("widget.txt", "two\n");
        new(&project, &["Raise", "--budget", "9", "--delta", "widget.txt", "--verify", verify]);
        let blocked = build(&project, &["--agent", "echo three > widget.txt"]);
        assert_eq!(blocked.json()["block"]["kind"], "discovery_needed");
        assert_eq!(project.read("widget.txt"), b"two\n");
        project
            .write("four.patch", "--- a/widget.txt\n+++ b/widget.txt\n@@ -1 +1 @@\n-two\n+four\n");
        let words = ["reopen", "1"].iter().chain(fix).chain(&[
            "--build",
            "--tree",
            "--no-change",
            "--format",
            "json",
        ]);
        let finished = project.ftl(words).ends(0);
        assert_eq!(finished.json()["retry"]["count"], 1);
        assert_eq!(project.read("widget.txt"), b"four\n");
    }
}

#[test]
fn the_same_error_after_its_fix_is_said_to_be_the_same() {
    let project = widgets();
    let verify = "echo \"ValueError: bad widget at line $(date +%N)\"; exit 1";
    new(&project, &["Raise", "--budget", "9", "--delta", "widget.txt", "--verify", verify]);
    build(&project, &["--agent", "echo 3 > widget.txt"]);
    let words = [
        "reopen",
        "1",
        "--fix-command",
        "echo 4 > widget.txt",
        "--build",
        "--tree",
        "--no-change",
        "--format",
        "json",
    ];
    let finished = project.ftl(words);
    let block = finished.json()["block"].clone();
    assert_eq!(block["kind"], "retry_limit", "{finished:#?}");
    assert!(
        block["unknown"]
            .as_str()
            .unwrap()
            .contains("the same error came again after the fix of `learned-1`"),
        "{block:#}"
    );
    assert!(block["tried"][0].as_str().unwrap().contains("the same error came again"), "{block:#}");
    // A better fix wins over the one that did not help.
    let words = [
        "reopen",
        "1",
        "--verify",
        "grep -q 5 widget.txt || { echo 'ValueError: bad widget at line 1'; exit 1; }",
        "--fix-command",
        "echo 5 > widget.txt",
        "--build",
        "--tree",
        "--no-change",
        "--format",
        "json",
    ];
    let finished = project.ftl(words).ends(0);
    assert_eq!(finished.json()["retry"]["failure"], "learned-2");
}
