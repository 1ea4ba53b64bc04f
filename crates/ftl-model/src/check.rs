//! What a syntax check says of a file.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{DeltaPath, Digest, words};

words! {
    /// What a check says of a file or command.
    pub enum CheckStatus {
        /// It parses, or the command passed.
        Valid = "valid",
        /// It does not, or it failed.
        Invalid = "invalid",
        /// The file was not checked, for the reason given.
        Unchecked = "unchecked",
    }
}

words! {
    /// How much a diagnostic weighs.
    pub enum Severity {
        /// The file does not parse.
        Error = "error",
        /// It parses, with something odd in it.
        Warning = "warning",
    }
}

/// A place in a file where its own front end would stop.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Diagnostic {
    /// How much it weighs.
    pub severity: Severity,
    /// What is wrong.
    pub message: String,
    /// From 1.
    pub line: u64,
    /// In characters, from 1.
    pub column: u64,
    /// From 1.
    pub end_line: u64,
    /// In characters, from 1.
    pub end_column: u64,
    /// Byte offset from 0.
    pub start: u64,
    /// Byte offset from 0.
    pub end: u64,
    /// The checker's own code, where it has one.
    pub code: Option<String>,
    /// Which checker says so.
    pub checker: String,
}

/// The syntax verdict on one touched file.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Check {
    /// The file.
    pub path: DeltaPath,
    /// Which checker looked.
    pub checker: String,
    /// What it says.
    pub status: CheckStatus,
    /// Why the file was not checked.
    pub reason: Option<String>,
    /// Where it would stop.
    pub diagnostics: Vec<Diagnostic>,
    /// The bytes that were checked; `None` for a file that is deleted.
    pub sha256: Option<Digest>,
}
