//! Generated files: written as a whole, or compared with what is there.
//!
//! What they hold is other packages' business (`ftl-fixtures`, `ftl-docs`).

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::Result;

/// Generated files by their paths below the repository's top, and the directories that hold only such.
#[derive(Debug, Default)]
pub struct Tree {
    files: BTreeMap<PathBuf, Vec<u8>>,
    owned: Vec<PathBuf>,
}

impl Tree {
    /// A tree without files.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Declares `directory` to hold nothing but generated files: any other there is stale.
    #[must_use]
    pub fn owning(mut self, directory: impl Into<PathBuf>) -> Self {
        self.owned.push(directory.into());
        self
    }

    /// Adds a file.
    pub fn add(&mut self, path: impl Into<PathBuf>, bytes: impl Into<Vec<u8>>) {
        self.files.insert(path.into(), bytes.into());
    }

    /// Writes every file and removes the stale ones.
    ///
    /// # Errors
    ///
    /// Something could not be written or removed.
    pub fn write(&self) -> Result {
        let root = crate::root();
        for path in self.stale()? {
            match self.files.get(&path) {
                Some(bytes) => {
                    let target = root.join(&path);
                    if let Some(parent) = target.parent() {
                        fs::create_dir_all(parent)?;
                    }
                    fs::write(target, bytes)?;
                    println!("wrote {}", path.display());
                }
                None => {
                    fs::remove_file(root.join(&path))?;
                    println!("removed {}", path.display());
                }
            }
        }
        Ok(())
    }

    /// Compares, and says which command removes the difference.
    ///
    /// # Errors
    ///
    /// A file differs, is missing, or should not be there; or something could not be read.
    pub fn check(&self, remedy: &str) -> Result {
        let stale = self.stale()?;
        if stale.is_empty() {
            return Ok(());
        }
        let names: Vec<_> = stale.iter().map(|path| path.display().to_string()).collect();
        Err(format!("stale: {}; run `{remedy}`", names.join(", ")).into())
    }

    /// The paths whose bytes differ from what is generated, in order.
    ///
    /// # Errors
    ///
    /// A directory could not be read.
    pub fn stale(&self) -> Result<BTreeSet<PathBuf>> {
        let root = crate::root();
        let mut stale = BTreeSet::new();
        for (path, bytes) in &self.files {
            if fs::read(root.join(path)).ok().as_ref() != Some(bytes) {
                stale.insert(path.clone());
            }
        }
        for directory in &self.owned {
            for found in files_below(&root.join(directory))? {
                let path = found.strip_prefix(&root)?.to_path_buf();
                if !self.files.contains_key(&path) {
                    stale.insert(path);
                }
            }
        }
        Ok(stale)
    }
}

/// Every file below `directory`; none when it does not exist.
fn files_below(directory: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    if !directory.exists() {
        return Ok(found);
    }
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            found.extend(files_below(&entry.path())?);
        } else {
            found.push(entry.path());
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::Tree;

    #[test]
    fn a_file_that_differs_is_stale_and_one_that_agrees_is_not() {
        let mut tree = Tree::new();
        tree.add("tools/testkit/src/tree.rs", include_bytes!("tree.rs").as_slice());
        assert!(tree.stale().unwrap().is_empty());
        tree.add("tools/testkit/src/lib.rs", "something else");
        assert!(tree.stale().unwrap().contains(Path::new("tools/testkit/src/lib.rs")));
    }

    #[test]
    fn a_file_that_is_not_generated_is_stale_in_an_owned_directory() {
        let tree = Tree::new().owning("tools/testkit/src");
        assert!(tree.stale().unwrap().contains(Path::new("tools/testkit/src/program.rs")));
    }

    #[test]
    fn the_remedy_is_named() {
        let mut tree = Tree::new();
        tree.add("nowhere.md", "text");
        let error = tree.check("cargo xtask docs").unwrap_err().to_string();
        assert_eq!(error, "stale: nowhere.md; run `cargo xtask docs`");
    }
}
