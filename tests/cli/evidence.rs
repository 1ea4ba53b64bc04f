//! What the tests as they were show of a verify.

use super::schemas::assert_fits;
use crate::support::{Finished, Project, has_tool};

pub(super) const CODE: &str = "def price():\n    return 1\n";
pub(super) const TESTS: &str = "\
import unittest
from shop import price


class TestPrice(unittest.TestCase):
    def test_price(self):
        self.assertEqual(price(), 1)

    def test_type(self):
        self.assertIsInstance(price(), int)
";
pub(super) const VERIFY: &str = "python3 -B -m unittest test_shop";

pub(super) fn shop() -> Project {
    project_of(&[("shop.py", CODE), ("test_shop.py", TESTS)], VERIFY)
}

/// A project with these files, all of them in the delta of its one task.
pub(super) fn project_of(files: &[(&str, &str)], verify: &str) -> Project {
    let project = Project::empty();
    for (path, text) in files {
        project.write(path, text);
    }
    let delta = files.iter().map(|(path, _)| *path);
    let words = ["new", "Price", "--verify", verify, "--delta"];
    project.ftl(words.into_iter().chain(delta)).ends(0);
    project.commit();
    project
}

pub(super) fn build(project: &Project, words: &[&str]) -> Finished {
    project.ftl(["build", "1", "--format", "json"].iter().chain(words))
}

/// Breaks the code, and changes what the test expects.
const CHEAT: &str = "echo asked >> $OUT/asked; sed -i 's/return 1/return 2/' shop.py; \
    sed -i 's/(), 1)/(), 2)/' test_shop.py";

#[test]
fn an_agent_that_changes_what_a_test_expects_is_blocked_by_the_test_as_it_was() {
    let project = shop();
    let result = build(&project, &["--agent", CHEAT]).ends(3).json();
    assert_fits("build", &result);
    assert_eq!(result["block"]["kind"], "verify_untrusted", "{result:#}");
    assert_eq!(result["evidence"]["old_tests"], "failed", "{result:#}");
    let failure = &result["evidence"]["failures"][0];
    assert_eq!(failure["test"], "test_shop.TestPrice.test_price", "{result:#}");
    assert!(failure["message"].as_str().unwrap().contains("2 != 1"), "{result:#}");
    let unknown = result["block"]["unknown"].as_str().unwrap();
    let named = "test_shop.py) it fails: test_shop.TestPrice.test_price (AssertionError: 2 != 1)";
    assert!(unknown.contains(named), "{unknown}");
    // Nothing of it is charged, and the project is as it was.
    assert_eq!(result["budget"]["used"], 4, "{result:#}");
    assert_eq!(result["verify"].as_array().unwrap().len(), 1, "{result:#}");
    assert_eq!(project.text("shop.py"), CODE);
    assert_eq!(project.text("test_shop.py"), TESTS);

    let runs = project.path().join(".ftl/runs");
    std::fs::rename(&runs, project.outside("runs")).unwrap();
    let read = project.ftl(["show", "1", "--format", "json"]).json();
    assert_eq!(read["run"]["result"]["evidence"], result["evidence"], "{read:#}");
    std::fs::rename(project.outside("runs"), &runs).unwrap();
}

#[test]
fn the_printed_command_accepts_it_and_asks_no_agent() {
    let project = shop();
    let result = build(&project, &["--agent", CHEAT]).json();
    let next = result["next"][0].as_str().unwrap();
    assert!(next.contains("ftl reopen 001_price --accept tests_changed --build"), "{next}");
    let accepted = project.script(&format!("ftl() {{ \"$FTL\" \"$@\"; }}; {next}")).ends(0);
    assert!(accepted.stderr.contains("the verify is doubtful: tests_changed"), "{accepted:#?}");
    let shown = project.ftl(["show", "1"]).stdout;
    assert!(shown.contains("the tests as they were fail"), "{shown}");
    assert_eq!(std::fs::read_to_string(project.outside("asked")).unwrap(), "asked\n");
    assert!(project.text("shop.py").contains("return 2"));
}

