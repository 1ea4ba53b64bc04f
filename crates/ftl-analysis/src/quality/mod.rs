//! Whether the code that passed follows the workspace's idioms, and keeps the names that others use.
//!
//! Pure functions over the texts of the delta's files, before and after. Nothing here decides what
//! a verdict leads to: the machine does.

mod exports;
mod file;
mod idioms;
mod registry;
mod structure;

pub use exports::{Before, Exports, export_names, given_names, judge_exports, reads_exports};
pub use file::FileText;
pub use idioms::{check_rules, idiom_warnings, judge_idioms};
pub use registry::{framework_idioms, frameworks_named};
pub use structure::{RuleCard, Rules, reads_structure};
