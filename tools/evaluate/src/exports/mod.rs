//! `cargo xtask evaluate exports`: the names that ftl reads in files, compared with what the languages' own front ends say.

mod compare;
mod corpora;
mod known;
mod page;
mod references;
mod rust;

use std::path::PathBuf;

use ftl_testkit::{Result, root};

use self::compare::{ExportTally, compare};
use self::corpora::Size;
use self::references::Reference;

/// A language, its files, its front end, and what is asked of ftl.
struct Language {
    name: &'static str,
    endings: &'static [&'static str],
    /// Directories with files.
    corpus: fn(Size) -> Result<Vec<PathBuf>>,
    /// What gives the names of files.
    reference: fn(Size) -> Result<Reference>,
    /// What the reference is, in the page.
    words: &'static str,
    /// Files that must be compared, of all and in a check.
    files: (usize, usize),
}

/// Of so many files one may differ without a known reason: what the pinned packages need comes in newer versions.
const LEAST_ALIKE: usize = 2_000;

const LANGUAGES: [Language; 4] = [
    Language {
        name: "python",
        endings: &["py"],
        corpus: corpora::python,
        reference: references::python,
        words: "CPython's parser (`ast`) and what its compiler binds, over its whole standard library",
        files: (1_000, 200),
    },
    Language {
        name: "typescript",
        endings: &["ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs"],
        corpus: corpora::typescript,
        reference: references::typescript,
        words: "the TypeScript compiler's export lists, over packages of npm",
        files: (1_000, 100),
    },
    Language {
        name: "go",
        endings: &["go"],
        corpus: corpora::go,
        reference: references::go,
        words: "go/parser and go/ast, over Go's standard library",
        files: (1_000, 200),
    },
    Language {
        name: "rust",
        endings: &["rs"],
        corpus: corpora::rust,
        reference: references::rust,
        words: "syn, over the crates that this project builds on",
        files: (1_000, 200),
    },
];

/// Compares the named languages, or all; all of them, unless checked, write their part of docs/evaluation.md.
///
/// # Errors
///
/// A language is unknown, a front end or files could not be had, or too few files are alike.
pub(crate) fn run(words: &[&str]) -> Result {
    let (flags, names): (Vec<&str>, Vec<&str>) =
        words.iter().copied().partition(|word| word.starts_with("--"));
    let size = match flags[..] {
        [] => Size::Full,
        ["--check"] => Size::Check,
        _ => return Err("exports takes languages and `--check`".into()),
    };
    let is_known = |name: &&str| LANGUAGES.iter().any(|one| one.name == *name);
    if let Some(unknown) = names.iter().find(|name| !is_known(name)) {
        return Err(format!("the exports of `{unknown}` are not compared").into());
    }
    let mut tallies = Vec::new();
    for language in &LANGUAGES {
        if names.is_empty() || names.contains(&language.name) {
            let tally = measure(language, size)?;
            tally.lines(language.name).iter().for_each(|line| println!("{line}"));
            tallies.push((language, tally));
        }
    }
    if names.is_empty() && size == Size::Full {
        crate::page::replace("exports", &page::section(&tallies))?;
    }
    let missed = tallies.iter().filter(|(language, tally)| {
        let least = match size {
            Size::Full => language.files.0,
            Size::Check => language.files.1,
        };
        tally.compared() < least || tally.unexplained() * LEAST_ALIKE > tally.compared()
    });
    let missed: Vec<&str> = missed.map(|(language, _)| language.name).collect();
    match missed.as_slice() {
        [] => Ok(()),
        names => Err(format!("fewer files alike than are aimed at: {}", names.join(", ")).into()),
    }
}

fn measure(language: &Language, size: Size) -> Result<ExportTally> {
    let homes = (language.corpus)(size)?;
    let mut files = Vec::new();
    for home in &homes {
        files.extend(crate::files::below(home, language.endings)?);
    }
    let files = corpora::some(files, size);
    let reference = (language.reference)(size)?;
    Ok(compare(&reference.names(&files)?, &homes))
}

/// The directory of what was fetched and built; `cargo clean` removes it.
fn cache() -> PathBuf {
    root().join("target/evaluate")
}
