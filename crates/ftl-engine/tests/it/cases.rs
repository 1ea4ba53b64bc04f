//! Folders of cases: an input file, and beside it what is to come out.

use std::fs;
use std::path::{Path, PathBuf};

/// Compares `observe(input)` with the file `NAME.EXPECTED` beside each `NAME.txt` in
/// `tests/cases/FOLDER`. With `UPDATE_CASES` set, writes these files instead.
pub(crate) fn check_folder(folder: &str, expected: &str, observe: impl Fn(&str) -> String) {
    let inputs = inputs(folder);
    assert!(!inputs.is_empty(), "no case in {folder}");
    let mut differences = Vec::new();
    for input in inputs {
        let observed = observe(&fs::read_to_string(&input).unwrap());
        let beside = input.with_extension(expected);
        if std::env::var_os("UPDATE_CASES").is_some() {
            fs::write(&beside, &observed).unwrap();
        } else if fs::read_to_string(&beside).unwrap_or_default() != observed {
            differences.push(format!("{}\n{observed}", input.display()));
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

fn inputs(folder: &str) -> Vec<PathBuf> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/cases")
        .join(folder);
    let mut inputs: Vec<PathBuf> = fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "txt"))
        .collect();
    inputs.sort();
    inputs
}
