//! Real files, copied to where no tool finds a project's settings.
//!
//! All of them are valid to ftl; broken ones are measured in `hostile`.

use std::fs;
use std::path::{Path, PathBuf};

use ftl_testkit::Result;
use ftl_testkit::program::Program;

use super::peers::Peers;

/// Files of a language in a tree.
const FILES: usize = 2_000;

/// Copies that many files of an extension into `directory`, all of them valid to ftl.
pub(super) fn collect(
    ftl: &Path,
    peers: &Peers,
    extension: &str,
    directory: &Path,
) -> Result<Corpus> {
    fs::create_dir_all(directory)?;
    let mut found = Vec::new();
    for source in peers.sources(extension)? {
        walk(&source, extension, &mut found)?;
    }
    found.sort();
    // Every so-many-th file, so that each package has its share.
    let step = (found.len() / (FILES + FILES / 4)).max(1);
    let mut corpus = Corpus::default();
    for path in found.iter().step_by(step) {
        if corpus.files.len() == FILES {
            break;
        }
        let text = fs::read(path)?;
        if extension == "rs" && has_modules(&text) {
            continue;
        }
        let copy = directory.join(format!("{:04}.{extension}", corpus.files.len()));
        fs::write(&copy, &text)?;
        if is_valid(ftl, &copy) {
            corpus.bytes += text.len();
            corpus.files.push(copy);
        } else {
            fs::remove_file(&copy)?;
        }
    }
    Ok(corpus)
}

/// Files and their size.
#[derive(Debug, Default)]
pub(super) struct Corpus {
    pub(super) files: Vec<PathBuf>,
    pub(super) bytes: usize,
}

pub(super) fn is_valid(ftl: &Path, file: &Path) -> bool {
    Program::new(ftl, Path::new("."))
        .args(["preflight", "--strict", "--checker", "embedded"])
        .args([file])
        .succeeds()
}

fn walk(directory: &Path, extension: &str, found: &mut Vec<PathBuf>) -> Result {
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let (path, kind) = (entry.path(), entry.file_type()?);
        let name = entry.file_name().to_string_lossy().into_owned();
        if kind.is_dir() && name != "site-packages" {
            walk(&path, extension, found)?;
        } else if kind.is_file()
            && path.extension().is_some_and(|it| it == extension)
            && !name.contains(".d.")
        {
            found.push(path);
        }
    }
    Ok(())
}

/// Whether a Rust file has modules in other files, which rustfmt would look for.
fn has_modules(text: &[u8]) -> bool {
    String::from_utf8_lossy(text).lines().any(|line| {
        let line = line.trim();
        let module = line.strip_prefix("mod ").or_else(|| Some(line.split_once(" mod ")?.1));
        module.is_some_and(|rest| rest.trim_end().ends_with(';')) || line.contains("#[path")
    })
}
