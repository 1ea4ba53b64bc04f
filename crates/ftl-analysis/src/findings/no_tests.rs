//! Runs that passed because no test ran.
//!
//! Runners say so in their own words, and several exit with 0 nevertheless. One output may hold several runners, so
//! a single line that shows a test outweighs all lines that say that there was none. A test that was skipped
//! did not run, and one that is expected to fail shows nothing.

use super::failed_anyway::{readings, runner_lines};
use super::summary::{Counts, summary};
use crate::constants::{ConstPattern, ConstPatterns};
use crate::diagnosis::plain_text;

/// Lines in which a runner counts the tests it ran, every count in a group.
const COUNTS: [&str; 15] = [
    r"^(?:=+ )?(?:.*, )?([0-9]+) (?:passed|failed|errors?|xpassed)\b.* in [[0-9].]+",
    r"^\s*Summary \[.*\] +([0-9]+) tests? run",
    r"^\s+Tests +(?:.*\| )?([0-9]+) (?:passed|failed)",
    r"^\s+([0-9]+) (?:passing|failing)\b",
    r"^[#ℹ] (?:pass|fail|passed|failed)\s+([0-9]+)$",
    r"^OK \(([0-9]+) tests?, ",
    r"^[0-9]+% tests passed, [0-9]+ tests failed out of ([0-9]+)$",
    r"^\s+([0-9]+) (?:pass|fail)$",
    r"^\s+([0-9]+) tests? (?:passed|failed)$",
    r"^([0-9]+) scenarios? \((?:[0-9]+ (?:passed|failed|undefined|ambiguous)(?:, )?)+",
    r"^Files=[0-9]+, Tests=([0-9]+),",
    r"^\[  (?:PASSED|FAILED)  \] ([0-9]+) tests?",
    r"^\s*Executed ([0-9]+) tests?, with ",
    r"^(?:.*: )?Executed ([0-9]+) of [0-9]+ ",
    r"^\[ +([0-9]+) tests (?:successful|failed) +\]$",
];

/// Lines in which a runner says that there was nothing to run.
const NOTHING: [&str; 24] = [
    r"^(?:=+ )?no tests ran\b",
    r"^(?:=+ )?[0-9]+ (?:skipped|deselected|xfailed)(?:, [0-9]+ (?:deselected|xfailed|warnings?))* in [[0-9].]+",
    r"^collected 0 items$",
    r"\[no test files\]$",
    r"\[no tests to run\]$",
    r"^No test(?:s| files| cases)? (?:found|is available|matches)\b",
    r"^\W+No tests found in ",
    r"^No tests (?:were found!!!|executed!|to run\.?|ran\.?|were run\.?)$",
    r"^(?:Error|error): [Nn]o tests (?:to run|found)\b",
    r"^There are no tests to run$",
    r"^1\.\.0\b",
    r"^testing: warning: no tests to run$",
    r"^--- SKIP: ",
    r"^[#ℹ] tests\s+0$",
    r"^Tests: +(?:[0-9]+ (?:skipped|todo), )*[0-9]+ total$",
    r"^\s+Tests +(?:no tests|(?:[0-9]+ (?:skipped|todo)(?: \| )?)+ \([0-9]+\))$",
    r"^\s+[0-9]+ tests? (?:skipped|todo)$",
    r"^(?:Incomplete: )?No specs found$",
    r"^0 scenarios$|^[0-9]+ scenarios? \([0-9]+ (?:skipped|pending)\)$",
    r"^Result: NOTESTS$",
    r"^Ran 0 tests\b",
    r"^NO TESTS RAN\b",
    r"^> Task :\S*test NO-SOURCE$",
    r"^\[=+\] Running 0 tests from ",
];

/// Lines that show a test without counting.
const SHOWN: [&str; 2] =
    [r"^\s*--- (?:PASS|FAIL): ", r"^(?:\S+ \(\S+\)|.*) \.\.\. (?:ok|FAIL|ERROR)$"];

/// A package of Go's whose tests passed; with `-v`, its tests are shown as well, and this proves nothing.
const GO_PACKAGE: &str = r"^ok\s+\S+\s+(?:\(cached\)|[[0-9].]+s)(?:\s+coverage: .*)?$";

/// A test of the Test Anything Protocol, but for one that was skipped.
const TAP: &str = r"^\s*(?:not )?ok [0-9]+\b";
const SKIPPED: &str = r"(?i)# *skip\b";

/// unittest's count, which in some versions holds skipped tests, how many were skipped, and its progress.
const RAN: &str = r"^Ran ([0-9]+) tests? in [[0-9].]+";
const SKIPS: &str = r"^OK \((?:.*, )?skipped=([0-9]+)";
const EXPECTED: &str = r"^OK \((?:.*, )?expected failures=([0-9]+)";
const PROGRESS: &str = r"^[.sxuFE]*[.uFE][.sxuFE]*$";

