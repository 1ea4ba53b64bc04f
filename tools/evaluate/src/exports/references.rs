//! The languages' own front ends, and what they say of files.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use ftl_testkit::program::Program;
use ftl_testkit::scratch::Scratch;
use ftl_testkit::{Result, fetched, root};
use serde::Deserialize;

use super::corpora::Size;
use super::{cache, corpora, rust};

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

/// What names the exports of files.
pub(super) enum Reference {
    /// A program: the words before the list of files.
    Program(Vec<PathBuf>),
    /// A function of this program.
    Function(fn(&str) -> Option<BTreeSet<String>>),
}

impl Reference {
    /// What it says of files, in their order.
    ///
    /// # Errors
    ///
    /// A program failed.
    pub(super) fn names(&self, files: &[PathBuf]) -> Result<Vec<Said>> {
        match self {
            Self::Program(words) => by_program(words, files),
            Self::Function(names) => {
                Ok(files.iter().map(|path| by_function(*names, path)).collect())
            }
        }
    }
}

fn by_program(words: &[PathBuf], files: &[PathBuf]) -> Result<Vec<Said>> {
    let scratch = Scratch::new("exports")?;
    let list = scratch.path().join("list");
    let lines = files.iter().map(|path| format!("{}\n", path.display()));
    fs::write(&list, lines.collect::<String>())?;
    let program = Program::new(&words[0], &root());
    let printed = program.args(&words[1..]).args([list]).text()?;
    let said = |line: &str| -> Result<Said> {
        let line: Line = serde_json::from_str(line)?;
        Ok(Said {
            path: line.path,
            names: line.unread.is_none().then_some((line.given, line.public)),
        })
    };
    printed.lines().map(said).collect()
}

fn by_function(names: fn(&str) -> Option<BTreeSet<String>>, path: &PathBuf) -> Said {
    let text = fs::read_to_string(path).ok();
    let names = text.and_then(|text| names(&text));
    Said {
        path: path.to_string_lossy().into_owned(),
        names: names.map(|names| (names.clone(), names)),
    }
}

fn driver(name: &str) -> PathBuf {
    root().join("tools/evaluate/drivers/exports").join(name)
}

pub(super) fn python(_: Size) -> Result<Reference> {
    Ok(Reference::Program(vec!["python3".into(), driver("python.py")]))
}

pub(super) fn typescript(size: Size) -> Result<Reference> {
    let packages = corpora::packages(size)?;
    let words = ["node".into(), "--stack-size=3900".into(), driver("typescript.js"), packages];
    Ok(Reference::Program(words.into()))
}

pub(super) fn go(_: Size) -> Result<Reference> {
    let sources = ["go.mod", "main.go"].map(|name| driver("golang").join(name));
    let text = sources.iter().map(fs::read_to_string).collect::<std::io::Result<String>>()?;
    let home = fetched::keep(&cache().join("golang"), &text, |directory| {
        for source in &sources {
            fs::copy(source, directory.join(source.file_name().unwrap_or_default()))?;
        }
        Program::new("go", directory)
            .env("GOTOOLCHAIN", "local")
            .args(["build", "-o", "names", "."])
            .run()
    })?;
    Ok(Reference::Program(vec![home.join("names")]))
}

pub(super) fn rust(_: Size) -> Result<Reference> {
    Ok(Reference::Function(rust::names))
}
