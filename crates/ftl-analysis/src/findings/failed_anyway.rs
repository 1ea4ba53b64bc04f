//! Runs that ended with 0 although their output says that something failed: `pytest || true`, `go test | tee log`.
//!
//! What counts is what the runner itself says: a summary that counts failures, a test or package that it marks as
//! failed in its own form. A test may print the words `FAIL` or `2 errors` and pass, so a line counts only if it is
//! of such a form as a whole, and what pytest shows of a test's own output does not count at all.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::Match;

use super::counts::{counts, of};
use super::printed_failure::printed_failure;
use crate::constants::{ConstPattern, ConstPatterns};
use crate::diagnosis::{plain_text, unprefixed};

/// Lines in which a runner counts failures alone; the count is the group.
static FAILURES: LazyLock<ConstPatterns> = LazyLock::new(|| of("failed"));
/// Lines with which a runner marks something as failed.
static MARKS: LazyLock<ConstPatterns> = LazyLock::new(|| of("mark"));
/// `not ok 1 - name`, but for tests that are known to fail or were skipped.
static TAP: ConstPattern = ConstPattern::new(r"^\s*not ok\b");
static EXCUSED: ConstPattern = ConstPattern::new(r"(?i)# *(?:todo|skip)\b");

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
    if !line.bytes().any(|byte| byte.is_ascii_alphabetic()) || line.len() > 2_000 {
        return false;
    }
    let is_positive = |number: Match<'_>| number.as_str().bytes().any(|digit| digit != b'0');
    MARKS.is_match(line)
        || FAILURES.captures(line).any(|groups| groups.get(1).is_some_and(is_positive))
        || (TAP.is_match(line) && !EXCUSED.is_match(line))
        || counts(line).is_some_and(|(counts, _)| counts.failed > 0 && counts.has_others)
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
