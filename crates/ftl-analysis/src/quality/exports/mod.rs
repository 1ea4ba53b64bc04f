mod delta;
mod ecmascript;
mod go;
mod judge;
mod listed;
mod module;
mod names;
mod neighbours;
mod package;
mod parameters;
mod python;
mod readers;
mod rust;

pub use judge::{Before, Exports, judge_exports};
pub use names::export_names;
pub use readers::{given_names, reads_exports};
