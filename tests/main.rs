//! Whole-system tests: the built `ftl` on real directories, with real children.
//!
//! One binary, owned by `ftl-task` so that cargo hands it the program under test.

#![expect(clippy::unwrap_used, reason = "in a test a panic is a verdict")]

mod cli;
mod examples;
mod house;
mod inputs;
mod oracle;
mod support;
