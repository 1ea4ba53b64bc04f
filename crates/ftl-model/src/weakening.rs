//! How a change made a test weaker.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::words;

words! {
    /// What was done to a test.
    pub enum WeakeningKind {
        /// The test is gone.
        TestRemoved = "test_removed",
        /// The test is skipped, or its failure is expected.
        TestSkipped = "test_skipped",
        /// An assertion is gone.
        AssertionRemoved = "assertion_removed",
        /// The test expects now what a failing run printed.
        ExpectedPrinted = "expected_printed",
        /// A comparison allows a larger difference.
        ToleranceWidened = "tolerance_widened",
        /// A stored snapshot is another one.
        SnapshotRewritten = "snapshot_rewritten",
        /// Fewer tests ran than before, by the runner's own counts; the place is the summary in the log.
        FewerTests = "fewer_tests",
    }
}

/// A place where a test became weaker.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Weakening {
    /// What was done.
    pub kind: WeakeningKind,
    /// The file.
    pub path: String,
    /// The line, from 1: in the text as it is now, of a removed test in the text before.
    pub line: u32,
    /// The test's name in its file, `Class::test` or `suite > case`; the snapshot's.
    pub test: String,
    /// What was there before: the assertion, the value.
    pub before: Option<String>,
    /// What is there now: the mark that skips it, the value.
    pub after: Option<String>,
}
