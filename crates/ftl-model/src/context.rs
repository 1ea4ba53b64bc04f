use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A file of the project as the planner saw it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CodeContext {
    /// Path of the file, relative to the root.
    pub path: Option<String>,
    /// Line ranges shown, such as `1-60` or `1-15,40-65`.
    pub lines: Option<String>,
    /// The lines shown.
    pub content: String,
    /// Names to keep, comma-separated: `get_user(), User, LIMIT`.
    pub exports: String,
    /// Import lines, one a line.
    pub imports: String,
}
