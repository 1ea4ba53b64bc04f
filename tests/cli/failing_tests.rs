//! What failed in a verify: in the block, the record, and every later request to an agent.

use std::fs;

use ftl_testkit::program::Program;
use serde_json::{Value, json};

use super::schemas::assert_fits;
use crate::support::Project;

/// What pytest prints of two failed tests.
const OUTPUT: &str = "\
============================= test session starts ==============================
collected 3 items

tests/test_sign.py .FF                                                   [100%]

=================================== FAILURES ===================================
___________________________________ test_pad ___________________________________

    def test_pad():
>       assert pad('a') == 'a=='
E       AssertionError: assert 'a=' == 'a=='
E         
E         - a==
E         + a=

tests/test_sign.py:7: AssertionError
_________________________________ test_age[3] __________________________________

n = 3

    @pytest.mark.parametrize('n', [3])
    def test_age(n):
>       assert age() == n
E       assert 29 == 3
E        +  where 29 = age()

tests/test_sign.py:12: AssertionError
=========================== short test summary info ============================
FAILED tests/test_sign.py::test_pad - AssertionError: assert 'a=' == 'a=='
FAILED tests/test_sign.py::test_age[3] - assert 29 == 3
========================= 2 failed, 1 passed in 0.03s ==========================
";

/// A task whose verify prints this until `sign.py` is right.
fn failing() -> Project {
    let project = Project::empty();
    project.write("sign.py", "PAD = 1\n");
    project.write("tests/test_sign.py", "# the tests\n".repeat(20));
    project.write("output.txt", OUTPUT);
    let verify = "grep -q 'PAD = 2' sign.py || { cat output.txt; exit 1; }";
    project.ftl(["new", "Pad", "--delta", "sign.py", "--verify", verify]).ends(0);
    project.commit();
    project
}

/// The last request that the agent copied to `$OUT`, and its prompt.
fn asked(project: &Project) -> (Value, String) {
    let [request, prompt] = ["request.json", "prompt.md"]
        .map(|name| fs::read_to_string(project.outside(name)).unwrap());
    (serde_json::from_str(&request).unwrap(), prompt)
}

fn are_the_two(failures: &Value) {
    let place = |test: &str, line: u32| json!([test, "tests/test_sign.py", line]);
    let found: Vec<Value> = failures
        .as_array()
        .unwrap()
        .iter()
        .map(|it| json!([it["test"], it["path"], it["line"]]))
        .collect();
    let expected =
        [place("tests/test_sign.py::test_pad", 7), place("tests/test_sign.py::test_age[3]", 12)];
    assert_eq!(found, expected, "{failures:#}");
    let message = failures[0]["message"].as_str().unwrap();
    assert!(message.contains("- a==") && message.contains("+ a="), "both sides: {message}");
}

