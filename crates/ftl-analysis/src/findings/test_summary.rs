//! The counts with which test runners end, read from a whole output: how many tests ran, failed and were skipped.
//!
//! Runners write their counts in one line or in several. A line with all of them decides by itself; of a count alone
//! (`2 passing`) it is not known whether a line with failures was cut off.

use regex::Captures;

use super::failed_anyway::{readings, runner_lines};
use super::summary::summary;
use crate::constants::{ConstPattern, ConstPatterns};
use crate::diagnosis::plain_text;

/// The summary of the test runners in an output.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TestSummary {
    /// The last summary line as it was printed, trimmed.
    pub line: String,
    /// Tests that ran, passed or not; `None` where a runner does not count them, as `go test` without `-v`.
    pub ran: Option<u64>,
    /// Failures and errors.
    pub failed: u64,
    /// Tests that were skipped.
    pub skipped: u64,
    /// Every line says by itself that nothing failed, so that no line with failures can be missing.
    pub is_whole: bool,
    /// There may be several such summaries in one run, as `cargo test` prints one for each binary.
    pub is_repeated: bool,
}

impl TestSummary {
    /// Whether it says that tests ran and none failed.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.failed == 0 && self.ran != Some(0)
    }
}

/// Lines that count everything, with the counts as named groups.
const WHOLE: [&str; 14] = [
    r"^(?:=+ )?(?<passed>[0-9]+) (?:passed|xfailed|xpassed) in [0-9.]+",
    r"^(?:=+ )?(?<failed>[0-9]+) (?:failed|errors?) in [0-9.]+",
    r"^\s*Summary \[.*\] +(?<all>[0-9]+) tests? run: (?:(?<passed>[0-9]+) passed)?(?: \([^)]*\))?(?:, (?<failed>[0-9]+) (?:failed|timed out))?(?:, (?<skipped>[0-9]+) skipped)?",
    r"^\s+Tests +(?:(?<failed>[0-9]+) failed)?(?: \| )?(?:(?<passed>[0-9]+) passed)?(?: \| )?(?:(?<skipped>[0-9]+) skipped)?(?: \| [0-9]+ todo)? \([0-9]+\)$",
    r"^OK \((?<all>[0-9]+) tests?(?:, [0-9]+ assertions?)?\)$",
    r"^[0-9]+% tests passed, (?<failed>[0-9]+) tests? failed out of (?<all>[0-9]+)$",
    r"^100% tests passed out of (?<all>[0-9]+)$",
    r"^(?<all>[0-9]+) scenarios? \((?:(?<failed>[0-9]+) failed)?(?:, )?(?:(?<undefined>[0-9]+) \w+, )?(?:(?<passed>[0-9]+) passed)?\)$",
    r"^\s*Executed (?<all>[0-9]+) tests?, with (?:(?<skipped>[0-9]+) tests? skipped and )?(?<failed>[0-9]+) failures?",
    r"^(?:.*: )?Executed (?<all>[0-9]+) of [0-9]+ SUCCESS",
    r"^(?<verdict>All tests passed) \((?:[0-9]+ assertions? in )?(?<all>[0-9]+) test cases?\)$",
    r"^Files=[0-9]+, Tests=(?<all>[0-9]+),",
    r"^ok\s+\S+\s+(?:\(cached\)|[0-9.]+s)(?:\s+coverage: .*)?$",
    r"^(?:Passed|Failed)!\s+- Failed: +(?<failed>[0-9]+), Passed: +(?<passed>[0-9]+), Skipped: +(?<skipped>[0-9]+)",
];

/// Lines that count one thing.
const PARTS: [&str; 9] = [
    r"^\s+(?<passed>[0-9]+) passing\b",
    r"^\s+(?<failed>[0-9]+) failing$",
    r"^\s+(?<skipped>[0-9]+) pending$",
    r"^[#ℹ] (?:pass|passed)\s+(?<passed>[0-9]+)$",
    r"^[#ℹ] (?:fail|failed|cancelled)\s+(?<failed>[0-9]+)$",
    r"^[#ℹ] (?:skip|skipped|todo)\s+(?<skipped>[0-9]+)$",
    r"^\s+(?<passed>[0-9]+) (?:pass|tests? passed)$",
    r"^\s+(?<failed>[0-9]+) (?:fail|tests? failed)$",
    r"^\[ +(?:(?<passed>[0-9]+) tests successful|(?<failed>[0-9]+) tests failed) +\]$|^\[  (?:PASSED  \] (?<all>[0-9]+)|FAILED  \] (?<lost>[0-9]+)) tests?",
];

