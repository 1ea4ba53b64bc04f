//! Files below a directory, and a number for the bytes of one.

use std::fs;
use std::path::{Path, PathBuf};

use ftl_testkit::Result;

/// Directories that hold what was installed, not what belongs there.
const INSTALLED: &[&str] = &["site-packages", "dist-packages"];

/// Every file below a directory that has one of the extensions, in order. Links are not followed, and what is
/// installed is left out, unless the directory itself is named.
pub(crate) fn below(directory: &Path, extensions: &[&str]) -> Result<Vec<PathBuf>> {
    let mut found = all(directory)?;
    found.retain(|path| {
        let extension = path.extension().and_then(|it| it.to_str()).unwrap_or_default();
        extensions.contains(&extension)
    });
    Ok(found)
}

/// The same with any extension.
pub(crate) fn all(directory: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut open = vec![directory.to_owned()];
    while let Some(directory) = open.pop() {
        let entries = fs::read_dir(&directory);
        for entry in entries.map_err(|error| format!("{}: {error}", directory.display()))? {
            let entry = entry?;
            let (kind, path) = (entry.file_type()?, entry.path());
            if kind.is_file() {
                found.push(path);
            } else if kind.is_dir() && !INSTALLED.iter().any(|name| path.ends_with(name)) {
                open.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Paths, one a line.
pub(crate) fn listed(paths: &[PathBuf]) -> String {
    paths.iter().map(|path| format!("{}\n", path.display())).collect()
}

/// So many of all, evenly.
pub(crate) fn sample(all: Vec<PathBuf>, wanted: usize) -> Vec<PathBuf> {
    let step = all.len().div_ceil(wanted).max(1);
    all.into_iter().step_by(step).collect()
}

/// A number that depends on nothing but the bytes (FNV-1a).
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
