//! `cargo xtask evaluate exports`: the names that ftl reads in files, compared with what the languages' own front ends say.

mod commits;
mod compare;
mod corpora;
mod known;
mod page;
mod references;
mod rust;

use std::path::PathBuf;

use ftl_preflight::Language;
use ftl_testkit::Result;

use self::compare::{ExportTally, compare};
use self::references::Said;
use crate::cache::Cache;
use crate::files;

/// A language, its files, its front end, and what is asked of ftl.
struct Exporting {
    name: &'static str,
    languages: &'static [Language],
    /// A directory with files: all, or some for a check.
    corpus: fn(&Cache, bool) -> Result<PathBuf>,
    /// Gives the names of files.
    reference: fn(&Cache, &[PathBuf]) -> Result<Vec<Said>>,
    /// What the reference is, in the page.
    words: &'static str,
    /// Files that must be compared, of all and in a check.
    files: (usize, usize),
}

/// Of so many files one may differ without a known reason: what the pinned packages need comes in newer versions.
const LEAST_ALIKE: usize = 2_000;

/// Files of a language in a check.
const CHECKED: usize = 300;

/// A crate whose files are cases for its parser, of a Rust that is still to come.
const SUITE: &str = "ra_ap_parser";

const LANGUAGES: [Exporting; 4] = [
    Exporting {
        name: "python",
        languages: &[Language::Python],
        corpus: corpora::python,
        reference: references::python,
        words: "CPython's parser (`ast`) and what its compiler binds, over its whole standard library",
        files: (1_000, 200),
    },
    Exporting {
        name: "typescript",
        languages: &[Language::TypeScript, Language::Tsx, Language::JavaScript, Language::Jsx],
        corpus: corpora::typescript,
        reference: references::typescript,
        words: "the TypeScript compiler's export lists, over packages of npm",
        files: (1_000, 100),
    },
    Exporting {
        name: "go",
        languages: &[Language::Go],
        corpus: corpora::go,
        reference: references::go,
        words: "go/parser and go/ast, over Go's standard library",
        files: (1_000, 200),
    },
    Exporting {
        name: "rust",
        languages: &[Language::Rust],
        corpus: corpora::rust,
        reference: references::rust,
        words: "syn, over the crates that this project builds on",
        files: (1_000, 200),
    },
];

/// Compares the named languages, or all; all of them, unless checked, write their part of lab/evaluation.md.
///
/// # Errors
///
/// A language is unknown, a front end or files could not be had, or too few files are alike.
pub(crate) fn run(words: &[&str]) -> Result {
    if let ["commits", directory] = words {
        return commits::run(directory);
    }
    let (flags, names): (Vec<&str>, Vec<&str>) =
        words.iter().copied().partition(|word| word.starts_with("--"));
    let is_check = match flags[..] {
        [] => false,
        ["--check"] => true,
        _ => return Err(crate::HELP.into()),
    };
    let cache = Cache::open()?;
    let is_known = |name: &&str| LANGUAGES.iter().any(|one| one.name == *name);
    if let Some(unknown) = names.iter().find(|name| !is_known(name)) {
        return Err(format!("the exports of `{unknown}` are not compared").into());
    }
    let mut tallies = Vec::new();
    for language in &LANGUAGES {
        if names.is_empty() || names.contains(&language.name) {
            let tally = measure(language, &cache, is_check)?;
            tally.lines(language.name).iter().for_each(|line| println!("{line}"));
            tallies.push((language, tally));
        }
    }
    if names.is_empty() && !is_check {
        crate::page::replace("exports", &page::section(&tallies))?;
    }
    let missed = tallies.iter().filter(|(language, tally)| {
        let least = if is_check { language.files.1 } else { language.files.0 };
        tally.compared() < least || tally.unexplained() * LEAST_ALIKE > tally.compared()
    });
    let missed: Vec<&str> = missed.map(|(language, _)| language.name).collect();
    match missed.as_slice() {
        [] => Ok(()),
        names => Err(format!("fewer files alike than are aimed at: {}", names.join(", ")).into()),
    }
}

fn measure(language: &Exporting, cache: &Cache, is_check: bool) -> Result<ExportTally> {
    let home = (language.corpus)(cache, is_check)?;
    let mut found = files::all(&home)?;
    found.retain(|path| {
        Language::of_path(path).is_some_and(|it| language.languages.contains(&it))
            && !path.to_string_lossy().contains(SUITE)
    });
    let files = files::sample(found, if is_check { CHECKED } else { usize::MAX });
    Ok(compare(&(language.reference)(cache, &files)?, &home))
}
