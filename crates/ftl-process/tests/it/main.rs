//! Real programs, most of them hostile.

#![allow(
    clippy::print_stderr,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a test may panic, and says what it skips"
)]

mod commands;
mod groups;
mod hostile;
mod interrupts;
mod probes;
mod world;
