//! Lists of files, and a number for the bytes of one.

use std::fs;
use std::path::{Path, PathBuf};

use ftl_testkit::Result;

/// Paths, one a line.
pub(crate) fn listed(paths: &[PathBuf]) -> String {
    paths.iter().map(|path| format!("{}\n", path.display())).collect()
}

/// Every file below a directory that has one of the extensions, links not followed, in order.
pub(crate) fn below(directory: &Path, extensions: &[&str]) -> Result<Vec<PathBuf>> {
    let mut found = all(directory)?;
    found.retain(|path| {
        let extension = path.extension().and_then(|it| it.to_str()).unwrap_or_default();
        extensions.contains(&extension)
    });
    Ok(found)
}

/// Every file below a directory, links not followed, in order.
pub(crate) fn all(directory: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut open = vec![directory.to_owned()];
    while let Some(directory) = open.pop() {
        let entries = fs::read_dir(&directory);
        for entry in entries.map_err(|error| format!("{}: {error}", directory.display()))? {
            let entry = entry?;
            let (kind, path) = (entry.file_type()?, entry.path());
            if kind.is_dir() {
                open.push(path);
            } else if kind.is_file() {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// A number that depends on nothing but the bytes (FNV-1a).
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
