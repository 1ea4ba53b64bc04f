//! What experiments beside the tests as they were show of a verify: how it ended before the work, and with the work broken;
//! and files that may change beside the delta, which are part of the work.

use super::evidence::{CODE, TESTS, VERIFY, build, project_of, shop};
use super::schemas::assert_fits;
use crate::support::has_tool;

/// Tests that say on the pipe `started` that they run, and wait for the agent.
const MEETING: &str = "import os, unittest\nfrom shop import price\n\nOUT = os.environ['OUT']\n\n\n\
    class T(unittest.TestCase):\n    def test_a(self):\n        if not os.path.exists(OUT + '/met'):\n            \
    open(OUT + '/started', 'w').close()\n            open(OUT + '/go').close()\n        \
    self.assertEqual(price(), 2)\n";

#[test]
fn the_verify_before_the_work_runs_while_the_agent_works() {
    let files = [("shop.py", CODE), ("test_shop.py", MEETING)];
    let project = project_of(&files, VERIFY).outside_pipes(&["started", "go"]);
    // Either waits for the other.
    let agent =
        "read x < $OUT/started; touch $OUT/met; : > $OUT/go; sed -i 's/return 1/return 2/' shop.py";
    let result = build(&project, &["--agent", agent]).ends(0).json();
    assert_fits("build", &result);
    assert_eq!(result["evidence"]["before"], "failed", "{result:#}");
    assert_eq!(result["warnings"], serde_json::json!([]), "{result:#}");
    let shown = project.ftl(["show", "1"]).stdout;
    assert!(shown.contains("  evidence   failed before"), "{shown}");
}

#[test]
fn a_verify_that_passed_before_the_work_says_so() {
    let project = shop();
    let result = build(&project, &["--agent", "echo '# TODO' >> shop.py"]).ends(0).json();
    assert_eq!(result["evidence"]["before"], "passed", "{result:#}");
    assert!(result["warnings"].to_string().contains("passed before the work too"), "{result:#}");
    // Of no known runner it runs once.
    let other = project_of(&[("shop.py", CODE)], "echo >> $OUT/ran");
    let result = build(&other, &["--agent", "echo '# TODO' >> shop.py"]).ends(0).json();
    assert_eq!(result["evidence"]["before"], serde_json::Value::Null, "{result:#}");
    assert_eq!(std::fs::read_to_string(other.outside("ran")).unwrap(), "\n");
}

#[test]
fn a_command_that_passed_last_with_the_same_files_does_not_run_before_the_next_task() {
    let counting = "import os\nopen(os.environ['OUT'] + '/ran', 'a').write('x')\n";
    let tests = format!("{counting}{TESTS}");
    let project = project_of(&[("shop.py", CODE), ("test_shop.py", &tests)], VERIFY);
    let runs = || std::fs::read_to_string(project.outside("ran")).unwrap().len();
    let before = |id: &str| {
        let shown = project.ftl(["show", id, "--format", "json"]).json();
        shown["run"]["result"]["evidence"]["before"].clone()
    };
    let more =
        |delta: &str| project.ftl(["new", delta, "--delta", delta, "--verify", VERIFY]).ends(0);
    project.ftl(["build", "--agent", "echo '# one' >> shop.py"]).ends(0);
    assert_eq!((before("1"), runs()), ("passed".into(), 2));
    more("two.py");
    project.ftl(["build", "--agent", "echo > two.py"]).ends(0);
    assert_eq!((before("2"), runs()), ("passed".into(), 3));
    more("three.py");
    more("four.py");
    let words = ["build", "--all", "--jobs", "2", "--check", "never", "--agent", "echo > \"$1\""];
    project.ftl(words).ends(0);
    assert_eq!((before("3"), before("4")), ("passed".into(), "passed".into()));
    // One that waits for the other is verified with it.
    let ran = runs();
    assert!(ran == 4 || ran == 5, "{ran}");
    // What a person changed is not what passed.
    project.write("shop.py", CODE);
    more("five.py");
    project.ftl(["build", "--agent", "echo > five.py"]).ends(0);
    assert_eq!((before("5"), runs()), ("passed".into(), ran + 2));
}

