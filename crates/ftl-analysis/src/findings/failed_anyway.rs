//! Runs that ended with 0 although their output says that something failed: `pytest || true`, `go test | tee log`.
//!
//! What counts is what the runner itself says: a summary that counts failures, a test or package that it marks as
//! failed in its own form. A test may print the words `FAIL` or `2 errors` and pass, so a line counts only if it is
//! of such a form as a whole, and what pytest shows of a test's own output does not count at all.

use std::borrow::Cow;

use regex::Captures;

use super::printed_failure::printed_failure;
use super::summary::summary;
use crate::constants::{ConstPattern, ConstPatterns};
use crate::diagnosis::{plain_text, unprefixed};

/// Lines in which a runner counts failures alone; the count is the group.
const COUNTS: [&str; 21] = [
    r"^\[ +([0-9]+) (?:tests|containers) failed +\]$",
    r"^(?:=+ )?([0-9]+) (?:failed|errors?)(?: in [0-9.]+ ?m?s.*)?(?: =+)?$",
    r"^\s+([0-9]+) failing$",
    r"^[#ℹ] (?:fail|failed|cancelled)\s+([0-9]+)$",
    r"^\s+([0-9]+) fail$",
    r"^\s+([0-9]+) (?:tests?|hooks?|files?) failed(?:\W.*)?$",
    r"^\s+([0-9]+) (?:uncaught exceptions?|unhandled rejections?)$",
    r"^\s*([0-9]+) FAILED TESTS?$",
    r"^[0-9]+% tests passed, ([0-9]+) tests failed out of [0-9]+$",
    r"^FAILED \((?:[a-z ]+=[0-9]+, )*(?:failures|errors|unexpected successes)=([0-9]+)",
    r"^Found ([0-9]+) errors?(?:\.$|\.? in )",
    r"^([0-9]+) errors? generated\.$",
    r"^\s*Executed [0-9]+ tests?, with (?:[0-9]+ tests? skipped and )?([0-9]+) failures?",
    r"^(?:.*: )?Executed [0-9]+ of [0-9]+ .*\(([0-9]+) FAILED\)",
    r"^[0-9]+:[0-9]+ \+[0-9]+(?: ~[0-9]+)? -([0-9]+): ",
    r"^([0-9]+) out of [0-9]+ tests failed",
    r"^\*\*\* ([0-9]+) failures? (?:is|are) detected",
    r"^Failed ([0-9]+)/[0-9]+ (?:test programs?|subtests)\b",
    r"^\s+Failed ([0-9]+)/[0-9]+ subtests",
    r"^# Looks like you failed ([0-9]+) tests? of [0-9]+",
    r"^([0-9]+) failures?(?: in [0-9.]+s)?[!.]? .*\b[0-9]+ tests? run",
];

