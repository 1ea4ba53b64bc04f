//! Structural rules: patterns over syntax trees, where they come from, and where they fit.
//!
//! The trees and the matching are ast-grep's, with tree-sitter's grammars. They are a feature of this crate: without
//! it no rule is known, and an idiom that would need one is undecidable and says why. Grammars go on
//! after an error, so what a broken file holds counts, and what it does not hold says nothing.

#[cfg(not(feature = "structural"))]
mod absent;
#[cfg(feature = "structural")]
mod definition;
#[cfg(feature = "structural")]
mod examples;
#[cfg(feature = "structural")]
mod known;
mod language;
#[cfg(feature = "structural")]
mod matcher;
#[cfg(feature = "structural")]
mod rule;
#[cfg(feature = "structural")]
mod tree;

#[cfg(not(feature = "structural"))]
pub use absent::Rules;
#[cfg(not(feature = "structural"))]
pub(super) use absent::{FoundNode, Structure, Trees};
#[cfg(feature = "structural")]
pub use known::Rules;
#[cfg(feature = "structural")]
pub(super) use rule::{FoundNode, Structure};
#[cfg(feature = "structural")]
pub(super) use tree::Trees;

/// Whether structural rules read a file with this name.
pub fn reads_structure(path: &str) -> bool {
    cfg!(feature = "structural") && language::Language::of_path(path).is_some()
}

/// A rule as text, as users see it.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct RuleCard {
    /// Its name, such as `fasthtml.rt`.
    pub id: String,
    /// The framework that its texts belong to.
    pub framework: Option<String>,
    /// `required` or `forbidden`.
    pub kind: String,
    /// The texts of idioms that it decides.
    pub texts: Vec<String>,
    /// The languages that it reads.
    pub languages: Vec<String>,
    /// What is gained by keeping it.
    pub why: Option<String>,
    /// How code is brought to keep it.
    pub repair: Option<String>,
    /// Whether finding nothing is no proof: it follows no value through variables or calls.
    pub partial: bool,
    /// Whether a violation is only a warning.
    pub is_warning: bool,
    /// The file that it is from; `None` for a built-in one.
    pub file: Option<String>,
    /// How many examples it brings.
    pub examples: usize,
    /// Examples that it judges otherwise than they say, as text.
    pub wrong: Vec<String>,
}
