use std::sync::LazyLock;

use regex::Regex;

use crate::errors::plain_text;

/// Lines in which a runner counts the tests it ran, every count in a group.
const COUNTS: [&str; 13] = [
    r"^(?:=+ )?(?:.*, )?(\d+) (?:passed|failed|errors?|xfailed|xpassed)\b.* in [\d.]+",
    r"^test result: \w+\. (\d+) passed; (\d+) failed;",
    r"^\s*Summary \[.*\] +(\d+) tests? run",
    r"^Ran (\d+) tests? in [\d.]+",
    r"^Tests: .*?(\d+) total$",
    r"^\s+Tests +(?:.*\| )?(\d+) (?:passed|failed)",
    r"^\s+(\d+) (?:passing|failing)\b",
    r"^[#ℹ] (?:tests|pass|fail) (\d+)$",
    r"^(\d+) examples?, \d+ failures?",
    r"^OK \((\d+) tests?, ",
    r"^(?:\[\w+\] +)?Tests run: (\d+), Failures: ",
    r"^\d+% tests passed, \d+ tests failed out of (\d+)$",
    r"^(?:ok|FAILED) \| (\d+) passed",
];

/// Lines in which a runner says in words that there was nothing to run.
const NOTHING: [&str; 10] = [
    r"^(?:=+ )?no tests ran\b",
    r"^(?:=+ )?\d+ (?:skipped|deselected)(?:, \d+ \w+)* in [\d.]+",
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
    r"^ok\s+\S+\s+(?:\(cached\)|[\d.]+s)(?:\s+coverage: .*)?$",
    r"^\s*(?:not )?ok \d+\b",
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
