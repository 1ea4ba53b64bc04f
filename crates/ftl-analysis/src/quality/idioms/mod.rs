mod judge;
mod judgement;
mod occurrence;
mod rule;
mod structural;
mod suppression;

pub use judge::{idiom_warnings, judge_idioms};
pub use rule::check_rules;
#[cfg(feature = "structural")]
pub(super) use structural::judge_structure;