#[test]
fn a_command_that_may_hide_an_exit_code_runs_with_the_work_broken() {
    let failing = TESTS.replace("(), 1", "(), 3");
    for (verify, broken, finding) in [
        // It hides nothing that matters.
        (
            "python3 -B -m unittest test_shop 2>&1 | grep -v noise; python3 -B -c 'import shop'",
            "failed",
            None,
        ),
        ("python3 -B -c 'import shop' || true", "passed", Some("masked_exit")),
        ("for f in test_*.py; do python3 -B $f; done; python3 -B -c 1", "passed", Some("blind")),
        ("make -i check", "passed", Some("blind")),
    ] {
        let files = [("shop.py", CODE), ("test_shop.py", TESTS)];
        let project = project_of(&files, verify);
        project.write("Makefile", "check:\n\tpython3 -B -c 'import shop'\n");
        let strict = "[verify]\nuntrusted = [\"masked_exit\", \"blind\"]\n";
        project.write("ftl.toml", strict);
        let agent = "echo '# more' >> shop.py";
        let words = ["--isolate", "bind", "--agent", agent];
        if !has_tool("namespaces", "unshare", &["--user", "--map-root-user", "--mount", "true"]) {
            return;
        }
        let result = build(&project, &words).json();
        assert_eq!(result["evidence"]["broken"], broken, "{verify}: {result:#}");
        let error = result["block"]["error"].as_str().unwrap_or_default();
        assert_eq!(result["block"].is_null(), finding.is_none(), "{verify}: {result:#}");
        assert!(error.contains(finding.unwrap_or_default()), "{verify}: {error}");
        if finding.is_none() {
            assert_eq!(project.text("shop.py"), format!("{CODE}# more\n"));
        }
    }
    // Of a command that failed before it is known that it can.
    let files = [("shop.py", CODE), ("test_shop.py", failing.as_str())];
    let project = project_of(&files, "python3 -B -m unittest test_shop && echo ok | cat");
    let agent = "sed -i 's/return 1/return 3/' shop.py";
    let result = build(&project, &["--agent", agent]).ends(0).json();
    assert_eq!(result["evidence"]["before"], "failed", "{result:#}");
    assert_eq!(result["evidence"]["broken"], serde_json::Value::Null, "{result:#}");
}

#[test]
fn a_file_that_may_change_must_parse() {
    let project = shop();
    project.write("ftl.toml", "[scope]\nallow = [\"tests/\"]\n");
    let agent = "echo '# ok' >> shop.py; mkdir -p tests; echo 'def broken(:' > tests/test_new.py";
    let result = build(&project, &["--agent", agent]).ends(3).json();
    assert_eq!(result["block"]["kind"], "preflight_exhausted", "{result:#}");
    assert!(result["block"]["error"].to_string().contains("tests/test_new.py"), "{result:#}");
    assert!(!project.path().join("tests").exists());
}

#[test]
fn files_that_one_task_lets_change_are_part_of_its_work() {
    let project = shop();
    project.write("ftl.toml", "[scope]\nstrays = \"block\"\n");
    let words = ["new", "More", "--delta", "shop.py", "--allow", "tests/", "--verify", VERIFY];
    project.ftl(words).ends(0);
    let agent = "echo '# ok' >> shop.py; mkdir -p tests; echo '1' > tests/test_new.py";
    let built = |id, agent| project.ftl(["build", id, "--format", "json", "--agent", agent]);
    let result = built("2", agent).ends(0).json();
    assert_eq!(result["allowed"], serde_json::json!(["tests/test_new.py"]), "{result:#}");
    assert_eq!(project.text("tests/test_new.py"), "1\n");
    let strayed = built("1", "echo '# ok' >> shop.py; echo 2 > tests/test_more.py").ends(3).json();
    assert_eq!(strayed["block"]["kind"], "delta_insufficient", "{strayed:#}");
    project.ftl(["new", "Last", "--delta", "shop.py", "--verify", VERIFY]).ends(0);
    project.ftl(["edit", "3", "--allow", "docs/"]).ends(0);
    let last = ".ftl/workspace/003_last_active.xml";
    let task = project.ftl(["workspace", "parse", "--full", last]).json();
    assert_eq!(task["allow"], serde_json::json!(["docs/"]), "{task:#}");
}

#[test]
fn changes_by_the_user_are_tried_with_the_tests_as_they_were_beside_the_project() {
    if !has_tool("namespaces", "unshare", &["--user", "--map-root-user", "--mount", "true"]) {
        return;
    }
    let project = shop();
    let text = |path: &str| project.text(path);
    project.write("shop.py", text("shop.py").replace("return 1", "return 2"));
    project.write("test_shop.py", text("test_shop.py").replace("(), 1)", "(), 2)"));
    let result = build(&project, &["--tree"]).ends(0).json();
    assert_eq!(result["evidence"]["old_tests"], "failed", "{result:#}");
    assert!(result["warnings"].to_string().contains("tests_changed"), "{result:#}");
    assert!(text("test_shop.py").contains("(), 2)"), "the project stays as the user wrote it");
}

#[test]
fn changes_by_the_user_may_pass_the_tests_as_they_were() {
    if !has_tool("namespaces", "unshare", &["--user", "--map-root-user", "--mount", "true"]) {
        return;
    }
    let project = shop();
    project.write("test_shop.py", format!("{TESTS}# more\n"));
    let result = build(&project, &["--tree"]).ends(0).json();
    assert_eq!(result["evidence"]["old_tests"], "passed", "{result:#}");
}
