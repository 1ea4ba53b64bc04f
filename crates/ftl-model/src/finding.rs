//! What makes a verify that passed doubtful.

use crate::words;

words! {
    /// A reason to doubt a verify. Policy says which of them block.
    pub enum Finding {
        /// It ended with 0, and its output says that something failed.
        FailedAnyway = "failed_anyway",
        /// The command hides the exit code of what it runs.
        MaskedExit = "masked_exit",
        /// The runner says that it ran no test.
        NoTests = "no_tests",
        /// It passed before anything was done.
        PassedBefore = "passed_before",
        /// The implementer changed the test itself, or how tests are run.
        TestsChanged = "tests_changed",
        /// The implementer made tests weaker that were there before.
        TestsWeakened = "tests_weakened",
        /// A verify or preflight command changed files of the project outside the delta.
        TreeWritten = "tree_written",
    }
}

impl Finding {
    /// Those that block unless configuration says otherwise: an exit code of 0 is no proof when the output
    /// contradicts it.
    pub const UNTRUSTED: [Self; 3] = [Self::NoTests, Self::FailedAnyway, Self::MaskedExit];
}
