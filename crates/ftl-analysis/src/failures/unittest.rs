//! Python's unittest, and runners built on it: `FAIL: test_x (module.Class.test_x)` above a rule and a traceback.

use super::draft::{Draft, dedented};
use super::traceback;
use crate::constants::ConstPattern;

static HEADING: ConstPattern =
    ConstPattern::new(r"^(?:FAIL|ERROR): (\S+)(?: \((\S+?)\))?(?: .*)?$");
static RULE: ConstPattern = ConstPattern::new(r"^(?:={20,}|-{20,})$");

/// Failed tests, classes that could not be set up and modules that could not be loaded.
pub(super) fn failures(lines: &[&str]) -> Vec<Draft> {
    let headings = (1..lines.len())
        .filter(|&at| HEADING.is_match(lines[at]) && lines[at - 1].starts_with("====="));
    headings.filter_map(|at| failure(lines, at)).collect()
}

fn failure(lines: &[&str], start: usize) -> Option<Draft> {
    let parts = HEADING.captures(lines[start])?;
    let test = name(&parts[1], parts.get(2).map(|it| it.as_str()));
    // A description may be between the heading and its rule.
    let rule =
        start + 1 + lines[start + 1..].iter().take(5).position(|line| RULE.is_match(line))?;
    let length = lines[rule + 1..].iter().take_while(|line| !RULE.is_match(line)).count();
    let body = &lines[rule + 1..rule + 1 + length];
    let message = traceback::whole_message(body).unwrap_or_else(|| dedented(body.iter().copied()));
    let place = traceback::deepest(body);
    let lines = start..rule + 1 + length;
    Some(Draft { test: Some(test), place, message, ..Draft::of(lines) })
}

/// The dotted name: newer Pythons have it in parentheses, older ones only its class; of a class or a module that failed
/// as a whole its own.
fn name(method: &str, within: Option<&str>) -> String {
    let Some(within) = within else { return method.to_owned() };
    if within.starts_with("unittest.loader.") || within.starts_with("django.test.runner.") {
        return method.to_owned();
    }
    match within.rsplit('.').next() {
        Some(last)
            if last == method || method.starts_with("setUp") || method.starts_with("tearDown") =>
        {
            within.to_owned()
        }
        _ => format!("{within}.{method}"),
    }
}

#[cfg(test)]
mod tests {
    use super::name;

    #[test]
    fn a_name_is_dotted_in_every_version() {
        for (method, within, expected) in [
            ("test_x", Some("tests.test_a.A.test_x"), "tests.test_a.A.test_x"),
            ("test_x", Some("tests.test_a.A"), "tests.test_a.A.test_x"),
            ("setUpClass", Some("tests.test_a.A"), "tests.test_a.A"),
            ("tests.test_a", Some("unittest.loader._FailedTest.tests.test_a"), "tests.test_a"),
        ] {
            assert_eq!(name(method, within), expected);
        }
    }
}
