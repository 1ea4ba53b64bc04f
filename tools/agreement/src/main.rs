//! `cargo xtask agreement [LANG…] [--full | --check]`: every checker against the languages' own
//! front ends, over real code, over mutants of it, and over conformance suites. With `--files DIRECTORY`, one
//! language against its installed front end.
//!
//! Sources (packages, directories of a suite) are split into a tuning part and a hold-out by a hash
//! of their names. Of the hold-out only numbers are ever shown.

#![expect(clippy::print_stdout, reason = "tools talk to the terminal")]

mod apt;
mod cache;
mod checkers;
mod disagreement;
mod engines;
mod files;
mod installed;
mod languages;
mod limits;
mod measure;
mod mutants;
mod origins;
mod page;
mod rows;
mod tally;
mod verdict;

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use ftl_testkit::Result;

use crate::cache::Cache;
use crate::checkers::Checkers;
use crate::engines::Engines;
use crate::languages::{LANGUAGES, Language};
use crate::measure::Measured;

/// How much is looked at.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Size {
    /// Files of one corpus and one part.
    pub(crate) files: usize,
    /// Damaged files of one language and one part.
    pub(crate) mutants: usize,
    /// Files that the checkers with a toolchain see: each costs them a process.
    pub(crate) sample: usize,
    /// Whether only the nearest corpora, the reference and the embedded checker take part.
    pub(crate) is_check: bool,
}

const CHECK: Size = Size { files: 100, mutants: 150, sample: 0, is_check: true };

const USUAL: Size = Size { files: 700, mutants: 500, sample: 60, is_check: false };

const FULL: Size = Size { files: usize::MAX, mutants: 2000, sample: 200, is_check: false };

fn main() -> ExitCode {
    ftl_testkit::main(run)
}

/// Measures the named languages, or all of them; all of them make docs/agreement.md.
///
/// With `--check`, a few files of what the machine has are judged, nothing is written, and a rate
/// beyond its aim is an error. With `--files`, a language is measured on a directory's files.
///
/// # Errors
///
/// A name is unknown, a build or a driver failed, or a front end is missing.
fn run(words: &[&str]) -> Result {
    if let [language, "--files", directory] = *words {
        return installed::measure(language, Path::new(directory));
    }
    let is_flag = |word: &&str| word.starts_with("--");
    let (flags, names): (Vec<&str>, Vec<&str>) = words.iter().copied().partition(is_flag);
    let size = match flags[..] {
        [] => USUAL,
        ["--full"] => FULL,
        ["--check"] => CHECK,
        _ => {
            let usage = "agreement takes languages, and `--full` or `--check`; or one language, and `--files DIRECTORY`";
            return Err(usage.into());
        }
    };
    let is_full = flags == ["--full"];
    let mut chosen = chosen(&names)?;
    if size.is_check {
        chosen.retain(|language| language.corpora.iter().any(|it| it.is_near));
    }
    let cache = Cache::open()?;
    let engines = Engines::new(&cache);
    let tools = if size.is_check { Vec::new() } else { engines.tools()? };
    let checkers = Checkers::build(size.is_check, cache.directory(), &tools)?;
    let mut measured = Vec::new();
    for language in chosen {
        let found = measure::language(language, size, &cache, &engines, &checkers)?;
        println!("{}", page::section(&found)?);
        disagreement::write(
            &found.disagreements,
            &found.misplaced_in,
            language.name,
            cache.directory(),
        )?;
        measured.push(found);
    }
    if size.is_check {
        return within_aims(&measured);
    }
    if names.is_empty() {
        write_page(is_full, &engines, &measured)?;
    }
    Ok(())
}

/// An error that names every language whose rates on real code and its mutants miss their aims.
fn within_aims(measured: &[Measured]) -> Result {
    let missed: Vec<_> = measured.iter().filter(|it| !it.is_within_aims()).collect();
    if missed.is_empty() {
        return Ok(());
    }
    let names: Vec<_> = missed.iter().map(|it| it.language.name).collect();
    Err(format!("more wrong verdicts than are aimed at: {}", names.join(", ")).into())
}

fn chosen(names: &[&str]) -> Result<Vec<&'static Language>> {
    let known = |name: &&str| LANGUAGES.iter().any(|language| language.name == *name);
    if let Some(unknown) = names.iter().find(|name| !known(name)) {
        let known: Vec<_> = LANGUAGES.iter().map(|language| language.name).collect();
        return Err(format!("no language `{unknown}`: there are {}", known.join(", ")).into());
    }
    let is_chosen = |language: &&Language| names.is_empty() || names.contains(&language.name);
    Ok(LANGUAGES.iter().filter(is_chosen).collect())
}

fn write_page(is_full: bool, engines: &Engines<'_>, measured: &[Measured]) -> Result {
    let page = page::whole(is_full, engines, measured)?;
    fs::write(ftl_testkit::root().join("docs/agreement.md"), page)?;
    Ok(())
}
