//! What the crate promises, through its public door.

#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]
#![allow(clippy::print_stdout, reason = "a test that is skipped says so")]

mod cases;
mod hostile;
mod manifests;
mod reports;
#[cfg(feature = "toolchain")]
mod toolchain;
