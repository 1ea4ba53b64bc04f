//! Cases that are files: an input, and beside it what is expected of it.

use std::fs;
use std::path::{Path, PathBuf};

/// Compares `answer` of each input in `tests/cases/FOLDER` with the file beside it that ends in
/// `.expected`. With `FTL_BLESS` set, writes that file instead.
pub(crate) fn check(folder: &str, answer: impl Fn(&Path, &[u8]) -> String) {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases").join(folder);
    let mut inputs: Vec<PathBuf> = fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end != "expected"))
        .collect();
    inputs.sort();
    assert!(!inputs.is_empty());
    let bless = std::env::var_os("FTL_BLESS").is_some();
    let mut wrong = Vec::new();
    for input in inputs {
        let answer = answer(&input, &fs::read(&input).unwrap());
        let expected = input.with_extension("expected");
        if bless {
            fs::write(&expected, &answer).unwrap();
        }
        if fs::read_to_string(&expected).unwrap_or_default() != answer {
            wrong.push(format!("{}:\n{answer}", expected.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
