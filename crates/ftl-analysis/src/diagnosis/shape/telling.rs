//! How much a line says about an error, by its words.

use super::unmarked;
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

static ERROR: ConstPatterns = ConstPatterns::new(&[
    // `error: …`, `a.c:1:2: fatal error: …`, `prog: error: …`, `error[E1]: …`, `error TS1: …`.
    r"(?i)^\W*(?:(?:\w+:)?[^\s:]+(?::\d+)+:? |[^\s:()]+\(\d+(?:, ?\d+)*\):? |[\w./-]+: |\S+:\d+:\d+ - )?(?:(?:fatal|internal|compile|compiler|runtime|run-time|syntax|parse|parser|type|build|link|linker|import|config\w*|template|validation|critical|uncaught|unhandled|php|sql|database) )*(?:error|fatal)(?:\[[\w:./-]+\]| [A-Z]+\d+| \d+(?: \(\w+\))?)?(?: (?:at|near|in|on) [^:]{1,60})?\s?: *\S",
    r"^(?:\[!\] |[\W]*)(?:Uncaught |Unhandled |Caused by: |\(\w+\) |Exception in thread \S+ |PHP |lua: |\* )*(?:[A-Za-z_][\w.$\\:]*)?(?:Error|Exception|ExceptionGroup|Failure|Fault|Panic|Interrupt|Exceeded|NotFound|DoesNotExist|Timeout|NoReverseMatch|Warning)\b(?: \[\w+\]| \(\w+\))?: \S",
    r"^\s*[A-Za-z_][\w.$]+(?:Error|Exception)(?: \[\w+\])?:?$",
    r"^g?make(?:\[\d+\])?: \*\*\* ",
    r"^\S+:\d+: .*: Assertion [`'].*failed\.?$|^\S+: \S+:\d+: .*Assertion [`'].*failed\.?$",
    // Ruby puts the class behind.
    r"^\S+:\d+:in [`'<].*\([A-Z][\w:]*\)$",
    r"^\*\* \(\w",
    r"(?i)^\W*(?:panic|fatal|assert\w*(?: failed| error)?|assertion failed|traceback|uncaught exception|unhandled rejection|critical|emerg|abort(?:ed)?): ?\S",
    r"(?i)\[(?:error|fatal|emerg|crit|critical|alert|err)\]:? \S",
    r"^\[[A-Z][A-Z_]{3,}\] \S",
    r"(?i)^\S*(?:sh|bash|zsh|dash|env)(?:\.exe)?: (?:line )?\d*:? ?\S.*: \S",
    r"^\s*(?:✘|✖|✗|×|❌|⨯|🛑)\s+(?:\[\w+\] |[Ee]rror:? )?\S",
    r"\bundefined reference to\b|\bmultiple definition of\b|\bundefined symbol",
    r"(?i)^(?:Segmentation fault|Killed|Aborted|Bus error|Terminated)(?: \(|$|:)|\bcore dumped\b",
]);
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
static COMPLAINT: ConstPatterns = ConstPatterns::new(&[
    r"(?i)\b(?:can ?not|can't|could ?n[o']t|unable to|not (?:found|defined|exist|set|installed|allowed|supported|permitted|available|valid|match\w*|equal|enough|assignable|callable|a|an|been|in|unique|resolved|implemented|reachable|present|satisf\w+|created|writable|readable|closed|met|declared|initiali[sz]ed|recogni[sz]ed)|no such|no module|doesn't|does not|do not|did not|didn't|isn't|is not|was not|wasn't|has no|have no|were not|aren't|are not|won't|must|must be|should(?: have| not)? |never|nothing)\b",
    r"(?i)\b(?:undefined|undeclared|unknown|unexpected|unrecogni[sz]ed|unresolved|unsupported|unreachable|unterminated|unclosed|unbalanced|unused|uninitiali[sz]ed|invalid|illegal|missing|mismatch\w*|malformed|corrupt\w*|duplicate\w*|conflict\w*|ambiguous|incompatible|inconsistent|incorrect\w*|wrong|bad|broken|denied|refused|refusing|rejected|reset by|forbidden|unauthorized|failed to|failed:|failed for|failed on|failed with|timed out|time-?out|expired|exceed\w*|overflow|out of|too (?:many|few|long|large|small|old|deep)|already|in use|deadlock|locked|violat\w+|stale|dirty|diverged|outdated|deprecated|orphan\w*|required|requires|expected|expects|differs?|differ from|would (?:be )?reformat\w*|threshold|below|less than|lacks|lost|stopped|dangling|leak\w*|null pointer|nil|NaN|aborted|but (?:was|got|found|received|ran)|instead of|raised|thrown|uncaught)\b",
    r"(?:!==?|≠|→ got|, want|, got)",
]);
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
