//! The languages' own front ends, and what they say of files.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use ftl_testkit::Result;
use ftl_testkit::program::Program;
use serde::Deserialize;

use super::rust;
use crate::cache::{Cache, driver};
use crate::files;

/// The names of a file as a front end sees them.
#[derive(Debug)]
pub(super) struct Said {
    pub(super) path: String,
    /// Those that the file gives and those that are public; `None` where it was not read.
    pub(super) names: Option<(BTreeSet<String>, BTreeSet<String>)>,
}

/// A line of a driver.
#[derive(Deserialize)]
struct Line {
    path: String,
    #[serde(default)]
    given: BTreeSet<String>,
    #[serde(default)]
    public: BTreeSet<String>,
    unread: Option<String>,
}

/// What a driver says of files, in their order.
fn by_program(program: Program, cache: &Cache, files: &[PathBuf]) -> Result<Vec<Said>> {
    let list = cache.directory().join("list");
    fs::write(&list, files::listed(files))?;
    let printed = program.args([list]).text()?;
    let said = |line: &str| -> Result<Said> {
        let line: Line = serde_json::from_str(line)?;
        let names = line.unread.is_none().then_some((line.given, line.public));
        Ok(Said { path: line.path, names })
    };
    printed.lines().map(said).collect()
}

pub(super) fn python(cache: &Cache, files: &[PathBuf]) -> Result<Vec<Said>> {
    let program = Program::new("python3", cache.directory()).args([driver("exports.py")]);
    by_program(program, cache, files)
}

pub(super) fn typescript(cache: &Cache, files: &[PathBuf]) -> Result<Vec<Said>> {
    let program = cache.node("typescript.js").args([cache.packages()?]).args(["names"]);
    by_program(program, cache, files)
}

pub(super) fn go(cache: &Cache, files: &[PathBuf]) -> Result<Vec<Said>> {
    by_program(cache.go()?.args(["names"]), cache, files)
}

pub(super) fn rust(_: &Cache, files: &[PathBuf]) -> Result<Vec<Said>> {
    let said = |path: &PathBuf| {
        let names = fs::read_to_string(path).ok().and_then(|text| rust::names(&text));
        let names = names.map(|names| (names.clone(), names));
        Said { path: path.to_string_lossy().into_owned(), names }
    };
    Ok(files.iter().map(said).collect())
}
