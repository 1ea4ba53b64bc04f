//! Data-driven cases over the engine's pure parts.

#![allow(clippy::unwrap_used, reason = "a test may panic")]
#![allow(
    clippy::print_stdout,
    reason = "counts and skips are for whoever reads the run"
)]

mod cases;
mod errors;
mod findings;
mod matching;
mod patterns;
mod quality;
