//! Summaries of several counts in one line, as runners end with: `1 failed, 2 passed in 0.03s`,
//! `3 runs, 3 assertions, 1 failures, 0 errors, 0 skips`, `Tests run: 3, Failures: 1, Errors: 0`.
//!
//! Their words are alike across runners, so that one reading serves those without a rule. A line counts
//! only if it holds nothing else: `12 requests, 3 errors, retrying` is a program's.

use crate::constants::ConstPattern;

/// A number with a word of summaries: `2 passed`, `1 tests failed`.
static COUNTED: ConstPattern = ConstPattern::new(concat!(
    r"(?i-u)\b(?P<count>[0-9]+) (?:(?:unit |subsystem )?(?:tests?|specs?|steps?|scenarios?|features?|checks?|modules|files?) )?",
    r"(?P<word>passed|passing|pass|failed|failing|failures?|fail|errors?|errored|broken|skipped|skips|skip|pendings?|ignored|todo|total|",
    r"tests?|specs?|examples?|assertions?|expectations?|runs?|success(?:es)?|succeeded|ok|xfailed|xpassed|deselected|warnings?|omissions?|",
    r"notifications|rerun|flaky|undefined|ambiguous|filtered out|measured|timed out|problems?|leaky|scenarios?|steps?|features?|not run)\b(?: (?:specs?|tests?|examples?)\b)?",
));

/// A word of summaries with its number: `Failures: 1`, `failed 1`, `FAIL 1`.
static NAMED: ConstPattern = ConstPattern::new(concat!(
    r"(?i-u)\b(?P<word>tests? run|tests? passed|total tests|tests?|tested|assertions|passed|passing|pass|succeeded|failed|failures?|failing|",
    r"fail|errors?|crashing|skipped|skip|canceled|ignored|pending|warnings?|warn|risky|incomplete|total|aborted|inconclusive|checks)",
    r"(?:\s*[:=]\s*|\s+)(?P<count>[0-9]+)\b",
));

/// What may stand before the first count of a summary, between two, and behind the last one.
static LEAD: ConstPattern = ConstPattern::new(
    r"^(?:[\s=*|#>\[\](-]|✖|✗|❌)*(?:test cases: +[0-9]+ \| +)?(?:(?:\[\w+\]|[A-Za-z]+|[0-9]+%)[\s:.!|-]+){0,3}(?:\[[^\]]*\])?[\s|:.!(-]*$",
);
static BETWEEN: ConstPattern = ConstPattern::new(
    r"(?-u)^(?: in [0-9.]+ ?(?:s|ms|sec|secs|seconds)\b| completed)?[\s,;|/.(]+(?:and |with )?$",
);
static TAIL: ConstPattern = ConstPattern::new(concat!(
    r"(?-u)^(?:[\s=*\])|.,;:!-]*$|,? (?:in|out of|across|after) \[?[0-9]|[\s=.,;|]*\(|; finished in |,? (?:Time|Duration|Skipped)\b| - |",
    r"\s*:\s*[0-9.]+ s)",
));

/// Leads of counts that are not of tests.
const FILES: [&str; 3] = ["Test Suites", "Test Files", "Snapshots"];

/// What a line counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    /// Failures and errors.
    pub(super) failed: u64,
    /// Whether it counts anything else.
    pub(super) has_others: bool,
    /// Tests of which steps are missing.
    pub(super) undefined: u64,
    pub(super) passed: Option<u64>,
    pub(super) skipped: u64,
    pub(super) all: Option<u64>,
}

impl Counts {
    /// The tests that ran; `None` where the line counts none.
    pub(super) fn ran(self) -> Option<u64> {
        match (self.passed, self.all) {
            (Some(passed), _) => Some(passed.saturating_add(self.failed)),
            (None, Some(all)) => Some(all.saturating_sub(self.skipped)),
            (None, None) => None,
        }
    }

    /// Whether the line says no more than that tests passed.
    pub(super) fn is_uncounted(self) -> bool {
        self.ran().is_none() && self.failed == 0 && !self.has_others
    }

    fn add(&mut self, word: &str, count: u64) {
        let word = word.to_ascii_lowercase();
        let (is_failure, of_others) = (is_failure(&word), self.has_others);
        self.has_others = of_others || !is_failure;
        match word.as_str() {
            _ if is_failure => self.failed = self.failed.saturating_add(count),
            "passed" | "passing" | "pass" | "success" | "successes" | "succeeded" | "ok"
            | "xfailed" | "xpassed" | "tests passed" | "test passed" => {
                self.passed = Some(self.passed.unwrap_or(0).saturating_add(count));
            }
            "test" | "tests" | "spec" | "specs" | "example" | "examples" | "run" | "runs"
            | "total" | "tests run" | "test run" | "total tests" | "tested" | "scenario"
            | "scenarios" | "checks" => {
                self.all = Some(self.all.unwrap_or(0).max(count));
            }
            "skipped" | "skips" | "skip" | "pending" | "pendings" | "ignored" | "todo"
            | "deselected" | "omission" | "omissions" | "canceled" | "incomplete" => {
                self.skipped = self.skipped.saturating_add(count);
            }
            _ => {}
        }
    }
}

fn is_failure(word: &str) -> bool {
    matches!(
        word,
        "failed"
            | "failing"
            | "fail"
            | "failure"
            | "failures"
            | "error"
            | "errors"
            | "errored"
            | "broken"
            | "crashing"
            | "timed out"
            | "aborted"
    )
}

/// What a summary of at least two counts says; `None` for any other line.
pub(super) fn summary(line: &str) -> Option<Counts> {
    [&COUNTED, &NAMED].iter().find_map(|pair| {
        let mut counts = Counts::default();
        let (mut end, mut pairs) = (0, 0);
        for found in pair.captures_iter(line) {
            let whole = found.get_match();
            let before = &line[end..whole.start()];
            let fits = match pairs {
                0 => LEAD.is_match(before) && !FILES.iter().any(|it| before.contains(it)),
                _ => BETWEEN.is_match(before),
            };
            if !fits {
                break;
            }
            (pairs, end) = (pairs + 1, whole.end());
            counts.add(&found["word"], found["count"].parse().unwrap_or(u64::MAX));
        }
        (pairs > 1 && TAIL.is_match(&line[end..])).then_some(counts)
    })
}
