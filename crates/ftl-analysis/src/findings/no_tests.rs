//! Runs that passed because no test ran.
//!
//! Runners say so in their own words, and several exit with 0 nevertheless. One output may hold several runners, so
//! a single line that shows a test outweighs all lines that say that there was none. A test that was skipped
//! did not run, and one that is expected to fail shows nothing.

use std::sync::LazyLock;

use super::counts::{counts, of};
use super::failed_anyway::{readings, runner_lines};
use crate::constants::{ConstPattern, ConstPatterns};
use crate::diagnosis::plain_text;

/// Lines in which a runner says that there was nothing to run.
static NOTHING: LazyLock<ConstPatterns> = LazyLock::new(|| of("nothing"));
/// Lines that show a test without counting.
static SHOWN: LazyLock<ConstPatterns> = LazyLock::new(|| of("shown"));
/// A package of Go's whose tests passed; with `-v`, its tests are shown as well, and this proves nothing.
static GO_PACKAGE: ConstPattern =
    ConstPattern::new(r"^ok\s+\S+\s+(?:\(cached\)|[[0-9].]+s)(?:\s+coverage: .*)?$");
/// A test of the Test Anything Protocol, but for one that was skipped.
static TAP: ConstPattern = ConstPattern::new(r"^\s*(?:not )?ok [0-9]+\b");
static SKIPPED: ConstPattern = ConstPattern::new(r"(?i)# *skip\b");

/// unittest's count, which in some versions holds skipped tests, how many were skipped, and its progress.
static RAN: ConstPattern = ConstPattern::new(r"^Ran ([0-9]+) tests? in [[0-9].]+");
static SKIPS: ConstPattern = ConstPattern::new(r"^OK \((?:.*, )?skipped=([0-9]+)");
static EXPECTED: ConstPattern = ConstPattern::new(r"^OK \((?:.*, )?expected failures=([0-9]+)");
static PROGRESS: ConstPattern = ConstPattern::new(r"^[.sxuFE]*[.uFE][.sxuFE]*$");

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
    let is_verbose_go = text.lines().any(|line| line.starts_with("=== RUN "));
    let mut said = None;
    for line in runner_lines(text) {
        let is_nothing = NOTHING.is_match(line);
        let counted = counts(line).filter(|_| !is_nothing).and_then(|(counts, _)| counts.ran());
        let shows = counted.is_some_and(|count| count > 0)
            || SHOWN.is_match(line)
            || (!is_verbose_go && GO_PACKAGE.is_match(line))
            || (TAP.is_match(line) && !SKIPPED.is_match(line));
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

/// The tests that unittest ran, by its last summary, and the line that says so.
fn unittest(text: &str) -> Option<(u64, String)> {
    let number = |pattern: &ConstPattern, line: &str| {
        let groups = pattern.captures(line)?;
        groups.get(1)?.as_str().parse::<u64>().ok()
    };
    let mut all = None;
    let (mut skipped, mut excused) = (0, 0);
    let mut has_progress = false;
    for line in text.lines().map(str::trim_end) {
        if let Some(count) = number(&RAN, line) {
            all = Some(all.unwrap_or(0) + count);
        }
        skipped += number(&SKIPS, line).unwrap_or(0);
        excused += number(&EXPECTED, line).unwrap_or(0);
        has_progress |= PROGRESS.is_match(line);
    }
    // Where something ran, the dots say so: whether the count holds the skipped ones is up to the version.
    let ran = all?.saturating_sub(if has_progress { 0 } else { skipped + excused });
    let more = if excused > 0 { format!(", {excused} expected to fail") } else { String::new() };
    let line = format!("Ran {} tests, {skipped} skipped{more}", all?);
    Some((ran, line))
}
