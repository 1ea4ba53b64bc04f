//! Whole-system tests: the built `ftl` on real directories, with real children.
//!
//! One binary, owned by `ftl-cli` so that cargo hands it the program under test.
