//! The files of the repository, and its Rust sources as syntax trees.

use std::fs;
use std::path::{Path, PathBuf};

use ftl_testkit::program::Program;
use ftl_testkit::root;

/// Every file that git knows, by its path below the top.
pub(super) fn tracked() -> Vec<String> {
    let listing = Program::new("git", &root())
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .text()
        .unwrap();
    let names = listing.split_terminator('\0').map(str::to_owned);
    names.filter(|name| root().join(name).is_file()).collect()
}

/// The Rust files of a directory of this repository, at any depth.
pub(super) fn rust_files(directory: &str) -> Vec<PathBuf> {
    let ours = |name: &String| Path::new(name).starts_with(directory) && name.ends_with(".rs");
    let names = tracked().into_iter().filter(ours);
    names.map(|name| root().join(name)).collect()
}

/// Files that others wrote, and input of tests, kept as they are.
pub(super) fn foreign(name: &str) -> bool {
    let path = Path::new(name);
    let data = ["cases", "corpus", "fixtures", "inputs", "limits", "samples", "seeds"];
    let is_data = path.components().any(|part| data.iter().any(|name| part.as_os_str() == *name));
    let is_licence = name.starts_with("LICENSE");
    let vendored = path.starts_with("examples/rust");
    vendored || is_licence || is_data && !name.ends_with("mod.rs") || name.ends_with("Cargo.lock")
}

/// The Rust sources that are ours, by their path below the top, each with its text.
pub(super) fn sources() -> Vec<(String, String)> {
    let ours = tracked().into_iter().filter(|name| name.ends_with(".rs") && !foreign(name));
    ours.map(|name| {
        let text = fs::read_to_string(root().join(&name)).unwrap();
        (name, text)
    })
    .collect()
}

/// The syntax tree of a source.
pub(super) fn parsed(name: &str, text: &str) -> syn::File {
    syn::parse_file(text).unwrap_or_else(|error| panic!("{name}: {error}"))
}
