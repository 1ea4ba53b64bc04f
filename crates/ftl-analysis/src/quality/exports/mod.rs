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
mod test_file;

pub use judge::{Before, Exports, judge_exports};
pub use names::export_names;
pub use readers::{given_names, reads_exports};
#[cfg(feature = "structural")]
pub(super) use test_file::is_test_file;
