//! The transition table and the diagram, checked in.
//!
//! A test explores the machine and rewrites these files when they are out of date.

/// The diagram in Mermaid's language.
pub const MERMAID: &str = include_str!("states.mmd");

/// The table in Markdown: states with their costs, then every arrow.
pub const TABLE: &str = include_str!("states.md");
