//! TOML 1.1, by the `toml` crate.
//!
//! Its parser recurses into arrays and inline tables, and stops by itself long before the stack does:
//! no measure of the nesting is taken here.

use toml::de::DeTable;

use crate::Reason;
use crate::finding::{Finding, MOST_FINDINGS, Outcome, Setting};

/// What the crate's messages for its own bound have in common. They are nothing but text: a test
/// fails if a new version words them otherwise.
const RECURSION_LIMIT: [&str; 2] = ["cannot recurse further", "recursion limit"];

/// TOML 1.1: grammar, repeated keys and tables.
pub(crate) fn check(text: &str, _: &Setting<'_>) -> Outcome {
    let (_, errors) = DeTable::parse_recoverable(text);
    let is_limit = |error: &toml::de::Error| {
        let mut limits = RECURSION_LIMIT.iter();
        limits.any(|limit| error.message().contains(limit))
    };
    // The specification sets no bound, so a file that meets ours is not known to be invalid.
    if errors.iter().any(is_limit) {
        return Outcome::Unchecked(Reason::TooDeep);
    }
    let finding = |error: &toml::de::Error| {
        let range = error.span().unwrap_or(text.len()..text.len());
        Finding::syntax(error.message(), range)
    };
    Outcome::of(errors.iter().take(MOST_FINDINGS).map(finding).collect())
}
