//! Tests that an implementer made weaker: a block for an agent, a warning otherwise.

use super::schemas::assert_fits;
use crate::support::{Finished, Project};

const CODE: &str = "def price():\n    return 1\n";
const TESTS: &str = "\
import unittest
from shop import price


class TestPrice(unittest.TestCase):
    def test_price(self):
        self.assertEqual(price(), 1)

    def test_type(self):
        self.assertIsInstance(price(), int)
";

fn shop() -> Project {
    shop_with(TESTS)
}

fn shop_with(tests: &str) -> Project {
    let project = Project::empty();
    project.write("shop.py", CODE);
    project.write("test_shop.py", tests);
    let verify = "python3 -m unittest test_shop";
    let words = ["new", "Price", "--delta", "shop.py", "test_shop.py", "--verify", verify];
    project.ftl(words).ends(0);
    project.commit();
    project
}

#[test]
fn of_many_weaker_tests_ten_are_shown() {
    let more = |number: u32| {
        format!("\n    def test_{number}(self):\n        self.assertLess(price(), {number})\n")
    };
    let project = shop_with(&(TESTS.to_owned() + &(11..23).map(more).collect::<String>()));
    let agent = "head -11 test_shop.py > few; cat few > test_shop.py; rm few";
    let result = build(&project, &["--agent", agent]).json();
    assert_eq!(result["quality"]["weakened"].as_array().unwrap().len(), 12, "{result:#}");
    let shown = project.ftl(["show", "1"]).stdout;
    assert_eq!(shown.matches("test_removed").count(), 10, "{shown}");
    assert!(shown.contains("  2 more, which `--format json` lists"), "{shown}");
}

/// Breaks the code, and removes the test that shows it.
const CHEAT: &str = "sed -i 's/return 1/return 2/' shop.py; \
    sed -i '/def test_price/,/^$/d' test_shop.py";

fn build(project: &Project, words: &[&str]) -> Finished {
    project.ftl(["build", "1", "--format", "json"].iter().chain(words))
}

#[test]
fn an_agent_that_removes_the_test_is_blocked_with_the_place_and_what_accepts_it() {
    let project = shop();
    let blocked = build(&project, &["--agent", CHEAT]);
    let result = blocked.json();
    assert_fits("build", &result);
    assert_eq!(result["block"]["kind"], "verify_untrusted", "{result:#}");
    assert!(result["block"]["error"].as_str().unwrap().contains("tests_weakened"), "{result:#}");
    let place = &result["quality"]["weakened"][0];
    assert_eq!(place["kind"], "test_removed", "{result:#}");
    assert_eq!(place["path"], "test_shop.py", "{result:#}");
    let unknown = result["block"]["unknown"].as_str().unwrap();
    assert!(
        unknown.contains("test_shop.py:6 ") && unknown.contains("the test is gone"),
        "{unknown}"
    );
    let next = result["next"][0].as_str().unwrap();
    assert!(next.contains("ftl reopen 001_price --tests-change --build"), "{next}");
    let shown = project.ftl(["show", "1"]).stdout;
    assert!(shown.contains("  weakened   test_shop.py:6 "), "{shown}");
    let runs = project.path().join(".ftl/runs");
    std::fs::rename(&runs, project.outside("runs")).unwrap();
    let read = project.ftl(["show", "1", "--format", "json"]).json();
    assert_eq!(&read["run"]["result"]["quality"]["weakened"][0], place, "{read:#}");

    std::fs::rename(project.outside("runs"), &runs).unwrap();
    let accepted = project.script(&format!("ftl() {{ \"$FTL\" \"$@\"; }}; {next}")).ends(0);
    assert!(accepted.stderr.contains("the verify is doubtful: tests_weakened"), "{accepted:#?}");
}

#[test]
fn a_task_may_say_that_its_tests_change_and_a_person_may_change_them() {
    for words in [&["--tests-change"][..], &[]] {
        let project = shop();
        let agent = match words {
            [] => {
                let edited = ["sh", "-c", CHEAT];
                let shell = ftl_testkit::program::Program::new(edited[0], project.path());
                shell.args(&edited[1..]).run().unwrap();
                vec!["--tree"]
            }
            _ => vec!["--agent", CHEAT],
        };
        let result = build(&project, &[words, &agent].concat()).json();
        assert_eq!(result["outcome"], "complete", "{result:#}");
        assert!(result["warnings"].to_string().contains("tests_weakened"), "{result:#}");
    }
    let project = shop();
    project.ftl(["drop", "1"]);
    let verify = "python3 -m unittest test_shop";
    let words = ["new", "Price", "--delta", "shop.py", "test_shop.py", "--verify", verify];
    project.ftl([&words[..], &["--verify-source", "test_shop.py"]].concat());
    let result = project.build(&["2", "--agent", CHEAT]).json();
    assert_eq!(result["outcome"], "complete", "{result:#}");
}

#[test]
fn new_and_reformatted_tests_are_no_weaker_ones() {
    let project = shop();
    let agent = "printf '\\n    def test_more(self):\\n        self.assertTrue(price())\\n' >> test_shop.py; \
                 echo '# more' >> shop.py";
    let result = build(&project, &["--agent", agent]).json();
    assert_eq!(result["outcome"], "complete", "{result:#}");
    assert!(!result["warnings"].to_string().contains("tests_weakened"), "{result:#}");
}

#[test]
fn a_skip_on_a_condition_is_a_warning() {
    let project = shop();
    let agent = "sed -i 's/    def test_type/    @unittest.skipIf(price() == 3, \"dear\")\\n&/' test_shop.py; \
                 echo '# more' >> shop.py";
    let result = build(&project, &["--agent", agent]).json();
    assert_eq!(result["outcome"], "complete", "{result:#}");
    let warnings = result["warnings"].to_string();
    assert!(warnings.contains("tests that may be weaker than before: test_shop.py:"), "{warnings}");
}

#[test]
fn fewer_tests_than_before_are_a_finding_where_the_runner_counts_them() {
    let project = Project::empty();
    project.write("shop.py", CODE);
    project.write("output.txt", "3 passed in 0.01s\n");
    let words = ["new", "Price", "--delta", "shop.py", "output.txt", "--verify", "cat output.txt"];
    assert_eq!(project.ftl(words).code, Some(0));
    project.commit();
    let agent = "echo '2 passed in 0.01s' > output.txt";
    let result = build(&project, &["--baseline", "--agent", agent]).json();
    assert_eq!(result["block"]["kind"], "verify_untrusted", "{result:#}");
    let place = &result["quality"]["weakened"][0];
    assert_eq!(place["kind"], "fewer_tests", "{result:#}");
    assert_eq!((&place["before"], &place["after"]), (&"3".into(), &"2".into()), "{result:#}");
    let log = place["path"].as_str().unwrap();
    assert!(log.ends_with("1/outputs/verify-1.log") && place["line"] == 1, "{result:#}");
}
