//! What idioms and exports come to once the code passed its verify.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::words;

words! {
    /// Which way an idiom binds.
    pub enum IdiomKind {
        /// It must be present.
        Required = "required",
        /// It must not be brought in.
        Forbidden = "forbidden",
    }
}

words! {
    /// What an idiom comes to.
    pub enum IdiomStatus {
        /// Kept.
        Satisfied = "satisfied",
        /// Broken.
        Violated = "violated",
        /// It has nothing to say of these files.
        NotApplicable = "not_applicable",
        /// No rule decides it.
        Undecidable = "undecidable",
    }
}

words! {
    /// How much breaking an idiom weighs, where it is less than usual.
    pub enum IdiomSeverity {
        /// It is reported, and blocks nothing.
        Warning = "warning",
    }
}

/// An idiom, judged.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct IdiomVerdict {
    /// Which way it binds.
    pub kind: IdiomKind,
    /// The idiom as written.
    pub text: String,
    /// The rule that decided.
    pub rule: Option<String>,
    /// What it comes to.
    pub verdict: IdiomStatus,
    /// Where.
    pub places: Vec<IdiomPlace>,
    /// What else there is to say.
    pub note: Option<String>,
    /// `warning` where breaking it blocks nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub severity: Option<IdiomSeverity>,
}

/// A place that an idiom speaks of.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct IdiomPlace {
    /// The file.
    pub path: String,
    /// From 1.
    pub line: u64,
    /// In characters, from 1.
    pub column: u64,
    /// Whether it was not there before.
    pub new: bool,
}

words! {
    /// What became of an export.
    pub enum ExportStatus {
        /// It is where it was.
        Kept = "kept",
        /// Defined elsewhere in the delta, and re-exported.
        Moved = "moved",
        /// Gone.
        Lost = "lost",
        /// The file never had it.
        NeverThere = "never_there",
    }
}

/// An export, judged.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct ExportVerdict {
    /// The file that had it.
    pub path: String,
    /// The name, with `()` where a callable is meant.
    pub name: String,
    /// What became of it.
    pub verdict: ExportStatus,
}
