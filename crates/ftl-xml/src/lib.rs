//! Workspace files: text to model and back.
//!
//! Reading is strict: [`read`] accepts a document only if XML 1.0 does, and every part of it keeps
//! its place in the text.

mod chars;
mod decode;
mod document;
mod element;
mod fault;
mod json;
pub mod limits;
mod lower;
mod new;
pub mod plan;
pub mod python;
mod reader;
mod safe;
mod seal;
mod span;
mod splice;

pub use document::{Document, ElementRef};
pub use element::Element;
pub use fault::{Fault, ReadError};
pub use json::{failure as failure_json, parse_json};
pub use new::write_new;
pub use reader::read;
pub use safe::{EXCERPT, excerpt, excerpt_of_ends, safe_text, terminal_text};
pub use seal::{Seal, seal};
pub use splice::Splice;
