//! What a single line of an output is, whichever program wrote it: noise that no report would quote, or
//! a statement about the error.
//!
//! The patterns name habits of writing (a frame begins with `at`, a count with a number), not
//! programs, so that they hold for runners that are not listed. Each list is one automaton, so that a
//! line is read once for all of its patterns.

mod telling;

use std::sync::LazyLock;

use crate::constants::{ConstPattern, ConstPatterns};

pub(super) use telling::{Telling, telling};

/// Places, frames and excerpts of code: where something is, not what.
static PLACE: ConstPatterns = ConstPatterns::new(&[
    // Frames of JavaScript, the JVM, .NET, PHP.
    r"^\s*(?:at|@) (?:async |new |Object\.|async\s)?\S+.*(?::\d+|\)|line \d+)\]?,?$",
    r"^\s*at <\w+>$",
    r"^\s*at (?:async )?[\w$.<>#\[\] ]+ ?(?:\(.*\)?)?,?$",
    r"^\s*[\w$.<>/]+\([\w$ ]+\.(?:java|kt|scala|groovy):\d+\)$",
    r"^\s*(?:\.\.\. \d+ (?:more|lines? matching)|\[\.\.\.\]|\.\.\.)",
    // Python, Ruby, Perl, Go, native code.
    r#"^\s*File "[^"]*", line \d+"#,
    r"^\s*(?:from )?\S+:\d+:in [`'<][^:]*$",
    r"^\W*at \S+ line \d+\.?$|^\s*thrown in .* on line \d+$",
    r"^\s*# \./\S+:\d+",
    r"^\s*\S+\.go:\d+ \+0x|^goroutine \d+|^\s*created by \S+",
    r"^\s*#?\d+:? +0x[0-9a-f]+|^\s*#\d+ +\S",
    // A place alone.
    r"^\s*(?:-->|❯|›|»|→|╭─*\[|at|in|in file|in test file|\(in test file|\(from|file:|Location:|location:)\s*\S+(?::\d+|, line \d+|\.\w+)\S*\s*\]?\)?:?$",
    r"^\s*\(?(?:file://)?[\w./@~\\+-]*\w\.\w+(?::\d+)+\)?:?$",
    r"^\s*\(?(?:in test file|from function|in file|at) .*line \d+\)?\.?$",
    r"^(?:[./~]|[A-Z]:\\)[\w./@\\+-]+\.\w+:?$",
    r"^\s*\S+ @ \d+$",
    r"^\s*\S+:(?:\d+:)? in (?:\S+|main chunk|(?:local |upvalue |field |method )?function .*)$",
    r"^\S+:\d+:\d+: 0x[0-9a-f]+ in ",
    // Excerpts.
    r"^\s*(?:>|=>)?\s*\d+\s*[|│:]( |$)",
    r"^\s*[|│╭╰╷└┌├┐┘┴·╵]",
    r"^\s*(?:\^|~)[\s^~-]*$",
    r"^\s*(?:[A-Z]\s+)?[\^~]{2,}",
]);

/// Rules, banners and dots.
static RULE: ConstPatterns = ConstPatterns::new(&[
    r"^[\s\W_]*$",
    r"^\s*([=_*#~+-]{2,}|─{2,}|━{2,}|⎯{2,}) ?.* ?([=_*#~+-]{2,}|─{2,}|━{2,}|⎯{2,})\s*(?:\[[\d/]+\])?⎯*$",
    r"^\S.*━{5,}$",
    r"^[.FEsSxXuURWICP*,]+(?:\s*\[ *\d+%\]|\s+\d+ / \d+ \( *\d+%\))?$",
    r"^\s*\d+ / \d+ \( *\d+%\)$",
]);

