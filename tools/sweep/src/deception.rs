//! Text that is nested more deeply than it is measured to be, looked for unit by unit.

use ftl_testkit::Result;
use ftl_testkit::program::Program;

use crate::Size;

/// Tells the test of ftl-preflight how many words a unit has.
const WORDS: &str = "FTL_DECEPTION_WORDS";

/// Runs the search, optimised.
pub(super) fn run(size: Size) -> Result {
    Program::cargo()
        .args(["test", "--release", "--package", "ftl-preflight", "--quiet"])
        .args(["--test", "preflight", "--", "deception", "--nocapture"])
        .env(WORDS, size.pick(2, 3).to_string())
        .run()
}
