mod delta;
mod judge;
mod listed;
mod module;
mod python;

pub use judge::{Before, Exports, judge_exports};
