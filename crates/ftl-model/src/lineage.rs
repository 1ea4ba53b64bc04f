use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Finished tasks that a task builds on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Lineage {
    /// The parents in document order; a lineage that was read has at least one.
    pub parents: Vec<Parent>,
}

/// A finished task and what it delivered.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Parent {
    /// Its sequence number, `001`.
    pub seq: Option<String>,
    /// Its file name without extension, `001_models_complete`.
    pub workspace: Option<String>,
    /// What it delivered.
    pub prior_delivery: String,
}