/// Labels without text behind them.
static LABEL: ConstPatterns = ConstPatterns::new(&[
    r"(?i)^\W*(?:failures?|errors?|errors? message|message|messages|stack ?trace|stack|stdout|stderr|output|captured .*|expected|actual|received|got|want|diff|difference|traceback.*|details?|description|console(?:\.\w+)?|failed tests|failing tests|short test summary info|warnings summary|caused by|cause|passed in|code|location)\s*(?:\(\d+\))?\s*:?$",
    r"^Test Summary Report$",
    r"^(?:FAIL|FAILED|ERROR|FAILURES|ERRORS|PASS|OK|Fail|Failed|Error|Failure|failed|error)[!.]*$",
    r"(?i)^(?:tests|test suites|test files|failed tests|errors|failures|failed examples|failing tests|errors?|warnings?|summary|offenses|problems)\s*:?!?$",
]);

/// Counts, times, what passed and what is only under way.
static PROGRESS: ConstPatterns = ConstPatterns::new(&[
    r"(?i)^[^\w]*\d+ (?:of \d+ )?(?:\w+ ){0,2}(?:tests?|specs?|examples?|suites?|scenarios?|steps?|features?|assertions?|runs?|checks?|errors?|failures?|failed|passed|passing|failing|problems?|warnings?|offenses?|issues?|files?|pending|skipped|expect\(\) calls|pass|fail|todo|cancelled|success(?:es)?|ok|modules?|vulnerabilit\w+)\b(?:[^:]*$|.*\b\d+ (?:failed|errors?|failures?|warnings?|skipped|passed)\b)",
    r"(?i)^\s*(?:tests?|test suites|test files|suites|snapshots?|assertions|errors|failures|warnings|duration|time|start at|total|passed|failed|skipped|ran|finished|pass|fail|ok|todo|cancelled|types?|type errors|unhandled errors)\s*:?\s+\d[\w., ()/|-]*$",
    r"(?i)^\W*(?:error\W+)?(?:found|detected|generated|there (?:was|were)|checked|ran|running|run|linted|inspected|executed) (?:a total of )?\d+ .*$",
    r"(?i)^(?:finished|completed|done|time|took|total time|duration|ran|elapsed|test run finished|ran all test suites|test execution|real|user|sys)\b[^:]*(?:\d|suites).*$",
    r"(?i)^\s*(?:time|duration|memory|finished at|total time|start at|transform|seed|randomized with seed|run options|loaded suite|started|ran all)\b.*$",
    r"(?i)\brated at -?[\d.]+/10\b",
    r"(?i)^\W*system check identified|^\d+% (?:passed|tests passed)",
    r"^#? ?(?:tests?|pass|fail|suites|cancelled|skipped|skip|todo|duration_ms|subtest|time)[: ] ?\d.*$",
    r"^(?:\d+\.\.\d+|TAP version \d+)$",
    r"^\[ *\d+ (?:containers?|tests?) \w+ *\]$",
    // A test's title with its time.
    r"^\s*[✖✗×✕✘] .*\(\d[\d.]* ?m?s\)$",
    r"^\s*(?:✓|✔|√|☑|✅|ℹ|ok \d|ok\b|PASS\b|PASSED\b|\[\s+OK|\[ RUN|\[-----|\[=====|\[  PASSED|\(pass\)|\[PASS\]|\[INFO\]|-- |i )",
    r"\.\.\. ?(?:ok|done|yes|passed|skipped.*)$|\b(?:PASSED|SKIPPED|XFAIL|XPASS|OK|passed)\s*(?:\(.*\))?\s*(?:\[ *\d+%\])?$",
    r"^(?:\s*(?:Compiling|Checking|Finished|Running|Building|Installing|Downloading|Downloaded|Updating|Fresh|Locking|Adding|Linking|Generating|Starting|Blocking|Preparing|Resolving|Fetching|Collecting|Using|Loading|Inspecting|Scanning|Doc-tests|Executable|Entering|Leaving|Successfully|transforming|rendering) )",
    r"^(?:> \S+@\S+ \S+|> \S.*|\$ .*|\+ .*|=== (?:RUN|PAUSE|CONT|NAME).*|\[\d+/\d+\] .*|\[ *\d+%\] .*|g?make(?:\[\d+\])?: (?:Entering|Leaving|Nothing|').*)$",
    r"^(?:collected|collecting|platform|rootdir|plugins|cachedir|configfile|testpaths|hypothesis profile|asyncio:|bringing up|created: |ready: |scheduling|Creating test database|Destroying test database|Operations to perform|Applying|Synchronizing)\b",
]);

