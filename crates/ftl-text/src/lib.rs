//! Text on its way out of ftl: to a terminal, into a record, into JSON.
//!
//! * [`chars`] has the one list of characters that are never passed on as they are.
//! * [`safe_text`] makes foreign text fit for records, [`terminal_text`] and [`one_line`] for a
//!   terminal, [`same_length`] for diagnostics that point into it.
//! * [`escape_json`] does for JSON what they do for prose, and loses nothing.
//! * [`redact`] replaces secrets as they stream.
//! * [`play`] turns what a program printed into what a terminal would show of it.

mod causes;
pub mod chars;
mod json;
mod play;
pub mod redact;
mod safe;

pub use causes::with_causes;
pub use json::escape_json;
pub use play::play;
pub use redact::Redactor;
pub use safe::{
    excerpt, excerpt_of_ends, one_line, push_visible, quote, safe_text, same_length, shortened,
    terminal_text,
};
