//! The crates that the program is made of, as cargo resolves them for it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use ftl_testkit::program::Program;
use ftl_testkit::{Result, root};
use serde_json::Value;

/// A crate of another project.
pub(crate) struct Crate {
    pub(crate) name: String,
    pub(crate) version: String,
    /// An SPDX expression.
    pub(crate) license: String,
    pub(crate) repository: Option<String>,
    /// Where its sources are.
    pub(crate) directory: PathBuf,
    /// SHA-256 of its package, as Cargo.lock has it.
    pub(crate) checksum: Option<String>,
}

/// All crates that are compiled into the program, sorted; ours are left out.
///
/// # Errors
///
/// Cargo could not be asked.
pub(crate) fn of_the_program() -> Result<Vec<Crate>> {
    let used = used()?;
    let metadata = Program::cargo()
        .args(["metadata", "--locked", "--offline", "--format-version", "1"])
        .text()?;
    let metadata: Value = serde_json::from_str(&metadata)?;
    let checksums = checksums()?;
    let text = |package: &Value, key: &str| package[key].as_str().map(str::to_owned);
    let mut crates = Vec::new();
    for package in metadata["packages"].as_array().into_iter().flatten() {
        let key = (
            text(package, "name").unwrap_or_default(),
            text(package, "version").unwrap_or_default(),
        );
        if package["source"].is_null() || !used.contains(&key) {
            continue;
        }
        let manifest = text(package, "manifest_path").unwrap_or_default();
        let directory = Path::new(&manifest).parent().ok_or("a manifest has no directory")?;
        crates.push(Crate {
            license: text(package, "license").unwrap_or_default().replace('/', " OR "),
            repository: text(package, "repository"),
            directory: directory.to_owned(),
            checksum: checksums.get(&key).cloned(),
            name: key.0,
            version: key.1,
        });
    }
    crates.sort_by(|a, b| (&a.name, &a.version).cmp(&(&b.name, &b.version)));
    match crates.is_empty() {
        true => Err("cargo names no crate".into()),
        false => Ok(crates),
    }
}

/// Names and versions of what the program is linked from, with the features that it uses.
fn used() -> Result<BTreeSet<(String, String)>> {
    let tree = Program::cargo()
        .args(["tree", "--package", "ftl-task", "--edges", "normal", "--prefix", "none"])
        .args(["--format", "{p}", "--locked", "--offline"])
        .text()?;
    let named = tree.lines().filter_map(|line| {
        let (name, rest) = line.split_once(" v")?;
        let version = rest.split(' ').next()?;
        Some((name.to_owned(), version.to_owned()))
    });
    Ok(named.collect())
}

/// Name and version, and the digest of what the registry gave.
fn checksums() -> Result<BTreeMap<(String, String), String>> {
    let lock = std::fs::read_to_string(root().join("Cargo.lock"))?;
    let value = |block: &str, key: &str| {
        let start = format!("{key} = \"");
        let line = block.lines().find_map(|line| line.strip_prefix(&start))?;
        Some(line.trim_end_matches('"').to_owned())
    };
    let read = |block: &str| {
        let key = (value(block, "name")?, value(block, "version")?);
        Some((key, value(block, "checksum")?))
    };
    Ok(lock.split("[[package]]").filter_map(read).collect())
}
