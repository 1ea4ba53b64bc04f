//! `cargo xtask fixtures`: inputs whose exact bytes matter, made instead of typed.
//!
//! Editors and git mend line ends, encodings and final newlines; these files need theirs wrong.

mod patches;
mod workspaces;

use crate::tree::Tree;

/// Where everything made here lies, below the repository's top.
pub const DIRECTORY: &str = "tests/fixtures";

/// Every fixture.
#[must_use]
pub fn tree() -> Tree {
    let mut tree = Tree::new().owning(DIRECTORY);
    // Git must not touch a byte.
    tree.add(format!("{DIRECTORY}/.gitattributes"), "* -text -diff\n");
    workspaces::add_to(&mut tree);
    patches::add_to(&mut tree);
    tree
}
