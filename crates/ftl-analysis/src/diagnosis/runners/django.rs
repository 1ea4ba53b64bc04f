//! Django's checks, which list errors below a heading, and migrations that are missing.

use crate::constants::ConstPattern;

static FINDING: ConstPattern = ConstPattern::new(r"^\S+: \(\w+\.[EC]\d+\) \S");
static MISSING: ConstPattern = ConstPattern::new(r"^Migrations for '\w+':$");

/// The errors found, or which application lacks migrations. A pattern is made for the first line that holds
/// its words: every output passes here, and few are Django's.
pub(super) fn messages(lines: &[&str]) -> Vec<String> {
    let all = |words: &str, regex: &ConstPattern| -> Vec<String> {
        let hits = lines.iter().filter(|line| line.contains(words) && regex.is_match(line));
        hits.map(|line| (*line).to_owned()).collect()
    };
    let found = all(": (", &FINDING);
    if !found.is_empty() || lines.iter().any(|line| line.starts_with("Traceback (most")) {
        return found;
    }
    all("Migrations for '", &MISSING)
}
