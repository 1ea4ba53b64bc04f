//! What makes a verify that passed doubtful.

use crate::words;

words! {
    /// A reason to doubt a verify. Policy says which of them block.
    pub enum Finding {
        /// It passed with the work broken: it does not look at what was done.
        Blind = "blind",
        /// The implementer wrote into dependencies, which are as they were in the project.
        DependenciesChanged = "dependencies_changed",
        /// It ended with 0, and its output says that something failed.
        FailedAnyway = "failed_anyway",
        /// The command hides the exit code of what it runs.
        MaskedExit = "masked_exit",
        /// The runner says that it ran no test.
        NoTests = "no_tests",
        /// It passed before anything was done.
        PassedBefore = "passed_before",
        /// Tests that were there fail as they were, and it is not known that they failed before the work too.
        TestsChanged = "tests_changed",
        /// Tests that failed before the work fail as they were still: they were changed instead of made to pass.
        TestsWeakened = "tests_weakened",
        /// Fewer tests ran than before the work.
        TestsMissing = "tests_missing",
        /// A verify or preflight command changed files of the project outside the delta.
        TreeWritten = "tree_written",
    }
}

impl Finding {
    /// Those that block unless configuration says otherwise: an exit code of 0 is no proof when the output
    /// contradicts it.
    pub const UNTRUSTED: [Self; 3] = [Self::NoTests, Self::FailedAnyway, Self::MaskedExit];

    /// Those of tests that were there before. They block an implementer's work as well, unless the task says that its
    /// tests change.
    pub const OF_TESTS: [Self; 3] = [Self::TestsWeakened, Self::TestsChanged, Self::TestsMissing];
}
