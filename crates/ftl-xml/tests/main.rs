//! Tests of ftl-xml against other readers of XML, and over whole documents.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test says what it skipped, and a panic is its way to fail"
)]

mod conformance;
mod documents;
mod generated;
mod generator;
mod golden;
mod oracle;
mod planning;
mod python;
mod reading;
mod records;
mod splicing;
