//! Runs that passed because no test ran.
//!
//! Runners say so in their own words, and several exit with 0 nevertheless. One output may hold several runners, so
//! a single line that shows a test outweighs all lines that say that there was none.

use std::sync::LazyLock;

use regex::Regex;

use crate::diagnosis::plain_text;

/// Lines in which a runner counts the tests it ran, every count in a group.
const COUNTS: [&str; 13] = [
    r"^(?:=+ )?(?:.*, )?([0-9]+) (?:passed|failed|errors?|xfailed|xpassed)\b.* in [[0-9].]+",
    r"^test result: \w+\. ([0-9]+) passed; ([0-9]+) failed;",
    r"^\s*Summary \[.*\] +([0-9]+) tests? run",
    r"^Ran ([0-9]+) tests? in [[0-9].]+",
    r"^Tests: .*?([0-9]+) total$",
    r"^\s+Tests +(?:.*\| )?([0-9]+) (?:passed|failed)",
    r"^\s+([0-9]+) (?:passing|failing)\b",
    r"^[#ℹ] (?:tests|pass|fail) ([0-9]+)$",
    r"^([0-9]+) examples?, [0-9]+ failures?",
    r"^OK \(([0-9]+) tests?, ",
    r"^(?:\[\w+\] +)?Tests run: ([0-9]+), Failures: ",
    r"^[0-9]+% tests passed, [0-9]+ tests failed out of ([0-9]+)$",
    r"^(?:ok|FAILED) \| ([0-9]+) passed",
];

/// Lines in which a runner says in words that there was nothing to run.
const NOTHING: [&str; 10] = [
    r"^(?:=+ )?no tests ran\b",
    r"^(?:=+ )?[0-9]+ (?:skipped|deselected)(?:, [0-9]+ \w+)* in [[0-9].]+",
    r"^collected 0 items$",
    r"\[no test files\]$",
    r"\[no tests to run\]$",
    r"^No test(?:s| files) found\b",
    r"^No tests (?:were found!!!|executed!|to run\.?)$",
    r"^(?:error: )?no tests to run$",
    r"^1\.\.0\b",
    r"^testing: warning: no tests to run$",
];

/// Lines that show a test without counting.
const SHOWN: [&str; 3] = [
    r"^\s*--- (?:PASS|FAIL): ",
    r"^ok\s+\S+\s+(?:\(cached\)|[[0-9].]+s)(?:\s+coverage: .*)?$",
    r"^\s*(?:not )?ok [0-9]+\b",
];

static PATTERNS: LazyLock<[Vec<Regex>; 3]> = LazyLock::new(|| {
    let compile = |source: &&str| Regex::new(source).expect("because the pattern is a constant");
    [
        COUNTS.iter().map(compile).collect(),
        NOTHING.iter().map(compile).collect(),
        SHOWN.iter().map(compile).collect(),
    ]
});

/// The line with which the test runner says that it ran no test; `None` when any runner in `output`
/// ran one, or none is recognised.
pub fn ran_no_test(output: &str) -> Option<String> {
    // A silent command is common, and the patterns take milliseconds to compile.
    if output.trim().is_empty() {
        return None;
    }
    let text = plain_text(output);
    let [counts, nothing, shown] = &*PATTERNS;
    let mut said = None;
    for line in text.lines().map(str::trim_end) {
        let counted = counts.iter().find_map(|pattern| count(pattern, line));
        if counted.is_some_and(|count| count > 0) || is_any(shown, line) {
            return None;
        }
        if said.is_none() && (counted == Some(0) || is_any(nothing, line)) {
            said = Some(line.trim_matches(['=', ' ']).to_owned());
        }
    }
    said
}

/// The tests counted on a line, in all groups together.
fn count(pattern: &Regex, line: &str) -> Option<u64> {
    let groups = pattern.captures(line)?;
    let numbers = groups.iter().skip(1).flatten();
    Some(
        numbers
            .filter_map(|number| number.as_str().parse::<u64>().ok())
            .sum(),
    )
}

fn is_any(patterns: &[Regex], line: &str) -> bool {
    patterns.iter().any(|pattern| pattern.is_match(line))
}