/// unittest counts in one line, and judges in a later one.
const RAN: &str = r"^Ran (?<all>[0-9]+) tests? in [0-9.]+";
const VERDICT: &str = r"^(?:OK|FAILED)(?: \((?<counts>.*)\))?$";

/// Lines of which a run prints several: of each binary, package or class.
const REPEATED: &str = r"^test result: |^ok\s+\S|^(?:\[\w+\] )?Tests run: |^\s*Executed [0-9]";
/// A line of one class, which a later total counts again.
const OF_CLASS: &str = r"Tests run: .*(?:Time elapsed|-- in |- in )";

struct Forms {
    whole: ConstPatterns,
    parts: ConstPatterns,
    ran: ConstPattern,
    verdict: ConstPattern,
    repeated: ConstPattern,
    of_class: ConstPattern,
}

static FORMS: Forms = Forms {
    whole: ConstPatterns::new(&WHOLE),
    parts: ConstPatterns::new(&PARTS),
    ran: ConstPattern::new(RAN),
    verdict: ConstPattern::new(VERDICT),
    repeated: ConstPattern::new(REPEATED),
    of_class: ConstPattern::new(OF_CLASS),
};

/// What the test runners in `output` say of their tests, all of them together; `None` where none says anything.
#[must_use]
pub fn test_summary(output: &str) -> Option<TestSummary> {
    if output.trim().is_empty() {
        return None;
    }
    let text = plain_text(output);
    readings(&text).iter().find_map(|text| of_text(text))
}

fn of_text(text: &str) -> Option<TestSummary> {
    let mut found = Totals { is_whole: true, ..Totals::default() };
    let mut unittest: Option<u64> = None;
    for line in runner_lines(text).filter(|line| line.len() < 2_000) {
        let forms = &FORMS;
        if let Some(parts) = forms.ran.captures(line) {
            unittest = number(&parts, "all");
        } else if let Some(all) = unittest.filter(|_| forms.verdict.is_match(line)) {
            found.add_unittest(line, all);
            unittest = None;
        } else {
            found.add(line);
        }
    }
    found.finish()
}

#[derive(Default)]
struct Totals {
    line: Option<String>,
    ran: Option<u64>,
    failed: u64,
    skipped: u64,
    is_whole: bool,
    is_repeated: bool,
    has_uncounted: bool,
}

impl Totals {
    fn add(&mut self, line: &str) {
        let forms = &FORMS;
        let of_several = summary(line).filter(|_| !forms.of_class.is_match(line));
        if let Some(parts) = forms.whole.captures(line).next() {
            self.add_counts(line, &parts);
        } else if let Some(counts) = of_several {
            self.see(line, counts.ran(), counts.failed, counts.skipped());
        } else if let Some(parts) = forms.parts.captures(line).next() {
            self.is_whole = false;
            self.add_counts(line, &parts);
        }
    }

    fn add_counts(&mut self, line: &str, parts: &Captures<'_>) {
        let of = |name: &str| number(parts, name);
        let failed = of("failed").or_else(|| of("undefined")).unwrap_or(0);
        let counted = of("all").or_else(|| match (of("passed"), of("failed")) {
            (None, None) => None,
            (passed, failed) => Some(passed.unwrap_or(0) + failed.unwrap_or(0)),
        });
        let is_skips = counted.is_none() && of("skipped").is_some();
        self.has_uncounted |= counted.is_none() && !is_skips && of("lost").is_none();
        self.see(line, counted, failed.max(of("lost").unwrap_or(0)), of("skipped").unwrap_or(0));
    }

