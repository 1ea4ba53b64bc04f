mod judge;
mod occurrence;
mod rule;
mod suppression;

pub use judge::{idiom_warnings, judge_idioms};
pub use rule::check_rules;
