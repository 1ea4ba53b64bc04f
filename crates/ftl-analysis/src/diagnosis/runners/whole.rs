//! Whole lines by which a tool is known: what is left of pytest's report where nothing names a test, what runners say of
//! their command line or of the whole run, and Django's checks and missing migrations.

use crate::constants::ConstPattern;

static MARKED: ConstPattern = ConstPattern::new(r"^E(?:[ \t]{2,}|\t)(\S.*)$");
/// What Jest and Vitest say when no test failed: that they found none, or that too little was covered.
static RUN: ConstPattern = ConstPattern::new(
    r"^No (?:tests|test files) found, exiting with code [1-9]|^(?:Jest|ERROR): Coverage .* does not meet ",
);
static USAGE: ConstPattern = ConstPattern::new(r"^[\w.-]+(?: [\w.-]+)?: error: \S");
static FINDING: ConstPattern = ConstPattern::new(r"^\S+: \(\w+\.[EC]\d+\) \S");
static MISSING: ConstPattern = ConstPattern::new(r"^Migrations for '\w+':$");

/// The marked lines of a report of pytest of which only these were kept.
pub(super) fn marked(lines: &[&str]) -> Vec<String> {
    lines.iter().filter_map(|line| Some(MARKED.captures(line)?[1].to_owned())).collect()
}

/// What is said of the whole run.
pub(super) fn run(lines: &[&str]) -> Vec<String> {
    all(lines, "", &RUN)
}

/// What is wrong with the command line.
pub(super) fn usage(lines: &[&str]) -> Vec<String> {
    all(lines, ": error: ", &USAGE)
}

/// The errors that Django's checks found, or which application lacks migrations.
pub(super) fn django(lines: &[&str]) -> Vec<String> {
    let found = all(lines, ": (", &FINDING);
    if !found.is_empty() || lines.iter().any(|line| line.starts_with("Traceback (most")) {
        return found;
    }
    all(lines, "Migrations for '", &MISSING)
}

/// A pattern is made for the first line that holds its words: every output passes here, and few are of the tool.
fn all(lines: &[&str], words: &str, regex: &ConstPattern) -> Vec<String> {
    let hits = lines.iter().filter(|line| line.contains(words) && regex.is_match(line));
    hits.map(|line| (*line).to_owned()).collect()
}
