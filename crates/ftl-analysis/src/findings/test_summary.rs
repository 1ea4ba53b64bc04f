//! The counts with which test runners end, read from a whole output: how many tests ran, failed and were skipped.
//!
//! Runners write their counts in one line or in several. A line with all of them decides by itself; of a count alone
//! (`2 passing`) it is not known whether a line with failures was cut off.

use super::counts::{counts, number};
use super::failed_anyway::{readings, runner_lines};
use crate::constants::ConstPattern;
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

/// unittest counts in one line, and judges in a later one.
static RAN: ConstPattern = ConstPattern::new(r"^Ran (?<all>[0-9]+) tests? in [0-9.]+");
static VERDICT: ConstPattern = ConstPattern::new(r"^(?:OK|FAILED)(?: \((?<counts>.*)\))?$");

/// Lines of which a run prints several: of each binary, package or class.
static REPEATED: ConstPattern =
    ConstPattern::new(r"^test result: |^ok\s+\S|^(?:\[\w+\] )?Tests run: |^\s*Executed [0-9]");
/// A line of one class, which a later total counts again.
static OF_CLASS: ConstPattern = ConstPattern::new(r"Tests run: .*(?:Time elapsed|-- in |- in )");

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
    for line in runner_lines(text).filter(|line| !OF_CLASS.is_match(line)) {
        if let Some(parts) = RAN.captures(line) {
            unittest = number(&parts, "all");
        } else if let Some(all) = unittest.filter(|_| VERDICT.is_match(line)) {
            found.add_unittest(line, all);
            unittest = None;
        } else if let Some((counts, is_whole)) = counts(line) {
            found.is_whole &= is_whole;
            found.has_uncounted |= counts.is_uncounted();
            let failed = counts.failed.max(counts.undefined);
            found.see(line, counts.ran(), failed, counts.skipped);
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
    fn add_unittest(&mut self, line: &str, all: u64) {
        let parts = VERDICT.captures(line);
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
        self.is_repeated |= REPEATED.is_match(line);
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