#[test]
fn a_block_names_and_places_every_failed_test_and_so_does_its_record() {
    let project = failing();
    let blocked = project.build(&["1", "--agent", "echo 'PAD = 3' > sign.py"]);
    let result = blocked.json();
    assert_fits("build", &result);
    are_the_two(&result["verify"][0]["failures"]);
    let shown = project.ftl(["show", "1"]).stdout;
    for part in [
        "  failed     tests/test_sign.py::test_pad (tests/test_sign.py:7)\n",
        "tests/test_sign.py::test_age[3] (tests/test_sign.py:12)\n",
        "  printed    ",
        ">       assert age() == n",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    project.ftl(["report", "-o", "r.html"]).ends(0);
    let page = project.text("r.html");
    assert!(page.contains("tests/test_sign.py::test_age[3] (tests/test_sign.py:12)"), "{page}");
    let formatted = |format: &str| project.ftl(["show", "1", "--format", format]);
    let sarif = formatted("sarif").json();
    let found = &sarif["runs"][0]["results"][2];
    let place = &found["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "tests/test_sign.py", "{sarif:#}");
    assert_eq!(place["region"]["startLine"], 12, "{sarif:#}");
    let message = found["message"]["text"].as_str().unwrap();
    assert!(message.starts_with("tests/test_sign.py::test_age[3]: assert 29 == 3"), "{message}");
    let junit = formatted("junit").stdout;
    assert!(junit.contains("tests=\"3\" failures=\"3\""), "{junit}");
    let case = "<testcase name=\"tests/test_sign.py::test_pad\" classname=\"001_pad\" \
                file=\"tests/test_sign.py\">";
    assert!(junit.contains(case), "{junit}");
    let github = formatted("github").stdout;
    assert!(github.contains("::error file=tests/test_sign.py,line=7,"), "{github}");
    // A fresh clone has the record alone.
    fs::remove_dir_all(project.path().join(".ftl/runs")).unwrap();
    let read = project.ftl(["show", "1", "--format", "json"]).json();
    assert_eq!(read["run"]["source"], "record", "{read:#}");
    are_the_two(&read["run"]["result"]["verify"][0]["failures"]);
    assert!(project.ftl(["show", "1"]).stdout.contains("test_pad (tests/test_sign.py:7)"));
}

#[test]
fn a_second_attempt_has_the_failures_their_places_and_the_log() {
    let project = failing();
    // The agent repairs what the request names: the test's file, and nothing before it knows it.
    let agent = "cp \"$FTL_REQUEST\" \"$FTL_PROMPT\" $OUT/; \
                 if grep -q 'tests/test_sign.py::test_pad' \"$FTL_PROMPT\"; \
                 then echo 'PAD = 2' > sign.py; else echo 'PAD = 3' > sign.py; fi";
    let words = ["build", "1", "--attempts", "2", "--format", "json", "--agent", agent];
    let result = project.ftl(words).json();
    assert_eq!(result["outcome"], "complete", "{result:#}");
    assert_eq!(result["attempt"], 2, "{result:#}");
    let (request, prompt) = asked(&project);
    assert_fits("agent-request", &request);
    are_the_two(&request["verify"]["failures"]);
    let log = request["verify"]["log"].as_str().unwrap();
    assert!(project.path().join(log).is_file(), "{log}");
    for part in [
        "## What failed\n",
        "- `tests/test_sign.py::test_age[3]` (tests/test_sign.py:12): ",
        ">       assert pad('a') == 'a=='",
        log,
        "`sign.py` (modified): ",
    ] {
        assert!(prompt.contains(part), "{part}: {prompt}");
    }
}

#[test]
fn a_fix_as_text_is_asked_for_with_the_failures() {
    let project = failing();
    project.ftl(["build", "1", "--agent", "echo 'PAD = 3' > sign.py"]);
    let agent = "cp \"$FTL_REQUEST\" \"$FTL_PROMPT\" $OUT/; \
                 test \"$FTL_PHASE\" = apply-fix && echo 'PAD = 2' > sign.py || echo 'PAD = 4' > sign.py";
    let words =
        ["reopen", "1", "--fix", "pad by two", "--build", "--format", "json", "--agent", agent];
    let result = project.ftl(words).json();
    assert_eq!(result["outcome"], "complete", "{result:#}");
    let (request, prompt) = asked(&project);
    assert_eq!(request["phase"], "apply-fix");
    are_the_two(&request["verify"]["failures"]);
    assert!(
        prompt.contains("- `tests/test_sign.py::test_pad` (tests/test_sign.py:7): "),
        "{prompt}"
    );
    assert!(prompt.contains("All of the output is in `.ftl/runs/001_pad/2/outputs/verify-1.log`"));
}

#[test]
fn a_verify_that_failed_in_the_same_way_before_says_so_first() {
    let project = failing();
    let words =
        ["build", "1", "--baseline", "--format", "json", "--agent", "echo 'PAD = 3' > sign.py"];
    let block = project.ftl(words).json()["block"].clone();
    let unknown = block["unknown"].as_str().unwrap();
    assert!(
        unknown.starts_with("the verify failed in the same way before the task; "),
        "{block:#}"
    );
    // Another failure is none of that.
    let agent = "echo 'PAD = 5' > sign.py; echo 'E   ImportError: no' > output.txt";
    project.write("ftl.toml", "[scope]\nallow = [\"output.txt\"]\n");
    let words = ["reopen", "1", "--build", "--baseline", "--format", "json", "--agent", agent];
    let block = project.ftl(words).json()["block"].clone();
    assert!(!block["unknown"].as_str().unwrap().contains("before the task"), "{block:#}");
}

#[test]
fn the_record_of_a_success_is_short() {
    let project = super::project(&[]);
    let verify = "seq 2000 && echo '3 passed in 0.03s'";
    project.ftl(["new", "Pass", "--delta", "notes.txt", "--verify", verify]);
    let path = |status: &str| format!(".ftl/workspace/001_pass_{status}.xml");
    let before = project.text(path("active"));
    let agent = "echo work >> notes.txt; seq 200";
    project.ftl(["build", "1", "--agent", agent]).ends(0);
    let after = project.text(path("complete"));
    let added = after.lines().count() - before.lines().count();
    assert!(added <= 60, "{added} lines: {after}");
    assert!(after.contains("<summary>3 passed in 0.03s</summary>"), "{after}");
    assert!(after.contains("log_sha256=\""), "{after}");
}

/// The names of the tests that failed in the first verify of a result.
fn names(result: &Value) -> Vec<Value> {
    let failures = result["verify"][0]["failures"].as_array().unwrap();
    failures.iter().map(|it| json!([it["test"], it["path"], it["line"]])).collect()
}

#[test]
fn a_report_that_the_command_writes_is_read_and_an_older_one_is_not() {
    let project = Project::empty();
    let report = |test: &str| {
        format!(
            "<testsuites><testsuite name=\"s\"><testcase name=\"{test}\" file=\"a.js\" line=\"3\">\
             <failure message=\"no price\"/></testcase></testsuite></testsuites>"
        )
    };
    project.write("a.js", "1\n2\n3\n");
    project.write("new.xml", report("adds"));
    project.write("out/old.xml", report("gone"));
    project.write("ftl.toml", "[verify]\nreports = [\"out/**/*.xml\"]\n");
    let verify = "mkdir -p out/deep && cp new.xml out/deep/r.xml; echo boom; exit 1";
    project.ftl(["new", "Add", "--delta", "a.js", "--verify", verify]).ends(0);
    let result = project.ftl(["build", "1", "--tree", "--format", "json"]).json();
    assert_eq!(names(&result), [json!(["adds", "a.js", 3])], "{result:#}");
    assert_eq!(result["verify"][0]["failures"][0]["message"], "no price");
    assert!(project.path().join("out/deep/r.xml").is_file());
}

#[test]
#[expect(clippy::print_stdout, reason = "a test that is skipped says so")]
fn pytest_is_asked_for_a_report_unless_it_writes_one() {
    let root = std::path::Path::new("/");
    if !Program::new("pytest", root).args(["--version"]).silent().succeeds() {
        println!("skipped: there is no pytest");
        return;
    }
    let project = Project::empty();
    project.write("test_sign.py", "def test_pad():\n    assert 1 == 2\n");
    let verify = "pytest -p no:terminal -p no:cacheprovider";
    project.ftl(["new", "Pad", "--delta", "test_sign.py", "--verify", verify]).ends(0);
    let build = |id: &str| project.ftl(["build", id, "--tree", "--format", "json"]).json();
    let result = build("1");
    assert_eq!(
        names(&result),
        [json!(["test_sign.py::test_pad", "test_sign.py", 2])],
        "{result:#}"
    );
    let reproduce = result["block"]["reproduce"].as_str().unwrap();
    assert!(reproduce.ends_with(" test_sign.py::test_pad"), "{reproduce}");
    project.write("pytest.ini", "[pytest]\naddopts = --junitxml=own.xml\n");
    project.ftl(["new", "Own", "--delta", "test_sign.py", "--verify", verify]).ends(0);
    build("2");
    assert!(project.path().join("own.xml").is_file());
}

#[test]
#[expect(clippy::print_stdout, reason = "a test that is skipped says so")]
fn rspec_is_asked_for_a_report_and_prints_what_it_prints_without() {
    let root = std::path::Path::new("/");
    if !Program::new("rspec", root).args(["--version"]).silent().succeeds() {
        println!("skipped: there is no rspec");
        return;
    }
    let project = Project::empty();
    let spec = "RSpec.describe 'Cart' do\n  it('adds') { expect(1).to eq(2) }\nend\n";
    project.write("spec/cart_spec.rb", spec);
    let verify = "rspec --format documentation >out.txt";
    project.ftl(["new", "Add", "--delta", "spec/cart_spec.rb", "--verify", verify]).ends(0);
    let result = project.ftl(["build", "1", "--tree", "--format", "json"]).json();
    assert_eq!(names(&result), [json!(["Cart adds", "spec/cart_spec.rb", 2])], "{result:#}");
    let printed = project.text("out.txt");
    assert!(printed.starts_with("\nCart\n  adds (FAILED - 1)\n\nFailures:\n"), "{printed}");
}