/// Lines with which a runner marks something as failed.
const MARKS: [&str; 38] = [
    r"^INTERNALERROR> \S",
    r"^(?:pytest|__main__\.py|py\.test): error: ",
    r"^(?:FAIL Required test coverage of |ERROR: Coverage failure: |Jest: Coverage for )",
    r"^SystemCheckError: ",
    r"^No tests found, exiting with code [1-9]",
    r"^(?:FAILED|ERROR) \S+\.py(?:::\S+.*| - .*)?$",
    r"^\S+\.py::\S.* (?:FAILED|ERROR) +\[ *[0-9]+%\]$",
    r"^(?:\[gw[0-9]+\] )?\[ *[0-9]+%\] (?:FAILED|ERROR) \S+::",
    r"^!+ (?:Interrupted: )?[0-9]+ errors? during collection !+$",
    r"^\s*--- FAIL: \S+ \([0-9.]+s\)$",
    r"^FAIL\t\S+",
    r#""Action":"fail""#,
    r"^test result: FAILED\.",
    r"^\s+(?:TRY [0-9]+ )?(?:FAIL|SIG[A-Z]+|TIMEOUT|ABORT)(?: \+ LEAK)? \[ *[0-9.]+s\] ",
    r"^\s*Exception during run: ",
    r"^error: test failed, to rerun pass ",
    r"^error: test run failed$",
    r"^error: could not compile `",
    r"^error: aborting due to ",
    r"^error: [0-9]+ targets? failed:$",
    r"^\[  FAILED  \] \S",
    r"^(?:FAIL|ERROR): \S+ \(\S+\)",
    r"^\s*FAIL +(?:\S+\.[cm]?[jt]sx?\b|\S+ \S+\.[cm]?[jt]sx?\b)",
    r#"^\s*FAIL +"[^"]+"$"#,
    r"^\(fail\) \S",
    r"^\S.* \.\.\. (?:.*)?FAILED \([0-9]+m?s\)$",
    r"^FAILED \| [0-9]+ passed",
    r"^Result: FAIL$",
    r"^\s+\S+: (?:exited|FAIL) (?:code )?[1-9]",
    r"^nox > (?:Session .* failed|\* .*: failed)",
    r"^(?:\[\w+\] +)?BUILD FAIL(?:URE|ED)\b",
    r"^> Task :\S+ FAILED$",
    r"^make: \*\*\* ",
    r"^g?make(?:\[\d+\])?: .*\bError [0-9]+ \(ignored\)$",
    r"^\S+ exited with code [1-9][0-9]*$",
    r"^npm (?:ERR!|error) (?:Test failed|Lifecycle script|code ELIFECYCLE)",
    r"^\*\*\* [0-9]+ TESTS? FAILED \*\*\*$|\*\*\* FAILED \*\*\*(?: \([^)]*\))?$",
    r"^[^|]+ \| FAIL \|$",
];

/// `not ok 1 - name`, but for tests that are known to fail or were skipped.
const TAP: &str = r"^\s*not ok\b";
const EXCUSED: &str = r"(?i)# *(?:todo|skip)\b";

struct Forms {
    counts: ConstPatterns,
    marks: ConstPatterns,
    tap: ConstPattern,
    excused: ConstPattern,
}

static FORMS: Forms = Forms {
    counts: ConstPatterns::new(&COUNTS),
    marks: ConstPatterns::new(&MARKS),
    tap: ConstPattern::new(TAP),
    excused: ConstPattern::new(EXCUSED),
};

/// The line that contradicts an exit code of 0; `None` where nothing does.
pub fn failed_anyway(command: &str, output: &str) -> Option<String> {
    // A silent command is common, and the patterns take milliseconds to compile.
    if output.trim().is_empty() {
        return None;
    }
    let text = plain_text(output);
    let said = readings(&text).into_iter().find_map(|text| {
        let line = runner_lines(&text).find(|line| says_failure(line))?;
        Some(line.trim_matches(['=', ' ', '\t']).to_owned())
    });
    said.or_else(|| printed_failure(command, &text))
}

fn says_failure(line: &str) -> bool {
    let forms = &FORMS;
    if !line.bytes().any(|byte| byte.is_ascii_alphabetic()) || line.len() > 2_000 {
        return false;
    }
    forms.marks.is_match(line)
        || forms.counts.captures(line).any(|groups| is_positive(&groups))
        || (forms.tap.is_match(line) && !forms.excused.is_match(line))
        || summary(line).is_some_and(|counts| counts.failed > 0 && counts.has_others)
}

fn is_positive(groups: &Captures<'_>) -> bool {
    groups.get(1).is_some_and(|number| positive(number.as_str()))
}

fn positive(number: &str) -> bool {
    number.bytes().any(|digit| digit != b'0')
}

/// The text; and where a wrapper put a prefix before its lines, the text without it.
pub(super) fn readings(text: &str) -> Vec<Cow<'_, str>> {
    let bare = unprefixed(text.lines().collect()).join("\n");
    let is_same = bare.lines().eq(text.lines());
    let bare = (!is_same).then_some(Cow::Owned(bare));
    std::iter::once(Cow::Borrowed(text)).chain(bare).collect()
}

