//! What failed in a run of a command: a test, or a compiler's finding.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One failed test or one error of a compiler, as the output of a run names it. Nothing in it is guessed:
/// an output that names no test gives a message alone.
#[derive(
    Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
pub struct RunFailure {
    /// The test's name as its runner takes it on the command line: `tests/test_a.py::test_b[1]`, `TestX/sub`,
    /// `suite > case`; of a test file that could not be loaded, its path.
    pub test: Option<String>,
    /// The file of the failed assertion or of the error, in the project's own code.
    pub path: Option<String>,
    /// The line in `path`, from 1.
    pub line: Option<u32>,
    /// The message, whole: both sides of a comparison.
    pub message: String,
    /// What the output says beyond the message: the source line, a compiler's labels and notes.
    pub detail: Option<String>,
}
