//! Django's checks, which list errors below a heading, and migrations that are missing.

use std::sync::LazyLock;

use regex::Regex;

use crate::constants::pattern;

static FINDING: LazyLock<Regex> = LazyLock::new(|| pattern(r"^\S+: \(\w+\.[EC]\d+\) \S"));
static MISSING: LazyLock<Regex> = LazyLock::new(|| pattern(r"^Migrations for '\w+':$"));

/// The errors found, or which application lacks migrations.
pub(super) fn messages(lines: &[&str]) -> Vec<String> {
    let all = |regex: &Regex| -> Vec<String> {
        let hits = lines.iter().filter(|line| regex.is_match(line));
        hits.map(|line| (*line).to_owned()).collect()
    };
    let found = all(&FINDING);
    if !found.is_empty() || lines.iter().any(|line| line.starts_with("Traceback (most")) {
        return found;
    }
    all(&MISSING)
}
