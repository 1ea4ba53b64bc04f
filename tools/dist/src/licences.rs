//! The licences of everything that the program is made of, each text once.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use ftl_testkit::Result;

use crate::crates::Crate;

/// What files with the words of a licence are called.
const NAMES: [&str; 5] = ["LICENSE", "LICENCE", "COPYING", "NOTICE", "UNLICENSE"];

/// One text: a list of the crates, then the texts with the crates that carry them.
///
/// # Errors
///
/// A file cannot be read.
pub(crate) fn text(crates: &[Crate]) -> Result<String> {
    let mut page = String::from(
        "ftl is made of the standard library of Rust (MIT OR Apache-2.0) and of these crates, under the licences that they name:\n\n",
    );
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for it in crates {
        let name = format!("{} {}", it.name, it.version);
        writeln!(page, "  {name}: {}", it.license)?;
        for file in files(&it.directory)? {
            let text = String::from_utf8_lossy(&fs::read(file)?).replace("\r\n", "\n");
            let holders = texts.entry(text.trim().to_owned()).or_default();
            if !holders.contains(&name) {
                holders.push(name.clone());
            }
        }
    }
    let mut texts: Vec<_> = texts.into_iter().collect();
    texts.sort_by(|a, b| (&a.1, &a.0).cmp(&(&b.1, &b.0)));
    let rule = "=".repeat(78);
    for (text, holders) in texts {
        write!(page, "\n{rule}\n{}\n{rule}\n\n{text}\n", holders.join(", "))?;
    }
    Ok(page)
}

/// Files of a crate that hold a licence, at its top or in a directory for them, sorted.
fn files(directory: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for place in [directory.to_owned(), directory.join("LICENSES"), directory.join("license")] {
        let Ok(entries) = fs::read_dir(&place) else {
            continue;
        };
        for entry in entries {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().to_uppercase();
            let is_named = NAMES.iter().any(|it| name.starts_with(it)) || place != directory;
            let is_code = path.extension().is_some_and(|it| it == "rs");
            if is_named && !is_code && path.is_file() {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}