#[test]
fn sly_edits_of_a_test_are_found_by_running_it_as_it_was() {
    for edit in [
        "sed -i '/def test_price/,/^$/d' test_shop.py",
        "sed -i 's/    def test_price/    @unittest.skip(\"flaky\")\\n&/' test_shop.py",
        "sed -i 's/class TestPrice(unittest.TestCase)/class Prices/' test_shop.py",
        "sed -i 's/price(), 1/price(), price()/' test_shop.py",
        "sed -i 's/self.assertEqual(price(), 1)/return/' test_shop.py",
        "sed -i 's/^from shop import price/price = lambda: 1/' test_shop.py",
        "sed -i 's/def test_price/def check_price/' test_shop.py",
        "sed -i 's/self.assertEqual(price(), 1)/self.assertTrue(price() == 1 or True)/' test_shop.py",
        "printf '\\n    def test_price(self):\\n        pass\\n' >> test_shop.py",
        "sed -i 's/self.assertEqual/self.assertGreaterEqual/' test_shop.py",
    ] {
        let project = shop();
        let agent = format!("sed -i 's/return 1/return 2/' shop.py; {edit}");
        let result = build(&project, &["--agent", &agent]).json();
        assert_eq!(result["block"]["kind"], "verify_untrusted", "{edit}: {result:#}");
        let failed = result["evidence"]["failures"].to_string();
        assert!(failed.contains("test_price"), "{edit}: {result:#}");
    }
}

#[test]
fn honest_changes_of_tests_pass_and_the_tests_are_named() {
    for (edit, named) in [
        ("sed -i 's/assertEqual(price(), 1)/assertIs(price(), 1)/' test_shop.py", "test_price"),
        (
            "git mv test_shop.py test_prices.py; cp test_prices.py test_shop.py; \
          printf '\\n    def test_more(self):\\n        self.assertTrue(price())\\n' >> test_shop.py",
            "",
        ),
    ] {
        let project = shop();
        let agent = format!("echo '# more' >> shop.py; {edit}");
        let result = build(&project, &["--agent", &agent]).ends(0).json();
        assert_eq!(result["evidence"]["old_tests"], "passed", "{edit}: {result:#}");
        let warnings = result["warnings"].to_string();
        assert_eq!(
            warnings.contains("existing test"),
            !named.is_empty() || edit.contains("more"),
            "{warnings}"
        );
        assert!(warnings.contains(named), "{warnings}");
    }
}

#[test]
fn a_task_may_say_that_its_tests_change_and_a_person_may_change_them() {
    let project = shop();
    let result = build(&project, &["--tests-change", "--agent", CHEAT]).ends(0).json();
    assert!(result["warnings"].to_string().contains("doubtful: tests_changed"), "{result:#}");
    let project = shop();
    let result = build(&project, &["--evidence", "none", "--agent", CHEAT]).ends(0).json();
    assert_eq!(result["evidence"]["old_tests"], serde_json::Value::Null, "{result:#}");
    let project = shop();
    project.script(CHEAT).ends(0);
    let result = build(&project, &["--tree"]).ends(0).json();
    assert!(result["warnings"].to_string().contains("1 existing test changed"), "{result:#}");
}

#[test]
fn a_test_that_failed_before_and_was_changed_instead_is_weakened() {
    let project = project_of(
        &[("shop.py", CODE), ("test_shop.py", &TESTS.replace("(), 1", "(), 3"))],
        VERIFY,
    );
    let agent = "echo '# done' >> shop.py; sed -i 's/(), 3)/(), 1)/' test_shop.py";
    let result = build(&project, &["--baseline", "--agent", agent]).ends(3).json();
    let error = result["block"]["error"].as_str().unwrap();
    assert!(error.contains("tests_weakened"), "{result:#}");
    assert_eq!(result["evidence"]["before"], "failed", "{result:#}");
}

#[test]
fn a_test_of_a_removed_name_may_go_with_it() {
    let project = shop();
    let agent = "printf 'def cost():\\n    return 1\\n' > shop.py; \
        sed -i 's/price()/cost()/; s/import price/import cost/' test_shop.py";
    let blocked = build(&project, &["--allow-removed", "price()", "--agent", agent]);
    let result = blocked.ends(0).json();
    assert_eq!(result["evidence"]["old_tests"], "passed", "{result:#}");
}

