//! Workspace files: text to model and back.
//!
//! * [`read`] accepts a document only if XML 1.0 does; every part of it keeps its place in the text.
//!   [`Document::workspace`] says what it means, [`parse_json`] says so in JSON, and [`validate()`]
//!   lists everything that is wrong with it.
//! * [`seal()`] makes a record of a task by [`Splice`], and [`reopen()`] a task of a record: what they do not
//!   change stays byte for byte.
//! * [`write_new`] writes a workspace as a new document, [`plan`] does so for every task of a plan.
//! * Foreign text goes through [`ftl_text::safe_text`] on its way into a record.
//!
//! ```
//! let document = ftl_xml::read(b"<workspace status='active'><delivered/></workspace>")?;
//! assert_eq!(document.workspace().unwrap().status.as_deref(), Some("active"));
//! # Ok::<(), ftl_xml::ReadError>(())
//! ```

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
mod reopen;
mod seal;
mod span;
mod splice;
mod validate;

pub use document::{Document, ElementRef};
pub use element::Element;
pub use fault::{Fault, ReadError};
pub use json::{ParsedFailure, ParsedWorkspace, parse_json, runs_json};
pub use new::{failure_xml, write_new};
pub use reader::read;
pub use reopen::{HANDOFF, Reopening, reopen};
pub use seal::{Seal, seal};
pub use splice::Splice;
pub use validate::{Findings, Problem, Severity, findings, validate};
