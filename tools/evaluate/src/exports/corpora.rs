//! Where the files come from: what the machine has, and packages of pinned versions.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use ftl_testkit::program::Program;
use ftl_testkit::{Result, fetched, root};

use super::cache;

/// How much is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Size {
    /// All files.
    Full,
    /// Some of what is near.
    Check,
}

/// Files of a language in a check.
const CHECKED: usize = 300;

/// The compiler, and packages whose files are read: sources, what is built of them, and declarations.
const COMPILER: &str = "typescript@5.9.3";
const CHECKED_PACKAGES: &[&str] = &["express@4.21.2", "redux@5.0.1", "rxjs@7.8.2"];
const PACKAGES: &[&str] = &[
    "@types/lodash@4.17.13",
    "@types/node@22.10.2",
    "@types/react@19.0.2",
    "axios@1.7.9",
    "commander@12.1.0",
    "date-fns@4.1.0",
    "effect@3.12.0",
    "eslint@9.17.0",
    "express@4.21.2",
    "fp-ts@2.16.9",
    "hono@4.6.14",
    "immer@10.1.1",
    "lodash@4.17.21",
    "preact@10.25.2",
    "redux@5.0.1",
    "rxjs@7.8.2",
    "valibot@0.42.1",
    "vue@3.5.13",
    "webpack@5.97.1",
    "zod@3.24.1",
];

/// A crate whose files are cases for its parser, of a Rust that is still to come.
const SUITE: &str = "ra_ap_parser";

/// Of many files those that are looked at: all, or some that lie evenly among them.
pub(super) fn some(files: Vec<PathBuf>, size: Size) -> Vec<PathBuf> {
    let step = match size {
        Size::Full => 1,
        Size::Check => files.len().div_ceil(CHECKED).max(1),
    };
    files.into_iter().step_by(step).collect()
}

/// The standard library, without what is installed beside it.
pub(super) fn python(_: Size) -> Result<Vec<PathBuf>> {
    let ask = "import sysconfig; print(sysconfig.get_path('stdlib'))";
    let home = Program::new("python3", &root()).args(["-c", ask]).text()?;
    Ok(vec![PathBuf::from(home.trim())])
}

/// The directory with the compiler and the packages of `size`.
pub(super) fn packages(size: Size) -> Result<PathBuf> {
    let (name, packages) = match size {
        Size::Full => ("npm", PACKAGES),
        Size::Check => ("npm-check", CHECKED_PACKAGES),
    };
    let packages: Vec<&str> = [COMPILER].iter().chain(packages).copied().collect();
    fetched::npm(&cache().join(name), &packages)
}

pub(super) fn typescript(size: Size) -> Result<Vec<PathBuf>> {
    Ok(vec![packages(size)?.join("node_modules")])
}

/// Go's standard library.
pub(super) fn go(_: Size) -> Result<Vec<PathBuf>> {
    let home = Program::new("go", &root()).args(["env", "GOROOT"]).text()?;
    Ok(vec![Path::new(home.trim()).join("src")])
}

/// The unpacked sources of the crates in Cargo.lock.
pub(super) fn rust(_: Size) -> Result<Vec<PathBuf>> {
    let printed = Program::cargo()
        .args(["metadata", "--format-version", "1", "--locked", "--offline"])
        .text()?;
    let metadata: serde_json::Value = serde_json::from_str(&printed)?;
    let packages = metadata["packages"].as_array().into_iter().flatten();
    let homes: BTreeSet<PathBuf> = packages
        .filter(|package| package["source"].is_string() && package["name"] != SUITE)
        .filter_map(|package| Path::new(package["manifest_path"].as_str()?).parent())
        .map(Path::to_owned)
        .filter(|home| fs::metadata(home).is_ok())
        .collect();
    Ok(homes.into_iter().collect())
}
