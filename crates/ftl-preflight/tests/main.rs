//! What the crate promises, through its public door.

#![allow(clippy::unwrap_used, reason = "a test may fail where it stands")]

mod cases;
mod hostile;
mod manifests;
mod reports;
