//! What the crate promises, through its public door.

#![allow(clippy::unwrap_used, reason = "a test fails by a panic")]
#![allow(clippy::print_stdout, reason = "a test that is skipped says so")]

mod cases;
mod deception;
mod hostile;
mod limits;
mod manifests;
mod reports;
#[cfg(feature = "toolchain")]
mod toolchain;