struct Forms {
    counts: ConstPatterns,
    nothing: ConstPatterns,
    shown: ConstPatterns,
    go_package: ConstPattern,
    tap: [ConstPattern; 2],
    unittest: [ConstPattern; 4],
}

static FORMS: Forms = Forms {
    counts: ConstPatterns::new(&COUNTS),
    nothing: ConstPatterns::new(&NOTHING),
    shown: ConstPatterns::new(&SHOWN),
    go_package: ConstPattern::new(GO_PACKAGE),
    tap: [ConstPattern::new(TAP), ConstPattern::new(SKIPPED)],
    unittest: [
        ConstPattern::new(RAN),
        ConstPattern::new(SKIPS),
        ConstPattern::new(EXPECTED),
        ConstPattern::new(PROGRESS),
    ],
};

/// The line with which the test runner says that it ran no test; `None` when any runner in `output`
/// ran one, or none is recognised.
pub fn ran_no_test(output: &str) -> Option<String> {
    // A silent command is common, and the patterns take milliseconds to compile.
    if output.trim().is_empty() {
        return None;
    }
    let text = plain_text(output);
    readings(&text).iter().find_map(|text| none_ran(text))?
}

/// The line that says that no test ran, or `Some(None)` where one did; `None` where no runner is recognised.
fn none_ran(text: &str) -> Option<Option<String>> {
    let forms = &FORMS;
    let is_verbose_go = text.lines().any(|line| line.starts_with("=== RUN "));
    let mut said = None;
    for line in runner_lines(text) {
        let is_nothing = forms.nothing.is_match(line);
        let counted = if is_nothing { None } else { count(line) };
        let shows = counted.is_some_and(|count| count > 0)
            || forms.shown.is_match(line)
            || (!is_verbose_go && forms.go_package.is_match(line))
            || (forms.tap[0].is_match(line) && !forms.tap[1].is_match(line));
        if shows {
            return Some(None);
        }
        if said.is_none() && (counted == Some(0) || is_nothing) {
            said = Some(line.trim_matches(['=', ' ', '\t']).to_owned());
        }
    }
    match unittest(text) {
        Some((0, line)) => Some(said.or(Some(line))),
        Some(_) => Some(None),
        None => said.map(Some),
    }
}

/// The tests that a line says ran.
fn count(line: &str) -> Option<u64> {
    if line.len() > 2_000 || !line.bytes().any(|byte| byte.is_ascii_digit()) {
        return None;
    }
    match FORMS.counts.captures(line).next() {
        Some(groups) => {
            let numbers = groups.iter().skip(1).flatten();
            Some(numbers.filter_map(|it| it.as_str().parse::<u64>().ok()).sum())
        }
        None => summary(line).and_then(Counts::ran),
    }
}

/// The tests that unittest ran, by its last summary, and the line that says so.
fn unittest(text: &str) -> Option<(u64, String)> {
    let [ran, skips, expected, progress] = &FORMS.unittest;
    let number = |pattern: &ConstPattern, line: &str| {
        let groups = pattern.captures(line)?;
        groups.get(1)?.as_str().parse::<u64>().ok()
    };
    let mut all = None;
    let (mut skipped, mut excused) = (0, 0);
    let mut has_progress = false;
    for line in text.lines().map(str::trim_end) {
        if let Some(count) = number(ran, line) {
            all = Some(all.unwrap_or(0) + count);
        }
        skipped += number(skips, line).unwrap_or(0);
        excused += number(expected, line).unwrap_or(0);
        has_progress |= progress.is_match(line);
    }
    // Where something ran, the dots say so: whether the count holds the skipped ones is up to the version.
    let ran = all?.saturating_sub(if has_progress { 0 } else { skipped + excused });
    let more = if excused > 0 { format!(", {excused} expected to fail") } else { String::new() };
    let line = format!("Ran {} tests, {skipped} skipped{more}", all?);
    Some((ran, line))
}

#[cfg(test)]
mod tests {
    use super::ran_no_test;

    #[test]
    fn tests_that_are_expected_to_fail_show_nothing() {
        for none in [
            "2 xfailed in 2.7s",
            "=== 1 skipped, 2 xfailed in 0.1s ===",
            "xx\nRan 2 tests in 0.000s\n\nOK (expected failures=2)",
            "sx\nRan 2 tests in 0.000s\n\nOK (skipped=1, expected failures=1)",
            "app-1  | a\napp-1  | b\napp-1  | c\napp-1  | d\napp-1  | no tests ran in 0.01s",
        ] {
            assert!(ran_no_test(none).is_some(), "{none}");
        }
        for some in [
            "1 passed, 2 xfailed in 2.7s",
            ".x\nRan 2 tests in 0.000s\n\nOK (expected failures=1)",
            "1 skipped, 1 xpassed in 0.1s",
        ] {
            assert_eq!(ran_no_test(some), None, "{some}");
        }
    }
}
