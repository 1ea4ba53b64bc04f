//! What went wrong, read from the output of a verify command.
//!
//! [`error_lines`] finds the lines that carry the error, whichever runner wrote them; the first is
//! the one that a person would quote. [`Families`] then says which kind of error they speak of,
//! and so whether running the same thing again could help.
//!
//! Pure functions over text: nothing here runs a command or reads a file.

mod families;
mod lines;
mod passed;
mod plain;
mod prefix;
mod runners;
mod shape;

pub use families::{Classification, Families, Family, FamilyError, FamilyKind};
pub(crate) use lines::error_lines_of;
pub use lines::{error_lines, first_error_line};
pub(crate) use passed::failing_part;
pub(crate) use plain::{cut, indent, plain_text};
pub(crate) use prefix::unprefixed;
pub(crate) use shape::{is_between, is_handled, is_noise};
