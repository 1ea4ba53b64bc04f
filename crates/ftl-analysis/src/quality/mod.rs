//! Whether the code that passed follows the workspace's idioms, and keeps the names that others use.
//!
//! Pure functions over the texts of the delta's files, before and after. Nothing here decides what
//! a verdict leads to: the machine does.

mod changed_file;
mod exports;
mod file;
mod idioms;
mod registry;
mod structure;
#[cfg(feature = "structural")]
mod weakened;
#[cfg(not(feature = "structural"))]
mod weakened_absent;
mod weakened_tests;

pub use changed_file::ChangedFile;
pub use exports::{Before, Exports, export_names, given_names, judge_exports, reads_exports};
pub use file::FileText;
pub use idioms::{check_rules, idiom_warnings, judge_idioms};
pub use registry::{framework_idioms, frameworks_named};
pub use structure::{RuleCard, Rules, reads_structure};
#[cfg(feature = "structural")]
pub use weakened::weakened_tests;
#[cfg(not(feature = "structural"))]
pub use weakened_absent::weakened_tests;
pub use weakened_tests::WeakenedTests;
