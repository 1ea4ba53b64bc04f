//! Jest, and what Vitest prints where no test was found. Failures are headed by `●`, which Jest uses for
//! console output and warnings as well.

use super::super::shape;
use crate::constants::ConstPattern;

static HEADING: ConstPattern = ConstPattern::new(r"^\s{0,4}● (\S.*)$");
static DETAIL: ConstPattern =
    ConstPattern::new(r"^\s+(?:Expected|Received|[A-Z]\w*(?:Error|Exception)(?: \[\w+\])?)\b.*:");

static NOTHING_FOUND: ConstPattern =
    ConstPattern::new(r"^No (?:tests|test files) found, exiting with code [1-9]");

static THRESHOLD: ConstPattern = ConstPattern::new(r"^(?:Jest|ERROR): Coverage .* does not meet ");

/// The first line of each message under a `●`, and those below it that name an error or say what
/// was expected and received. Vitest's word that it found no test is jest's.
pub(super) fn messages(lines: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    let mut first_is_due = false;
    let mut inside = false;
    let mut is_hint = false;
    for line in lines {
        if let Some(parts) = HEADING.captures(line) {
            inside = is_failure(&parts[1]);
            first_is_due = inside;
        } else if NOTHING_FOUND.is_match(line) || THRESHOLD.is_match(line) {
            found.push((*line).to_owned());
        } else if line.trim().is_empty() {
            is_hint = false;
        } else if inside {
            inside = line.starts_with(' ');
            is_hint |= first_is_due && shape::is_hint(line);
            if inside && !is_hint && (first_is_due || DETAIL.is_match(line)) {
                found.push(line.trim().to_owned());
                first_is_due = false;
            }
        }
    }
    found
}

/// Headings of what jest has to say besides failures.
fn is_failure(heading: &str) -> bool {
    heading != "Console" && !heading.ends_with("Warning:")
}