#[test]
fn a_new_configuration_does_not_excuse_tests_that_passed_before_it() {
    let make = "check:\n\tpython3 -B -m unittest test_shop\n";
    let files = [("shop.py", CODE), ("test_shop.py", TESTS), ("Makefile", make)];
    let project = project_of(&files, "make check");
    project
        .ftl(["new", "More", "--delta", "shop.py", "GNUmakefile", "--verify", "make check"])
        .ends(0);
    let cheat = "sed -i 's/return 1/return 2/' shop.py; \
        printf 'check:\\n\\t@echo; echo Ran 2 tests in 0.001s; echo; echo OK\\n' > GNUmakefile";
    let words = ["build", "2", "--format", "json", "--agent", cheat];
    let result = project.ftl(words).ends(3).json();
    assert_eq!(result["block"]["kind"], "verify_untrusted", "{result:#}");
    assert_eq!(result["evidence"]["old_tests"], "failed", "{result:#}");
}

#[test]
fn a_new_test_does_not_run_among_the_old_ones() {
    let project = shop();
    project.ftl(["drop", "1"]).ends(0);
    let words = ["new", "More", "--verify", "python3 -B -m unittest test_more test_shop"];
    project
        .ftl(words.into_iter().chain(["--delta", "shop.py", "test_shop.py", "test_more.py"]))
        .ends(0);
    let agent = "printf '\\ndef more():\\n    return 2\\n' >> shop.py; \
        printf 'import unittest, test_shop\\n\\n\\nclass T(unittest.TestCase):\\n    def test_a(self):\\n        \
        self.assertEqual(test_shop.MORE, 2)\\n' > test_more.py; \
        sed -i 's/^from shop.*/from shop import more, price\\n\\nMORE = more()/' test_shop.py";
    let result = project.build(&["2", "--agent", agent]).ends(0).json();
    assert_eq!(result["outcome"], "complete", "{result:#}");
}

#[test]
fn the_definition_of_the_verify_and_files_that_may_change_are_tests_too() {
    let check = "check:\n\tpython3 -B -m unittest test_shop\n";
    let files = [("shop.py", CODE), ("test_shop.py", TESTS)];
    let project = project_of(&files, "make check");
    project.write("Makefile", check);
    project.write("ftl.toml", "[scope]\nallow = [\"Makefile\"]\n");
    project.git(&["add", "."]);
    project.git(&["commit", "-qm", "make"]);
    let agent = "sed -i 's/return 1/return 2/' shop.py; printf 'check:\\n\\ttrue\\n' > Makefile";
    let result = build(&project, &["--agent", agent]).ends(3).json();
    assert_eq!(result["evidence"]["old_tests"], "failed", "{result:#}");
    assert_eq!(project.text("Makefile"), check);
}

#[test]
fn of_a_package_json_the_scripts_are_as_they_were_and_the_rest_is_new() {
    if !has_tool("node", "node", &["--version"]) || !has_tool("npm", "npm", &["--version"]) {
        return;
    }
    let package = "{\"name\": \"a\", \"scripts\": {\"test\": \"node --test a.test.js\"}}\n";
    let tests = "const test = require('node:test'), assert = require('assert');\n\
        test('adds one', () => assert.equal(require('./a.js')(1), 2));\n";
    let code = "module.exports = (x) => x + 1;\n";
    let files = [("package.json", package), ("a.test.js", tests), ("a.js", code)];
    for (edit, is_blocked) in [
        ("sed -i 's/node --test a.test.js/exit 0/' package.json", true),
        ("sed -i \"s/^test(/test.skip(/\" a.test.js", true),
        ("sed -i 's/\"name\": \"a\"/\"name\": \"b\"/' package.json", false),
    ] {
        let project = project_of(&files, "npm test --silent");
        let code = if is_blocked { "s/x + 1/x/" } else { "s/x + 1/1 + x/" };
        let agent = format!("sed -i '{code}' a.js; {edit}");
        let result = build(&project, &["--agent", &agent]).json();
        assert_eq!(result["outcome"] == "blocked", is_blocked, "{edit}: {result:#}");
        let shown = if is_blocked { "failed".into() } else { serde_json::Value::Null };
        assert_eq!(result["evidence"]["old_tests"], shown, "{edit}: {result:#}");
    }
}

