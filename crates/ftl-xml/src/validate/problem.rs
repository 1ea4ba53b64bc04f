//! What a problem of a task file is. Its fields are those of the JSON that `ftl workspace validate`
//! prints.

use ftl_model::SourcePosition;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ReadError;

/// How bad a [`Problem`] is.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The task cannot be done as it is written.
    Error,
    /// It can, but hardly as it was meant.
    Warning,
}

/// Something wrong in a task file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Problem {
    /// How bad it is.
    pub severity: Severity,
    /// Stable code, `xml::…` or `workspace::…`.
    pub code: &'static str,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: String,
    /// Where it is.
    #[serde(flatten)]
    pub place: SourcePosition,
}

impl From<ReadError> for Problem {
    fn from(error: ReadError) -> Self {
        Self {
            severity: Severity::Error,
            code: error.code(),
            message: error.to_string(),
            help: error.help().to_owned(),
            place: error.place,
        }
    }
}
