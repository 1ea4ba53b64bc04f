//! The exit codes of every command. An interrupt adds 128 to the signal's number.

/// The request was valid, and ftl could not do it; or `preflight` and `validate` found something.
pub(crate) const FAILED: u8 = 1;
/// The request cannot be fulfilled, whatever the state of the system.
pub(crate) const USAGE: u8 = 2;
/// The task is blocked.
pub(crate) const BLOCKED: u8 = 3;
/// A limit of the command was reached, and tasks remain active.
pub(crate) const LIMIT: u8 = 4;