#[test]
fn a_module_of_tests_in_a_rust_source_is_put_into_the_new_one() {
    let manifest = "[package]\nname = \"shop\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
    let source = "pub fn price() -> u8 {\n    1\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    \
        fn price_is_one() {\n        assert_eq!(super::price(), 1);\n    }\n}\n";
    let files = [("Cargo.toml", manifest), ("src/lib.rs", source), (".gitignore", "target\n")];
    for (edit, old_tests) in [
        ("s/    1$/    2/; s/(), 1)/(), 2)/", "failed"),
        ("s/    1$/    2/; s/#.cfg(test).$/#[cfg(any())]/", "failed"),
        ("s/    1$/    2 - 1/; s/(), 1)/(), 1, \"one\")/", "passed"),
    ] {
        let project = project_of(&files, "cargo test --offline");
        let agent = format!("sed -i '{edit}' src/lib.rs");
        let result = build(&project, &["--agent", &agent]).json();
        assert_eq!(result["evidence"]["old_tests"], old_tests, "{edit}: {result:#}");
        let is_sound = old_tests == "passed";
        assert_eq!(result["outcome"] == "complete", is_sound, "{edit}: {result:#}");
        assert_eq!(project.text("src/lib.rs") == source, !is_sound, "{edit}");
    }
}

/// Says on the pipe `started` that the tests as they were run, and waits for `go`.
const WAITS: &str = "if grep -q '(), 1)' test_shop.py && grep -q 'return 2' shop.py && [ ! -e $OUT/again ]; then \
    echo $$ > $OUT/started; read go < $OUT/go; fi; python3 -B -m unittest test_shop";

#[test]
fn a_kill_while_the_tests_as_they_were_run_leaves_nothing_and_the_same_command_goes_on() {
    let files = [("shop.py", CODE), ("test_shop.py", TESTS)];
    let project = project_of(&files, "sh ./wait.sh").outside_pipes(&["started", "go"]);
    project.write("wait.sh", WAITS);
    let build = "\"$FTL\" build 1 --agent \"$AGENT\" >/dev/null 2>&1";
    let agent = format!("AGENT=\"{}\"; ", CHEAT.replace('"', "\\\"").replace('$', "\\$"));
    let killed = format!(
        "{agent}{build} & read pid < $OUT/started; cat shop.py; kill -KILL $!; wait $!; true"
    );
    let shown = project.script(&killed).stdout;
    assert!(shown.contains("return 2"), "the work had landed: {shown}");
    project.mark("again");
    project.script(&format!("{agent}{build}")).ends(3);
    assert_eq!(project.text("shop.py"), CODE);
    assert_eq!(project.text("test_shop.py"), TESTS);
    let asked = std::fs::read_to_string(project.outside("asked")).unwrap();
    assert_eq!(asked, "asked\n", "no request is made again");
}

#[test]
fn a_test_that_is_skipped_or_gone_is_named_where_it_passes_as_it_was() {
    for edit in [
        "sed -i 's/    def test_type/    @unittest.skip(\"slow\")\\n&/' test_shop.py",
        "sed -i '/def test_type/,$d' test_shop.py",
    ] {
        let project = shop();
        let agent = format!("echo '# more' >> shop.py; {edit}");
        let result = build(&project, &["--agent", &agent]).ends(0).json();
        assert_eq!(result["evidence"]["old_tests"], "passed", "{edit}: {result:#}");
        assert!(result["warnings"].to_string().contains("test_shop.py::test_type"), "{result:#}");
    }
}

#[test]
fn tests_that_do_not_run_any_more_are_missed() {
    let hides =
        "printf 'import unittest\nunittest.TestLoader.testMethodPrefix = \"test_p\"\n' >> shop.py";
    for edit in ["true", "echo '# as it was' >> test_shop.py"] {
        let project = shop();
        let result = build(&project, &["--agent", &format!("{hides}; {edit}")]).ends(3).json();
        let error = result["block"]["error"].as_str().unwrap();
        assert!(error.ends_with("trusted: tests_missing"), "{edit}: {error}");
        let unknown = result["block"]["unknown"].as_str().unwrap();
        assert!(unknown.contains("2 tests ran before the work, and 1 now"), "{unknown}");
        let next = result["next"][0].as_str().unwrap();
        project.script(&format!("ftl() {{ \"$FTL\" \"$@\"; }}; {next}")).ends(0);
    }
}
