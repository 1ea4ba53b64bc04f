//! The `ftl` command.
fn main() {}
