//! Lines in which a runner counts its tests in its own form, or says of one that it failed: a table, `lines.tsv`.

use std::sync::LazyLock;

use regex::Captures;

use super::summary::{Counts, summary};
use crate::constants::ConstPatterns;

static WHOLE: LazyLock<ConstPatterns> = LazyLock::new(|| of("whole"));
static PARTS: LazyLock<ConstPatterns> = LazyLock::new(|| of("part"));

/// The patterns of one kind.
pub(super) fn of(kind: &str) -> ConstPatterns {
    ConstPatterns::of_rows(include_str!("lines.tsv"), kind)
}

/// What a line counts, and whether no other line may count more of the same tests.
pub(super) fn counts(line: &str) -> Option<(Counts, bool)> {
    let first = |forms: &ConstPatterns| forms.captures(line).next().map(|parts| of_groups(&parts));
    // Go counts no tests of a package that passed before.
    let may_count = line.bytes().any(|byte| byte.is_ascii_digit()) || line.starts_with("ok");
    if line.len() > 2_000 || !may_count {
        return None;
    }
    let whole = first(&WHOLE).or_else(|| summary(line)).map(|counts| (counts, true));
    whole.or_else(|| Some((first(&PARTS)?, false)))
}

fn of_groups(parts: &Captures<'_>) -> Counts {
    let of = |name: &str| number(parts, name);
    let failed = of("failed").unwrap_or(0);
    let says_any = parts.iter().skip(1).flatten().next().is_some();
    let passed = match of("all") {
        Some(all) => Some(all.saturating_sub(failed)),
        None => says_any.then(|| of("passed").unwrap_or(0)),
    };
    Counts {
        failed,
        undefined: of("undefined").unwrap_or(0),
        passed,
        skipped: of("skipped").unwrap_or(0),
        has_others: says_any,
        ..Counts::default()
    }
}

/// The number that a group holds.
pub(super) fn number(parts: &Captures<'_>, name: &str) -> Option<u64> {
    parts.name(name)?.as_str().parse().ok()
}
