//! The test file that a verify command runs, found in its text.
//!
//! A guess, for the planner's convenience: a shell is not parsed, and a wrong answer costs a task
//! one file read too many. The rules are those of the plan format's description, of which
//! `tests/plan_oracle.py` is a second reading.

use std::sync::LazyLock;

use regex::Regex;

static QUOTED: LazyLock<Regex> = LazyLock::new(|| pattern(r#"["']([^"']+\.py)["']"#));
static PLAIN: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?:^|\s)([\w/.-]+\.py)(?:\s|$)"));

fn pattern(pattern: &str) -> Regex {
    Regex::new(pattern).expect("because the pattern is part of the program")
}

/// The test file that a verify command seems to run: the first quoted path that ends in `.py`, if it
/// contains `test`; else the first unquoted word that does both. A command with a
/// `*` names no single file.
pub fn verify_source(command: &str) -> Option<&str> {
    let speaks_of_test = |path: &&str| path.to_lowercase().contains("test");
    let path = |pattern: &'static Regex| {
        pattern.captures_iter(command).filter_map(|found| found.get(1)).map(|path| path.as_str())
    };
    if command.contains('*') {
        return None;
    }
    path(&QUOTED).next().filter(speaks_of_test).or_else(|| path(&PLAIN).find(speaks_of_test))
}

#[cfg(test)]
mod tests {
    use super::verify_source;

    #[test]
    fn the_test_file_is_found_in_a_command() {
        for (command, expected) in [
            ("", None),
            ("true", None),
            ("pytest tests/test_a.py -q", Some("tests/test_a.py")),
            ("pytest 'tests/test a.py'", Some("tests/test a.py")),
            ("pytest \"tests/test_a.py\" -v", Some("tests/test_a.py")),
            ("pytest tests/test_*.py", None),
            ("python \"run.py\" test_a.py", Some("test_a.py")),
            ("python run.py test_a.py", None),
            ("python run.py  test_a.py", Some("test_a.py")),
            ("pytest tests/test_a.py::case", None),
            ("cd x; pytest Tests/A.py", Some("Tests/A.py")),
            ("pytest a.py b.py", None),
        ] {
            assert_eq!(verify_source(command), expected, "{command}");
        }
    }
}
