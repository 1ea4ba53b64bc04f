mod delta;
mod judge;
mod listed;
mod module;
mod python;
mod python_depth;

pub use judge::{Before, Exports, judge_exports};
