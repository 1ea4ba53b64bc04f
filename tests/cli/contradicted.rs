//! Exit codes that the output contradicts: a block by default, a warning where the configuration says so.

use serde_json::{Value, json};

use crate::support::task;

const AGENT: &str = "echo work >>notes.txt";

fn build(verify: &str, configuration: &str) -> Value {
    let project = super::project(&[]);
    project.write("ftl.toml", configuration);
    let verify = verify.replace('&', "&amp;").replace('<', "&lt;");
    project.add("001_a", task().verify(&verify));
    project.build(&["001", "--agent", AGENT]).json()
}

#[test]
fn a_contradiction_in_the_output_blocks_by_default() {
    for (verify, finding) in [
        ("printf '1 failed, 2 passed in 0.03s\\n'", "failed_anyway"),
        ("printf 'FAIL\\texample.com/shop\\t0.01s\\n' | cat", "failed_anyway"),
        ("false || echo FAIL", "failed_anyway"),
        ("if ! false; then echo BROKEN; fi", "failed_anyway"),
        ("false; echo \"exit code $?\"", "failed_anyway"),
        ("echo 'no tests ran in 0.01s'", "no_tests"),
        ("printf 'Ran 2 tests in 0.000s\\n\\nOK (skipped=2)\\n'", "no_tests"),
    ] {
        let said = build(verify, "");
        assert_eq!(said["block"]["kind"], "verify_untrusted", "{verify}: {said:#}");
        let findings = said["verify"][0]["findings"].as_array().unwrap();
        assert!(findings.contains(&json!(finding)), "{verify}: {said:#}");
        let trusting = build(verify, "[verify]\nuntrusted = []\n");
        assert_eq!(trusting["outcome"], "complete", "{verify}: {trusting:#}");
    }
}

#[test]
fn words_of_failure_that_a_program_prints_do_not_count() {
    for verify in [
        "echo FAIL; echo '2 failed logins were rejected'; echo 'ERROR: 3 errors'",
        "printf 'FAIL\\n3 passed in 0.03s\\n'",
        "true || echo FAIL",
        "printf 'not ok 1 - later # TODO\\nok 2 - now\\n'",
    ] {
        let said = build(verify, "");
        assert_eq!(said["outcome"], "complete", "{verify}: {said:#}");
        let findings = said["verify"][0]["findings"].as_array().unwrap();
        assert!(!findings.contains(&json!("failed_anyway")), "{said:#}");
    }
}

#[test]
fn a_block_for_a_hidden_exit_code_shows_the_command_as_it_should_be_and_how_to_use_it() {
    for (verify, hidden, instead) in [
        ("grep -q done notes.txt || true", "`|| true` hides", "grep -q done notes.txt"),
        (
            "cd . && python3 -m unittest 2>&1 | grep Ran",
            "`| grep Ran` hides",
            "python3 -m unittest 2>&1",
        ),
        ("python3 -m unittest 2>&1 | tail -1; exit 0", "hides", "python3 -m unittest 2>&1"),
    ] {
        let said = build(verify, "");
        let block = &said["block"];
        assert_eq!(block["kind"], "verify_untrusted", "{verify}: {said:#}");
        assert!(block["unknown"].as_str().unwrap().contains(hidden), "{block:#}");
        assert!(block["discovery"].as_str().unwrap().contains(instead), "{block:#}");
        let next = said["next"][0].as_str().unwrap();
        // The work was undone with the block: it is laid into the project again, and verified there.
        assert!(next.starts_with("ftl take 001_a && ftl reopen 001_a --verify '"), "{next}");
        assert!(next.contains(instead) && next.ends_with("' --build --tree"), "{next}");
    }
}

#[test]
fn a_verify_that_hides_its_error_too_is_blocked_with_the_command_as_it_should_be() {
    let project = super::project(&[]);
    let verify = "python3 -m unittest no_such_test 2>&1 | grep OK";
    project.ftl(["new", "Hidden", "--delta", "notes.txt", "--verify", verify]).ends(0);
    let said = project.build(&["--agent", AGENT]).json();
    assert_eq!(said["block"]["kind"], "discovery_needed", "{said:#}");
    let next = said["next"][0].as_str().unwrap();
    let instead = "--verify 'python3 -m unittest no_such_test 2>&1' --build";
    assert!(next.contains(instead), "{said:#}");
}

#[test]
fn a_runner_that_ended_without_its_summary_ran_no_tests() {
    let project = super::project(&[]);
    project.write(
        "test_exit.py",
        "import os, unittest\nclass T(unittest.TestCase):\n    def test_x(self):\n        os._exit(0)\n",
    );
    project.ftl([
        "new",
        "Exit",
        "--delta",
        "notes.txt",
        "--verify",
        "python3 -m unittest test_exit",
    ]);
    let said = project.build(&["--agent", AGENT]).json();
    assert_eq!(said["block"]["kind"], "verify_untrusted", "{said:#}");
    assert_eq!(said["verify"][0]["findings"], json!(["no_tests"]), "{said:#}");
}

#[test]
fn a_hidden_exit_code_is_reported_before_anything_is_built() {
    let project = super::project(&[]);
    let verify = "python3 -m unittest 2>&1 | tail -1";
    let made = project.ftl(["new", "Hide", "--delta", "notes.txt", "--verify", verify]).ends(0);
    let file = ".ftl/workspace/001_hide_active.xml";
    let validated = project.ftl(["workspace", "validate", file]).ends(1);
    let doctor = project.ftl(["doctor"]);
    for text in [&made.stderr, &validated.stderr, &doctor.stdout] {
        assert!(
            text.contains("`| tail -1` hides the exit code of `python3 -m unittest`"),
            "{text}"
        );
        assert!(text.contains("write `python3 -m unittest 2>&1`"), "{text}");
    }
}