/// What a program says when it gives up for reasons that it or another program printed before.
static FAREWELL: LazyLock<ConstPatterns> =
    LazyLock::new(|| ConstPatterns::of_lines(include_str!("farewell.txt")));

/// Advice, and where to read more.
static HINT: ConstPatterns = ConstPatterns::new(&[
    r"(?i)^[\W]*(?:hint|help|note|tip|info|advice|suggestions?|suggested fix|did you mean|perhaps you|perhaps|maybe you|you (?:can|may|might|should|could|need to)|consider|if (?:you|this|that|your)|please|learn more|for (?:more|further|help|details)|to (?:fix|see|get|add|enable|run|ignore|update|rerun|install)|see also|see (?:the|https?)|read more|more (?:info|details)|docs?:|documentation|usage|run (?:with|the|`|'|your|npm|npx)|re-?run|try (?:using|to|adding|running|setting|`|'|--)|use (?:--|-v|`--|'--)|the error below may be|make sure|ensure|check (?:that|the|your|out)|set the|instead,|from \w+ v[\d.]+,|by default|oops)\b.*",
    r"(?i)^[\W]*(?:see|at|docs?|more|read|visit|view|url|link)?:?\s*https?://\S+\s*\.?$",
    r"(?i)^\s*[\w. ()/-]{0,40}https?://\S+(?:\s+(?:for|to|--) .*)?\.?$",
    r"^\s*(?:= note|= help|note|help):",
]);

/// An error of which the program itself says that it went on.
static HANDLED: ConstPattern = ConstPattern::new(concat!(
    r"(?i)\((?:handled|ignored|retried|non-fatal|simulated)\)|\b(?:handled|retrying|retried",
    r"|will retry|ignoring|ignored|falling back|fall back|continuing|recovered|skipping|simulated|known failure",
    r"|as expected|gracefully|attempt \d+ (?:of|/) ?\d+ failed)\b",
));

/// What a line says without the box that it is drawn in, and the mark of the process.
fn unmarked(line: &str) -> &str {
    static MARK: ConstPattern = ConstPattern::new(r"^(?:\s*│ +|==\d+== ?)");
    MARK.find(line).map_or(line, |mark| &line[mark.end()..])
}

/// Whether a line says where something is, and not what: a frame, a place, an excerpt of code.
pub(super) fn is_place(line: &str) -> bool {
    PLACE.is_match(line)
}

/// Whether no report would quote the line: it counts, heads, says goodbye, advises or points.
pub(crate) fn is_noise(line: &str) -> bool {
    let line = match unmarked(line) {
        said if said.len() < line.len() && telling(said) == Telling::Error => said,
        _ => line,
    };
    RULE.is_match(line)
        || LABEL.is_match(line)
        || PROGRESS.is_match(line)
        || FAREWELL.is_match(line)
        || HINT.is_match(line)
        || is_place(line)
}

/// Whether the line is blank, a rule, a label without a message, or a place: what may stand between a
/// heading and its message.
pub(crate) fn is_between(line: &str) -> bool {
    RULE.is_match(line) || LABEL.is_match(line) || is_place(line)
}

/// Whether a wrapper, or the tool itself, says only that it gives up.
pub(super) fn is_farewell(line: &str) -> bool {
    FAREWELL.is_match(line)
}

/// Whether the line advises.
pub(super) fn is_hint(line: &str) -> bool {
    HINT.is_match(line)
}

/// Whether a program reports an error that it handled.
pub(crate) fn is_handled(line: &str) -> bool {
    HANDLED.is_match(line)
}
