//! The chores as functions: `cargo xtask` calls them, the tests compare what they make with what
//! is committed.
//!
//! `generated` and `fixtures` are pure enough to be called from a test: they return what should be
//! written and leave the writing to [`tree::Tree::write`].

#![expect(clippy::print_stdout, reason = "chores talk to the terminal")]

pub mod agreement;
pub mod bench;
pub mod fixtures;
pub mod generated;
pub mod program;
pub mod quickstart;
pub mod scratch;
pub mod suite;
pub mod sweep;
pub mod tree;

use std::path::{Path, PathBuf};

/// What a chore returns: nothing, or a sentence for the person who called it.
pub type Result<T = ()> = std::result::Result<T, Box<dyn std::error::Error>>;

/// The repository's top directory.
///
/// # Panics
///
/// Never in practice: this package lies one directory below the top.
#[must_use]
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("because this package lies one directory below the top")
        .to_path_buf()
}