    fn add_unittest(&mut self, line: &str, all: u64) {
        let parts = FORMS.verdict.captures(line);
        let counts =
            parts.as_ref().and_then(|parts| parts.name("counts")).map_or("", |it| it.as_str());
        let count = |names: &[&str]| {
            let pairs = counts.split(", ").filter_map(|pair| pair.split_once('='));
            let named = pairs.filter(|(name, _)| names.contains(name));
            named.filter_map(|(_, count)| count.parse::<u64>().ok()).sum::<u64>()
        };
        let failed = count(&["failures", "errors", "unexpected successes"]);
        let skipped = count(&["skipped"]);
        self.see(line, Some(all.saturating_sub(skipped)), failed, skipped);
    }

    fn see(&mut self, line: &str, ran: Option<u64>, failed: u64, skipped: u64) {
        self.line = Some(line.trim_matches(['=', ' ', '\t']).to_owned());
        if let Some(ran) = ran {
            self.ran = Some(self.ran.unwrap_or(0).saturating_add(ran));
        }
        self.failed = self.failed.saturating_add(failed);
        self.skipped = self.skipped.saturating_add(skipped);
        self.is_repeated |= FORMS.repeated.is_match(line);
    }

    fn finish(self) -> Option<TestSummary> {
        Some(TestSummary {
            line: self.line?,
            ran: self.ran.filter(|_| !self.has_uncounted),
            failed: self.failed,
            skipped: self.skipped,
            is_whole: self.is_whole,
            is_repeated: self.is_repeated,
        })
    }
}

fn number(parts: &Captures<'_>, name: &str) -> Option<u64> {
    parts.name(name)?.as_str().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::test_summary;

    #[test]
    fn counts_of_runners_are_read() {
        for (output, ran, failed, skipped) in [
            ("=== 3 passed in 0.03s ===", Some(3), 0, 0),
            ("=== 1 failed, 2 passed, 1 skipped in 0.03s ===", Some(3), 1, 1),
            ("1 failed in 0.03s", Some(1), 1, 0),
            ("Ran 3 tests in 0.1s\n\nOK (skipped=1)", Some(2), 0, 1),
            ("Ran 3 tests in 0.1s\n\nFAILED (failures=1, errors=1)", Some(3), 2, 0),
            (
                "test result: ok. 2 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\ntest result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s",
                Some(3),
                0,
                1,
            ),
            ("     Summary [   0.020s] 2 tests run: 1 passed, 1 failed, 0 skipped", Some(2), 1, 0),
            (
                "Test Suites: 1 passed, 1 total\nTests:       1 failed, 3 passed, 4 total",
                Some(4),
                1,
                0,
            ),
            (
                " Test Files  1 passed (1)\n      Tests  1 failed | 2 passed | 1 skipped (4)",
                Some(3),
                1,
                1,
            ),
            ("  2 passing (3ms)\n  1 pending\n  1 failing", Some(3), 1, 1),
            ("# tests 4\n# pass 3\n# fail 1\n# skipped 0", Some(4), 1, 0),
            ("ok  \tshop\t0.1s", None, 0, 0),
            ("OK (3 tests, 5 assertions)", Some(3), 0, 0),
            ("Tests: 3, Assertions: 3, Failures: 1.", Some(3), 1, 0),
            ("50% tests passed, 1 tests failed out of 2", Some(2), 1, 0),
            ("3 examples, 1 failure, 1 pending", Some(2), 1, 1),
            (
                "[INFO] Tests run: 1, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.1 s -- in A\n[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 1",
                Some(2),
                0,
                1,
            ),
            ("[  PASSED  ] 2 tests.\n[  FAILED  ] 1 test, listed below:", Some(2), 1, 0),
        ] {
            let found = test_summary(output).unwrap_or_else(|| panic!("{output}"));
            assert_eq!(
                (found.ran, found.failed, found.skipped),
                (ran, failed, skipped),
                "{output}"
            );
        }
        for output in ["", "Ran 3 tests in 0.1s", "all is well", "collected 3 items"] {
            assert_eq!(test_summary(output), None, "{output}");
        }
    }
}
