//! JUnit as its console, Maven and Gradle show it: the exception below the name of the test.

use crate::constants::ConstPattern;

static ARROW: ConstPattern = ConstPattern::new(r"^\s+=> (\S.*)$");
/// `ShopTest.sums  Time elapsed: 0.01 s  <<< FAILURE!`, `ShopTest > sums() FAILED`.
static HEADING: ConstPattern =
    ConstPattern::new(r"<<< (?:FAILURE|ERROR)!(.*)$|^\S.* > \S.* FAILED()$");
/// A heading of all tests of a class.
static CLASS: ConstPattern = ConstPattern::new(r"Tests run: \d+");
static TREE: ConstPattern = ConstPattern::new(r"^\[?\w* *\d+ tests (?:found|failed)");

/// The exception of each failed test.
pub(super) fn messages(lines: &[&str]) -> Vec<String> {
    let is_console = lines.iter().any(|line| TREE.is_match(line));
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        if let Some(parts) = ARROW.captures(line).filter(|_| is_console) {
            found.push(parts[1].to_owned());
        } else if HEADING.is_match(line) && !CLASS.is_match(line) {
            let below = lines.get(at + 1).map(|line| line.trim());
            found.extend(below.filter(|line| !line.is_empty()).map(str::to_owned));
        }
    }
    found
}
