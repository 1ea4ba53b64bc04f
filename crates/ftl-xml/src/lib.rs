//! Workspace files: text to model and back.
//!
//! Reading is strict: [`read`] accepts a document only if XML 1.0 does, and every part of it keeps
//! its place in the text.

mod chars;
mod decode;
mod document;
mod fault;
mod json;
pub mod limits;
mod lower;
mod reader;
mod span;

pub use document::{Document, Element};
pub use fault::{Fault, ReadError};
pub use json::{failure as failure_json, parse_json};
pub use reader::read;
