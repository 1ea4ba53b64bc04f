//! Folders of cases: an input file, and beside it what is to come out.

use std::fs;
use std::path::{Path, PathBuf};

/// Compares `observe(text)` of each `NAME.INPUT` in `tests/cases/FOLDER` with the file
/// `NAME.EXPECTED` beside it. With `UPDATE_CASES` set, writes these files instead.
pub(crate) fn check_folder(
    folder: &str,
    input: &str,
    expected: &str,
    observe: impl Fn(&str) -> String,
) {
    let inputs = inputs(folder, input);
    assert!(!inputs.is_empty(), "no case in {folder}");
    let mut differences = Vec::new();
    for input in inputs {
        let observed = observe(&fs::read_to_string(&input).unwrap());
        let beside = input.with_extension(expected);
        if std::env::var_os("UPDATE_CASES").is_some() {
            fs::write(&beside, &observed).unwrap();
        } else if fs::read_to_string(&beside).ok().as_ref() != Some(&observed) {
            differences.push(format!("{}\n{observed}", input.display()));
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

/// Names and texts of the files in `tests/cases/FOLDER` that end in `.EXTENSION`.
pub(crate) fn texts(folder: &str, extension: &str) -> Vec<(String, String)> {
    let named = |path: PathBuf| {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        (name, fs::read_to_string(path).unwrap())
    };
    inputs(folder, extension).into_iter().map(named).collect()
}

/// The text of a file in `tests/cases`.
pub(crate) fn read_case(path: &str) -> String {
    fs::read_to_string(cases().join(path)).unwrap()
}

/// The rows of a table in `tests/cases`, of so many columns. Line ends and tabs are written `\n` and `\t`, backslashes
/// twice.
pub(crate) fn rows<const COLUMNS: usize>(path: &str) -> Vec<[String; COLUMNS]> {
    let columns = |row: &str| -> Vec<String> { row.split('\t').map(unescaped).collect() };
    let of_row = |row: &str| columns(row).try_into().unwrap_or_else(|_| panic!("{path}: {row}"));
    read_case(path).lines().map(of_row).collect()
}

fn unescaped(text: &str) -> String {
    let mut parts = text.split('\\');
    let mut found = parts.next().unwrap_or_default().to_owned();
    while let Some(part) = parts.next() {
        match part.chars().next() {
            Some('n') => found.extend(["\n", &part[1..]]),
            Some('t') => found.extend(["\t", &part[1..]]),
            _ => found.extend(["\\", parts.next().unwrap_or_default()]),
        }
    }
    found
}

fn cases() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases")
}

fn inputs(folder: &str, extension: &str) -> Vec<PathBuf> {
    let mut inputs: Vec<PathBuf> = fs::read_dir(cases().join(folder))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .collect();
    inputs.sort();
    inputs
}
