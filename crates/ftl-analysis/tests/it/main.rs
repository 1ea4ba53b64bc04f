//! Data-driven cases: each is a file in `tests/cases`, or a line of one, with what is to come out.

#![allow(clippy::unwrap_used, reason = "a test may panic")]
#![allow(clippy::print_stdout, reason = "counts and skips are for the reader of the run")]

mod cases;
mod errors;
mod failures;
mod findings;
mod masked;
mod matching;
mod paths;
mod patterns;
mod quality;
mod reports;
