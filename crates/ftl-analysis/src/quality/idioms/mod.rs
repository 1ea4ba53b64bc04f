mod judge;
mod occurrence;
mod rule;
mod suppression;

#[cfg(feature = "structural")]
pub(super) use judge::judge_structure;
pub use judge::{idiom_warnings, judge_idioms};
pub use rule::check_rules;
