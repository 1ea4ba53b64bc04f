//! How much a line says about an error, by its words.

use std::sync::LazyLock;

use super::{of, unmarked};
use crate::constants::{ConstPattern, ConstPatterns};

/// From nothing to an error that names itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Telling {
    /// No word of an error.
    Nothing,
    /// It speaks of an error or failure.
    Mention,
    /// It is marked as a warning.
    Warning,
    /// It says that something is not as it should be.
    Complaint,
    /// It is a finding with a place.
    Finding,
    /// It is marked as an error, or begins with the name of an exception.
    Error,
}

static ERROR: LazyLock<ConstPatterns> = LazyLock::new(|| of("error"));
static FINDING: ConstPattern = ConstPattern::new(
    r"^\s*(?:Diff in \S+:\d+:?$|(?:\w+: )?(?:file://)?(?:[^\s:]*[\w\])]\.\w+|\w+file|[^\s:]*/[^\s:]+)(?::\d+(?::\d+)?(?:-\d+)?:?|\(\d+(?:,\s?\d+)?\):?|:\[\d+,\d+\])(?:\s+-)? +\S)",
);
/// Perl puts the place behind.
static PLACE_BEHIND: ConstPattern = ConstPattern::new(r"\S.* at \S+ line \d+(?:\.|,|$)");
static NOTE: ConstPattern = ConstPattern::new(
    r"(?i)^(?:\S+ )?(?:\w+ )?\(?\b(?:note|info|hint|help|debug|remark)\b\)?:|\[(?:info|debug|note|notice)\]",
);
static WARNING: ConstPattern = ConstPattern::new(
    r"(?i)\bwarn(?:ing)?\b\S*?[:\]]|\(warning\)|^\s*\d+:\d+\s+warning\b|^W: |: [CRW]\d{4}: |\w+Warning: |^warning\b",
);
static COMPLAINT: LazyLock<ConstPatterns> = LazyLock::new(|| of("complaint"));
static MENTION: ConstPattern =
    ConstPattern::new(r"(?i)error|fail|panic|exception|fatal|abort|problem");
/// Counts that speak of errors where there are none.
static NONE_COUNTED: ConstPattern = ConstPattern::new(
    r"(?i)\b(?:0|no) (?:errors?|fail\w*|exceptions?|problems?)\b|\b(?:errors?|fail\w*)[:=] ?0\b",
);

/// How much `line` says about an error.
pub(crate) fn telling(line: &str) -> Telling {
    let line = unmarked(line);
    if NOTE.is_match(line) {
        return Telling::Nothing;
    }
    if WARNING.is_match(line) {
        return Telling::Warning;
    }
    if ERROR.is_match(line) {
        return Telling::Error;
    }
    if FINDING.is_match(line) || PLACE_BEHIND.is_match(line) {
        return Telling::Finding;
    }
    if COMPLAINT.is_match(line) {
        return Telling::Complaint;
    }
    match MENTION.is_match(&NONE_COUNTED.replace_all(line, "")) {
        true => Telling::Mention,
        false => Telling::Nothing,
    }
}
