//! What is fetched once and kept: a directory each, and in it what it was fetched from.
//!
//! Which packages are fetched, the tools say. `cargo clean` removes all of `target`.

use std::fs;
use std::path::{Path, PathBuf};

use crate::Result;
use crate::program::Program;

/// In a fetched directory, what it was fetched from.
const STAMP: &str = ".fetched";

/// A directory that `fetch` fills, unless it holds what `stamp` says already.
///
/// # Errors
///
/// Fetching failed; the unfinished result is removed the next time.
pub fn keep(directory: &Path, stamp: &str, fetch: impl FnOnce(&Path) -> Result) -> Result<PathBuf> {
    let mark = directory.join(STAMP);
    if fs::read_to_string(&mark).is_ok_and(|kept| kept == stamp) {
        return Ok(directory.to_owned());
    }
    if directory.exists() {
        fs::remove_dir_all(directory)?;
    }
    fs::create_dir_all(directory)?;
    println!("fetching {}", directory.file_name().unwrap_or_default().to_string_lossy());
    fetch(directory)?;
    fs::write(mark, stamp)?;
    Ok(directory.to_owned())
}

/// Packages of npm; none of their scripts is run.
///
/// # Errors
///
/// npm is missing or failed.
pub fn npm(directory: &Path, packages: &[&str]) -> Result<PathBuf> {
    keep(directory, &packages.join(" "), |directory| {
        fs::write(directory.join("package.json"), "{\"private\": true}\n")?;
        Program::new("npm", directory)
            .args(["install", "--silent", "--no-audit", "--no-fund"])
            .args(["--ignore-scripts", "--legacy-peer-deps"])
            .args(packages)
            .run()
    })
}
