//! The revision that work began from.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Where git stood when the implementer began.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BaseCommit {
    /// The commit that the delta is measured by; where that is none, the one that `HEAD` named. Its full name.
    pub commit: String,
    /// The branch that was checked out; null for a detached `HEAD`.
    pub branch: Option<String>,
}
