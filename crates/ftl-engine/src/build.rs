//! A build: one workspace from active to its record, by the machine, in the world as it is.

mod settings;

pub use settings::{Checker, Implementer, Settings};