/// The lines that a runner wrote, without what pytest shows of a test's own output.
pub(super) fn runner_lines(text: &str) -> impl Iterator<Item = &str> {
    let mut is_shown = true;
    text.lines().map(str::trim_end).filter(move |line| {
        let is_rule = [("----", '-'), ("====", '='), ("____", '_')]
            .iter()
            .any(|(rule, end)| line.starts_with(rule) && line.ends_with(*end));
        if is_rule {
            is_shown = !(line.contains(" Captured ") && line.starts_with("----"));
        }
        is_shown
    })
}

#[cfg(test)]
mod tests {
    use super::failed_anyway;

    #[test]
    fn a_runner_s_own_words_count_and_a_program_s_do_not() {
        for said in [
            "=== 1 failed, 2 passed in 0.03s ===",
            "1 failed in 0.03s",
            "make: [Makefile:2: check] Error 1 (ignored)",
            "app-1 exited with code 1",
            "app-1  | F\napp-1  | E   assert 1\napp-1  | a\napp-1  | b\napp-1  | 1 failed in 0.02s",
            "FAILED tests/test_a.py::test_a - assert 1 == 2",
            "tests/test_a.py::test_a[x y] FAILED      [ 50%]",
            "FAIL\texample.com/shop\t0.003s",
            "--- FAIL: TestA (0.00s)",
            "FAILED (failures=1, errors=2)",
            "not ok 1 - adds",
            "Tests:       1 failed, 3 passed, 4 total",
            " Tests  1 failed | 2 passed (3)",
            "test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s",
            "3 runs, 3 assertions, 1 failures, 0 errors, 0 skips",
            "Tests: 3, Assertions: 3, Failures: 1.",
            "[ERROR] Tests run: 3, Failures: 0, Errors: 1, Skipped: 0",
            "Failed!  - Failed:     1, Passed:     2, Skipped:     0, Total:     3, Duration: 20 ms - a.dll (net8.0)",
            "2 examples, 1 failure",
            "3 tests, 1 failure",
            "1 success / 1 failure / 0 errors / 0 pending : 0.01 seconds",
            "[ FAIL 1 | WARN 0 | SKIP 0 | PASS 2 ]",
            "Tests: succeeded 2, failed 1, canceled 0, ignored 0, pending 0",
            "Ran 3 tests in 0.001 seconds, 2 successes, 1 failure",
            "3 tests completed, 1 failed",
            "test cases: 3 | 2 passed | 1 failed",
            "[====] Synthesis: Tested: 3 | Passing: 2 | Failing: 1 | Crashing: 0",
            "66%: Checks: 3, Failures: 1, Errors: 0",
            "✖ 2 problems (1 error, 1 warning)",
        ] {
            assert!(failed_anyway("true", said).is_some(), "{said}");
        }
        for printed in [
            "FAIL",
            "FAILED",
            "ERROR: 3 errors",
            "2 failed logins were rejected",
            "the upload failed 2 times, then passed",
            "=== 2 passed, 1 xfailed in 0.03s ===",
            "not ok 2 - later # TODO write it",
            "✖ 2 problems (0 errors, 2 warnings)",
            "Tests: 3 passed, 3 total",
            "Tests run: 3, Failures: 0, Errors: 0, Skipped: 0",
            "Found 3 errors (3 fixed, 0 remaining).",
            "retry 2 of 3, 1 error",
            "",
        ] {
            assert_eq!(failed_anyway("true", printed), None, "{printed}");
        }
        let shown = "------ Captured stdout call ------\n1 failed, 2 passed in 0.1s\n==== 1 passed in 0.1s ====";
        assert_eq!(failed_anyway("pytest -rA", shown), None);
    }
}
