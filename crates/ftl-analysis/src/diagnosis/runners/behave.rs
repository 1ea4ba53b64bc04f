//! behave and its like: a step that failed, or that has no implementation.

use crate::constants::ConstPattern;

static FAILED: ConstPattern =
    ConstPattern::new(r"^\s+((?:ASSERT FAILED|Assertion Failed|ASSERTION FAILED): \S.*)$");
static UNDEFINED: ConstPattern =
    ConstPattern::new(r"^\s+((?:Given|When|Then|And|But|\*) \S.* # None)$");
static COUNT: ConstPattern = ConstPattern::new(r"^\d+ steps? passed, ");

/// What the failed steps say; else the steps without an implementation.
pub(super) fn messages(lines: &[&str]) -> Vec<String> {
    if !lines.iter().any(|line| COUNT.is_match(line)) {
        return Vec::new();
    }
    let all = |regex: &ConstPattern| -> Vec<String> {
        let hits = lines.iter().filter_map(|line| regex.captures(line));
        hits.map(|parts| parts[1].to_owned()).collect()
    };
    let failed = all(&FAILED);
    match failed.is_empty() && !lines.iter().any(|line| line.contains("Traceback (most")) {
        true => all(&UNDEFINED),
        false => failed,
    }
}
