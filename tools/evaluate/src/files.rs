//! Files of a language below a directory.

use std::fs;
use std::path::{Path, PathBuf};

use ftl_testkit::Result;

/// Directories that hold what was installed, not what belongs there.
const INSTALLED: &[&str] = &["site-packages", "dist-packages"];

/// All files with one of the endings below a directory, sorted, links not followed. What is installed in it is left
/// out, unless the directory itself is named.
///
/// # Errors
///
/// A directory cannot be read.
pub(crate) fn below(directory: &Path, endings: &[&str]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    collect(directory, endings, &mut files)?;
    Ok(files)
}

fn collect(directory: &Path, endings: &[&str], files: &mut Vec<PathBuf>) -> Result {
    let mut entries: Vec<PathBuf> = fs::read_dir(directory)?
        .map(|entry| entry.map(|it| it.path()))
        .collect::<std::io::Result<_>>()?;
    entries.sort();
    for path in entries {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_symlink() || INSTALLED.contains(&name.as_ref()) {
            continue;
        }
        if path.is_dir() {
            collect(&path, endings, files)?;
        } else if path.extension().is_some_and(|it| endings.iter().any(|ending| it == *ending)) {
            files.push(path);
        }
    }
    Ok(())
}
