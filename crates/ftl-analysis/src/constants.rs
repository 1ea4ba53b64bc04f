//! Patterns of our own, which compile: a test of whatever uses one would fail otherwise.

use regex::{Regex, RegexSet};

/// Compiles a constant pattern.
pub(crate) fn pattern(source: &str) -> Regex {
    Regex::new(source).expect("because the pattern is a constant")
}

/// Compiles constant patterns into one automaton.
pub(crate) fn set(sources: &[&str]) -> RegexSet {
    RegexSet::new(sources).expect("because the patterns are constants")
}
