//! What passed before something failed: of `a && b`, all that `a` printed.
//!
//! Nothing separates the two outputs, but most programs say at their end that all went well. What
//! is before the last such line is left out, unless a failure was marked before it: a runner of
//! several suites goes on after the first that failed.

use super::shape::is_noise;
use crate::constants::ConstPatterns;

/// How programs end that found nothing wrong.
static CLOSING: ConstPatterns = ConstPatterns::new(&[
    r"^=*\s*\d+ passed\b.* in [\d.]+m?s\b",
    r"^OK(?:[.!]|\s*\(.*\))?$",
    r"^ok\s+\S+\s+(?:[\d.]+m?s|\(cached\)).*$",
    r"^\?\s+\S+\s+\[no test files\]",
    r"^test result: ok\. ",
    r"^\s*Finished (?:`|\w+ \[|dev|release|test)",
    r"^\s*Summary \[.*\] \d+ tests? run: \d+ passed(?: \([^)]*\))?(?:, \d+ skipped)?$",
    r"^Ran all test suites",
    r"^\s*Test Files\s+\d+ passed|^\s*Tests\s+\d+ passed|^\s*Duration\s+[\d.]+m?s",
    r"^\s*\d+ passing\b",
    r"(?i)^\W*\d+ (?:specs?|examples?|tests?|runs?|scenarios?|suites?|features?|steps?|checks?)\b.*\b(?:0 failures?|0 failed)\b",
    r"(?i)^\W*(?:all )?\d+ (?:tests?|specs?|checks?|examples?|scenarios?|suites?) (?:passed|ok|succeeded|successful)\b",
    r"(?i)^\W*(?:all|everything)\b.{0,40}\b(?:passed|ok|good|clean|succeeded|fine|done|formatted|code style|up[- ]to[- ]date)\b.*$",
    r"^\s*0 fail$|^# fail\s+0$|^ℹ fail 0$|^\s*Passed:\s+\d+$|^\s*Skipped:\s+0$",
    r"^(?:ok|PASSED) \| \d+ passed",
    r"(?i)\b(?:no (?:issues|errors|problems|offenses|warnings|violations)|0 (?:errors|problems|issues|offenses|vulnerabilities))\b.{0,40}$",
    r"(?i)^✖ \d+ problems? \(0 errors",
    r"^\d+ warnings? generated\.$",
    r"(?i)^(?:success|succeeded|all done|done|passed|pass|clean)\b[^:]{0,40}[.!]*$|^Success: ",
    r"^\d+ files? (?:already formatted|would be left unchanged|left unchanged)",
    r"rated at -?[\d.]+/10",
    r"^\[  PASSED  \] [1-9]\d* tests?\.$",
    r"^100% tests passed|^Total Test time",
    r"BUILD SUCCESS|^\[INFO\] Finished at:",
    r"^Took \d+min|^\d+ success(?:es)? / 0 failures? / 0 errors?",
    r"^Completed successfully|^\s*congratulations|^nox > Session \S+ was successful|^\s*\S+: OK\b",
    r"(?i)^(?:build|compilation|tests?|lint\w*|checks?|verification|validation|migrations?) (?:complete[d]?|succeeded|successful\w*|passed|finished|ok)\b[^:]{0,40}$",
    r"^g?make(?:\[\d+\])?: (?:Nothing to be done|.* is up to date)|^ninja: no work to do",
    r"^✓ built in|^.*\bcompiled successfully\b",
    r"^\d+ tests?, \d+ passed(?:, 0 failed)?|^\d+ tests, 0 failures|^Passed!\s+- Failed:\s+0",
]);

/// Marks of a failure: what comes after one belongs to a run that did not pass.
static FAILURE: ConstPatterns = ConstPatterns::new(&[
    r"^\s*--- FAIL: |^FAIL\b|^\s*FAIL\s+\S|^FAILED\b|^FAILURES",
    r"^=*\s*(?:\d+ \w+, )*[1-9]\d* (?:failed|errors?)\b.* in [\d.]+s",
    r"^\s*[1-9]\d* (?:failing|failed|fail)\b",
    r"(?i)\b[1-9]\d* (?:failures?|failed|errors?|error\(s\))(?:, |:?$| \(| /|\.$|; )",
    r"^\s*not ok \d|^\(fail\) |^\s*✘ \[fail\]|^\s+● ",
    r"^test .* \.\.\. FAILED$|^test result: FAILED|^\[  FAILED  \]",
    r"^E( {2,}|\t)\S",
    r"^(?:ERROR|FAIL): \S+ \(|^={20,} (?:FAILURES|ERRORS) ={20,}$",
    r"^error(?:\[E\d+\])?: |^.*:\d+:\d+: (?:fatal )?error: |^(?:vet: )?[^\s:]+\.go:\d+:\d+: \S",
    r"<<< (?:FAILURE|ERROR)!|BUILD FAILURE|^\s+\d+ failing",
    r"\*\*\*(?:Failed|Not Run|Exception|Timeout)",
    r"\| FAIL \|$| FAILED$|\bFAILED \[",
]);

/// The lines of `lines` that belong to what failed.
pub(crate) fn failing_part<'a, 'b>(lines: &'b [&'a str]) -> &'b [&'a str] {
    let mut begins = vec![0];
    for (at, line) in lines.iter().enumerate() {
        if FAILURE.is_match(line) {
            break;
        }
        if CLOSING.is_match(line) {
            begins.push(at + 1);
        }
    }
    let parts = begins.iter().rev().map(|&begin| &lines[begin..]);
    // A limit on warnings is passed only after they were counted.
    let has_content = |part: &&[&str]| {
        let first = part.iter().find(|line| !is_noise(line));
        first.is_some_and(|line| !line.contains("too many warnings"))
    };
    parts.into_iter().find(has_content).unwrap_or(lines)
}

#[cfg(test)]
mod tests {
    use super::failing_part;

    #[test]
    fn passed_tests_are_left_out_up_to_the_first_failure() {
        for (output, expected) in [
            ("Error: handled\n===== 3 passed in 0.04s =====\nnot found: x", "not found: x"),
            ("FAIL\tone\t0.1s\nok  \ttwo\t0.1s", "FAIL\tone\t0.1s\nok  \ttwo\t0.1s"),
            ("coverage 40% is below 90%\nOK", "coverage 40% is below 90%\nOK"),
            (
                "All checks passed!\nlimit is missing\n3 passed in 1s\n\n",
                "limit is missing\n3 passed in 1s\n\n",
            ),
            ("nothing says so\nb is missing", "nothing says so\nb is missing"),
        ] {
            let lines: Vec<&str> = output.split('\n').collect();
            let wanted: Vec<&str> = expected.split('\n').collect();
            assert_eq!(failing_part(&lines), wanted, "{output}");
        }
    }
}
